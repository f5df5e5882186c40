#include "sims/core/timeline/stepper.h"
#include "sims/reaction_diffusion/reaction_diffusion.h"

namespace simscope::reaction_diffusion {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;
Relevance ofTwo() {
  return when("model", {"gray_scott"});
}
Relevance ofOne() {
  return when("model", {"fisher"});
}
Relevance ofWave() {
  return when("start", {"mode"});
}

double memory(const ParameterSet& parameters, compute::Backend backend) {
  const double n = parameters.real("grid_points"), cells = n * n * sizeof(Cell);
  // Now, next, and three frames of half of it; on the host save() makes two more on its way, and the watch keeps one.
  const double host = 2 * cells + std::min(cells, static_cast<double>(Stepper::kWatchedBytes));
  return 3.5 * cells + 6 * n * sizeof(float) + (backend == compute::Backend::Cpu ? host : 0);
}

// Two slabs, a third while it starts, the copy of the watch, and of the frames all on rank 0.
double memoryOfRank(const ParameterSet& parameters, int ranks) {
  const int n = static_cast<int>(parameters.integer("grid_points"));
  const double row = static_cast<double>(n) * sizeof(Cell), cells = row * n;
  const double slab = row * (compute::largestSlab(n, ranks) + 2.0 * kHalo);
  const double kept = cells <= static_cast<double>(Stepper::kWatchedBytes) ? slab : 0;
  return 3 * slab + kept + 1.5 * cells + 6.0 * n * sizeof(float);
}

using Changes = std::vector<std::pair<std::string, std::string>>;
Preset preset(const char* key, const char* title, const char* summary, const char* start, const Changes& more,
              const char* view = "") {
  Preset made{key, title, summary, {{"start", start}}, {}, 32, 201, view};
  made.changes.insert(made.changes.end(), more.begin(), more.end());
  return made;
}

}  // namespace

const Binding<Parameters>& binding() {
  using P = Parameters;
  static const Binding<P> bound = [] {
    Binding<P> b;
    b.choice(&P::model, "model", {"Model", kReset, "Reaction", "The model of Gray and Scott, or Fisher's"},
             {{"gray_scott", "Gray and Scott"}, {"fisher", "Fisher"}});
    b.real(&P::feed, "feed",
           {"Feed rate F", "1/time", 1e-3, 0.1, kLive, kLinear, "Reaction", "Supply of u, and removal of both"})
        .relevant(ofTwo());
    b.real(&P::kill, "kill", {"Kill rate k", "1/time", 0, 0.08, kLive, kLinear, "Reaction", "v decays at F + k"})
        .relevant(ofTwo());
    b.real(&P::diffusion_u, "diffusion_u",
           {"Diffusion D_u", "length²/time", 1e-3, 10, kLive, kLog, "Diffusion",
            "Diffusivity of u, the substrate (or Fisher's u)"});
    b.real(&P::diffusion_v, "diffusion_v",
           {"Diffusion D_v", "length²/time", 1e-3, 10, kLive, kLog, "Diffusion", "Diffusivity of v, the autocatalyst"})
        .relevant(ofTwo());
    b.choice(&P::start, "start",
             {"Start", kReset, "Start", "Squares of v, one square, or the steady state with noise or a wave"},
             {{"patches", "Patches"}, {"seed", "One square"}, {"noise", "Noise"}, {"mode", "Wave"}});
    b.integer(&P::mode, "mode",
              {"Waves", "", 1, kMostWaves, kReset, kLinear, "Start",
               "Number along x, for start = mode: q = 2π waves/length"})
        .relevant(ofWave());
    b.integer(&P::grid_points, "grid_points",
              {"Grid points N", "", 64, 4096, kReset, kLog, "Field", "Cells along each side of the square", true});
    b.real(&P::spacing, "spacing",
           {"Spacing dx", "length", 0.05, 10, kReset, kLog, "Field", "Length of a cell's edge"});
    b.real(&P::time_step, "time_step",
           {"Time step dt", "time", 1e-5, 10, kReset, kLog, "Field", "Below 2/(8 D_u/dx² + v² + F)"});
    return b;
  }();
  return bound;
}

const Description& description() {
  static const Description described = [] {
    const AxisInfo x{"x", "length"}, y{"y", "length"}, value{"concentration", "", {{"v"}, {"u"}}};
    const TraceInfo now{"cut", "concentration", "", TraceStyle::Line, "", true, 0, value.forms};
    const TraceInfo exact{"exact", "closed form", "", TraceStyle::Ghost, "", true, 1, {{"exact"}, {"steady state"}}};
    const Changes turing{
        {"feed", "0.06"}, {"kill", "0.062"}, {"diffusion_v", "0.08"}, {"spacing", "0.5"}, {"time_step", "0.1"}};
    const Changes fisher{{"model", "fisher"}, {"diffusion_u", "1"}, {"spacing", "0.25"}, {"time_step", "0.0025"}};
    Description d;
    d.id = "reaction_diffusion";
    d.title = "Reaction and diffusion";
    d.summary =
        "Two substances form spots, worms, and mazes where you seed them. Turing's instability and Fisher's front.";
    d.equation = "∂u/∂t = D_u ∇²u - uv² + F(1-u),  ∂v/∂t = D_v ∇²v + uv² - (F+k)v";
    d.equation_of = [](const ParameterSet& set) {
      return ofOne().holds(set) ? "∂u/∂t = D_u ∇²u + u(1-u)" : description().equation;
    };
    d.parameters = binding().infos();
    d.presets = {
        preset("mitosis", "Dividing spots", "Spots divide like cells and fill the plane", "patches", {}),
        preset("maze", "Maze", "Rings break up into the walls of a maze", "patches",
               {{"feed", "0.029"}, {"kill", "0.057"}}),
        preset("worms", "Worms", "Stripes grow at their ends", "patches", {{"feed", "0.046"}, {"kill", "0.063"}}),
        preset("spots", "Spots", "A lattice of spots", "patches", {{"feed", "0.026"}, {"kill", "0.061"}}),
        preset("holes", "Holes", "A lattice of holes", "patches", {{"feed", "0.039"}, {"kill", "0.058"}}),
        preset("chaos", "Chaos", "Fronts that never come to rest", "patches", {{"feed", "0.026"}, {"kill", "0.051"}}),
        preset("coral", "Coral", "One square seed branches", "seed",
               {{"feed", "0.054"}, {"kill", "0.061"}, {"grid_points", "256"}}),
        preset("turing_growth", "Turing's instability", "A wave grows at the exact rate", "mode", turing, "overview"),
        preset("turing_pattern", "Turing's pattern", "Out of noise, the fastest-growing waves win", "noise", turing),
        preset("fisher_front", "Fisher's front", "One substance spreads at 5 √(D/6)", "seed", fisher, "overview")};
    d.diagnostics = {
        {"mean_u", "Mean u", "", "Mean over the field", kPlotted},
        {"mean_v", "Mean v", "", "Mean over the field", kPlotted, ofTwo()},
        {"front", "Front", "length", "Where Fisher's u falls to 1/4, on y = 0 and x > 0", kPlotted, ofOne()},
        {"front_exact", "Front, exact", "length", "Valid until the mouse or a parameter changes the field", kPlotted,
         exactOf("front", 0.2, ofOne() && when("start", {"seed"}))},
        {"growth", "Growth rate", "1/time", "Growth of the wave since the start, from 10⁻³ up to 0.02 or down to 10⁻⁴",
         kPlotted, ofWave()},
        {"growth_exact", "Growth rate, exact", "1/time", "Larger eigenvalue of J - q² diag(D_u, D_v)", kPlotted,
         exactOf("growth", 0, ofWave())},
        {"growth_error", "Growth rate, error", "1/time", "Measured minus exact", kListed,
         within(kGrowthError, ofWave())},
        {"time_step_limit", "Longest stable step", "time",
         "2 over the fastest decay of a wave about any cell: 8 D_u/dx² + v² + F, or 8 D_v/dx² + F + k - 2uv; Fisher: 8 "
         "D_u/dx² + 2u - 1"}};
    d.views = {{"concentration", "Concentration", FieldView{x, y, value, "concentration"}},
               {"overview", "Field and cut", LinkedView{{{"concentration", 0, 0, 0.55, 1}, {"cut", 0.55, 0, 0.45, 1}}}},
               {"cut", "Along y = 0", CurveView{x, value, {}, {now, exact}}}};
    d.tools = {{"seed", "Seed"}, {"eraser", "Eraser"}};
    d.state_array = "uv";
    d.random = when("start", {"patches", "noise"});
    d.time_step = [](const ParameterSet& set) { return set.real("time_step"); };
    d.parity_tolerance = 1e-6;
    d.memory = memory;
    d.size_key = "grid_points";
    d.create = create;
    d.decomposition = {
        Decomposition::Slabs,
        {},
        {},
        [](const ParameterSet& set) { return compute::mostSlabs(static_cast<int>(set.integer("grid_points")), kHalo); },
        memoryOfRank};
    return d;
  }();
  return described;
}

}  // namespace simscope::reaction_diffusion
