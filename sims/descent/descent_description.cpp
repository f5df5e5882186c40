#include <algorithm>

#include "sims/core/timeline/stepper.h"
#include "sims/descent/descent.h"
#include "sims/descent/formula.h"

namespace simscope::descent {
namespace {

Relevance surfaceIs(std::vector<std::string> surfaces) {
  return when("surface", std::move(surfaces));
}
Relevance onBowl() {
  return surfaceIs({"bowl"});
}
Relevance linearMethods() {
  return when("method", {"plain", "momentum", "nesterov"});
}
Relevance withoutNoise() {
  return when("noise", {"0"});
}

std::vector<DiagnosticInfo> diagnosticInfos() {
  return {
      {"best", "Best value", "", "Smallest f of all starts", kPlotted},
      {"best_exact", "Best value, exact", "", "f at its lowest minimum, in closed form", kPlotted,
       exactOf("best", 0.02, unless("surface", {"formula"}))},
      {"arrived", "Share arrived", "", "Share of the starts within the tolerance of a minimum", kPlotted},
      {"arrived_lowest", "Share at the lowest", "", "Share of the starts within the tolerance of the lowest minimum"},
      {"distance", "Distance to a minimum", "", "Median distance to the nearest minimum"},
      {"median_loss", "Median loss", "decades", "Decimal logarithm of f minus its lowest value"},
      {"mean_loss", "Mean loss", "decades", "Decimal logarithm of the mean of f over all starts", kPlotted, onBowl()},
      {"mean_loss_exact", "Mean loss, exact", "decades",
       "From the gain of each mode after this many iterations, and the variance caused by noise", kPlotted,
       exactOf("mean_loss", 0.02, onBowl() && linearMethods())},
      {"factor", "Factor of an iteration", "",
       "Factor by which errors change per iteration, over the later half of the run", kPlotted,
       onBowl() && linearMethods()},
      {"factor_exact", "Factor of an iteration, exact", "",
       "Largest root of r² = (1 + μ − ηλ) r − μ or the method's own equation; |1 − ηλ| for plain descent", kPlotted,
       exactOf("factor", 0.02, onBowl() && linearMethods())},
      {"factor_least", "Least factor of momentum", "", "(√κ − 1)/(√κ + 1)", kListed, onBowl()},
      {"last_arrival", "Last arrival", "iterations",
       "Iteration at which the last start reached a minimum, after all have arrived"},
      {"last_arrival_exact", "Last arrival, exact", "iterations",
       "On a quadratic, BFGS with exact line searches needs as many iterations as dimensions", kListed,
       exactOf("last_arrival", 0.5, onBowl() && when("method", {"bfgs"}))},
      {"diverged", "Share diverged", "", "Share of the starts that went beyond 10⁹; they stay there"},
      {"watched_loss", "Loss of the watched start", "", "f minus its lowest value, for the first 2048 iterations"},
      {"watched_loss_exact", "Loss of the watched start, exact", "", "½ Σ λ (gain · u)²", kListed,
       exactOf("watched_loss", 1e-6, onBowl() && linearMethods())},
  };
}

std::vector<View> views() {
  const AxisInfo x{"x", ""}, y{"y", ""};
  const PathInfo contours{.channel = "contours", .title = "level lines", .colour = 3, .ghost = true};
  const std::vector<PathInfo> over = {
      contours,
      {.channel = "paths", .title = "starts", .colour = 2},
      {.channel = "watched_ahead", .title = "its way", .colour = 0, .ghost = true},
      {.channel = "watched", .title = "watched", .colour = 0},
      {.channel = "minima", .title = "minima", .colour = 5},
  };
  std::vector<PathInfo> over_cloud = {contours, over[2], over[3], over[4]};
  over_cloud[1].shown = over_cloud[2].shown = false;
  const FieldView surface{.x = x,
                          .y = y,
                          .value = {"f", "", {{"log₁₀ (f − f*)"}, {"f"}}},
                          .channel = "surface",
                          .colormap = "magma",
                          .paths = over,
                          .absent = "no value"};
  const auto starts = [&](const char* channel, const char* title, const char* colormap) {
    return FieldView{.x = x,
                     .y = y,
                     .value = {title, ""},
                     .channel = channel,
                     .colormap = colormap,
                     .paths = {{.channel = "minima", .title = "minima", .colour = 5},
                               {.channel = "watched", .title = "watched", .colour = 0, .shown = false}},
                     .absent = "not at a minimum"};
  };
  const ScatterView cloud{.x = x,
                          .y = y,
                          .value = {"log₁₀ (f − f*)", ""},
                          .channel = "cloud",
                          .value_channel = "cloud_loss",
                          .colormap = "plasma",
                          .equal_lengths = true,
                          .paths = over_cloud};
  const auto line = [](const char* channel, const char* title, TraceStyle style, int colour, Relevance relevant = {}) {
    return TraceInfo{
        .channel = channel, .title = title, .style = style, .colour = colour, .relevant = std::move(relevant)};
  };
  const CurveView losses{
      .x = {"iterations", ""},
      .y = {.title = "f − f*", .decades = true},
      .traces = {line("loss_median", "median", TraceStyle::Line, 1), line("loss_best", "best", TraceStyle::Line, 2),
                 line("loss_watched", "watched", TraceStyle::Line, 0),
                 line("loss_mean", "mean", TraceStyle::Line, 3, onBowl()),
                 line("loss_exact", "mean, exact", TraceStyle::Ghost, 3, onBowl() && linearMethods()),
                 line("loss_rate", "exact rate at the minimum", TraceStyle::Ghost, 0,
                      linearMethods() && withoutNoise() && unless("surface", {"ackley", "rastrigin"}))}};
  const auto panel = [](const char* view, double left, double top, double width, double height) {
    return Panel{view, left, top, width, height};
  };
  return {
      {"overview", "Paths, losses, and basins",
       LinkedView{{panel("surface", 0, 0, 0.56, 1), panel("basins", 0.56, 0, 0.44, 0.53),
                   panel("losses", 0.56, 0.53, 0.44, 0.47)}}},
      {"arrivals", "Paths, losses, and iterations to arrive",
       LinkedView{{panel("surface", 0, 0, 0.56, 1), panel("iterations", 0.56, 0, 0.44, 0.53),
                   panel("losses", 0.56, 0.53, 0.44, 0.47)}}},
      {"cloud_losses", "All starts, and losses",
       LinkedView{{panel("cloud", 0, 0, 0.56, 1), panel("losses", 0.56, 0, 0.44, 1)}}},
      {"surface", "Paths over the surface", surface},
      {"cloud", "Where all starts are", cloud},
      {"basins", "Minimum reached", starts("basins", "minimum, the lowest first", "turbo")},
      {"iterations", "Iterations until arrival", starts("iterations", "iterations", "magma")},
      {"losses", "Losses by iteration", losses},
  };
}

std::string equationOf(const ParameterSet& set) {
  const std::string& method = set.text("method");
  if (method == "plain") return "x ← x − η ∇f(x)";
  if (method == "momentum") return "v ← μ v − η ∇f(x),  x ← x + v";
  if (method == "nesterov") return "v ← μ v − η ∇f(x + μ v),  x ← x + v";
  if (method == "adam") return "x ← x − η m̂/(√ŵ + ε),  m and w: means of ∇f and its squares";
  return "x ← x − α H ∇f(x),  H ≈ (∇∇f)⁻¹ from the steps, α by a line search";
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Descent>(std::move(device), parameters);
}

}  // namespace

double memoryOf(const ParameterSet& parameters, compute::Backend backend) {
  const double side = parameters.real("starts"), n = side * side + kWitnesses;
  const double drawn = std::ceil(side / everyDrawn(static_cast<int>(side)));
  const double each = (2 + kMemories) * sizeof(double) + sizeof(int);
  const double history = 4.0 * kSamples * (kWitnesses + 2 * kTracers + kCurves) + 4.0 * kTableCells * kTableCells;
  // Basins, iterations, points and their values; the surface; lines and curves.
  const double frame =
      drawn * drawn * 4 * 7 + 4.0 * kSurfaceCells * kSurfaceCells +
      8.0 * (kMostContourPoints + 2 * (kMostWatched + 1) + kTracers * (kSamples + 1) + kCrossPoints * kMostMinima) +
      24.0 * kSamples;
  // On the host the start is made beside it, and the watch keeps one.
  const double state = each * n + history;
  const double host = 16 * n + std::min(state, static_cast<double>(Stepper::kWatchedBytes));
  return state + 3 * frame + 16.0 * kMostMinima + (backend == compute::Backend::Cpu ? host : 0);
}

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "descent";
    d.title = "Gradient descent";
    d.summary = "Thousands of starts descend a surface: momentum, Nesterov, Adam, BFGS. Shows basins and exact rates.";
    d.equation = "x ← x − η ∇f(x)";
    d.equation_of = equationOf;
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnosticInfos();
    d.views = views();
    d.tools = {
        {.key = "start", .title = "Watched start", .gesture = Gesture::Place, .view = "surface", .observes = true}};
    d.state_array = "x";
    d.random = when("layout", {"jittered"}) || (whenAbove("noise", 0) && unless("method", {"bfgs"}));
    d.time_step = [](const ParameterSet&) { return 1.0; };
    d.clock = {"n", "iterations", true};
    // Sines, exponentials, and logarithms differ between the backends in their last bits, and starts at a border part.
    d.parity_tolerance = 1e-3;
    d.memory = memoryOf;
    d.size_key = "starts";
    d.validate = [](const ParameterSet& parameters) {
      const Parameters p = binding().read(parameters);
      if (p.is(Surface::Formula)) forParameter("formula", [&] { compile(p.formula); });
    };
    d.create = create;
    return d;
  }();
  return described;
}

}  // namespace simscope::descent
