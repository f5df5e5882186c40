#include <fmt/format.h>

#include "sims/projectiles/present.h"
#include "sims/projectiles/projectiles.h"

namespace simscope::projectiles {
namespace {

Relevance anyDrag() {
  return unless("drag", {"none"});
}
Relevance closedForm() {
  return unless("drag", {"quadratic"});
}

using Changes = std::vector<std::pair<std::string, std::string>>;

std::vector<Preset> presets() {
  const auto preset = [](const char* key, const char* title, const char* summary, int steps, int frames,
                         Changes changes, const char* view = "") {
    return Preset{key, title, summary, std::move(changes), {}, steps, frames, view};
  };
  return {
      preset("salvo", "Salvo", "Simultaneous launches at all angles and speeds, and where they land", 1, 248, {}),
      preset("five_million", "Five million", "The same with 5,000,000 launches", 1, 248,
             {{"launches", "5000000"}, {"drawn", "1048576"}}),
      preset("fan", "Fan",
             "One speed, all angles: the flights form a growing, falling circle that touches the envelope", 1, 206,
             {{"launches", "50000"}, {"speed_min", "200"}, {"speed_max", "200"}, {"time_step", "0.2"}}),
      preset(
          "complementary", "Complementary angles", "Launches at 30° and 60° land at the same range, one much later", 1,
          246,
          {{"launches", "50000"}, {"angles", "pair"}, {"angle_min", "30"}, {"angle_max", "60"}, {"time_step", "0.22"}}),
      preset("tower", "From a tower", "From a height of 500 m the best angle is below 45°", 1, 248,
             {{"height", "500"}, {"speed_max", "100"}, {"time_step", "0.1"}}),
      preset("moon", "On the Moon", "A sixth of the weight: range, height, and flight time are six times as large", 1,
             250, {{"gravity", "1.62"}, {"time_step", "1.5"}}),
      preset("mars", "On Mars", "g = 3.71 m/s²; the thin air is neglected", 1, 250,
             {{"gravity", "3.71"}, {"time_step", "0.65"}}),
      preset("linear_drag", "Linear drag", "Runge-Kutta steps compared with the closed form", 2, 230,
             {{"drag", "linear"}, {"launches", "50000"}, {"precision", "double"}, {"time_step", "0.1"}}),
      preset("golf_ball", "Golf balls", "Quadratic drag, without spin: terminal speed 45 m/s", 2, 224,
             {{"drag", "quadratic"},
              {"launches", "100000"},
              {"quadratic_drag", "0.00478"},
              {"speed_max", "80"},
              {"time_step", "0.025"}}),
      preset("cannonball", "Cannonballs",
             "Iron 12-pounders: terminal speed 134 m/s, a quarter of the range without drag", 2, 188,
             {{"drag", "quadratic"}, {"launches", "100000"}, {"quadratic_drag", "0.000544"}, {"time_step", "0.1"}})};
}

std::vector<DiagnosticInfo> diagnosticInfos() {
  return {
      {"in_flight", "In flight", "", "Number of launches that have not landed"},
      {"landed", "Landed", "", "Number of launches that have landed", kPlotted},
      {"landed_exact", "Landed, exact", "", "Expected number at this time", kPlotted,
       exactOf("landed", 5, closedForm())},
      {"mean_range", "Mean range", "m", "Of the launches that have landed", kPlotted},
      {"mean_range_exact", "Mean range, exact", "m", "Expected mean after all have landed", kPlotted,
       exactOf("mean_range", 0, closedForm())},
      {"mean_range_error", "Mean range, error", "%",
       "Difference from the exact mean, after all have landed: the statistical scatter of the launches", kListed,
       within(1.5, closedForm())},
      {"largest_range", "Largest range", "m", "Of the launches that have landed", kPlotted},
      {"largest_range_exact", "Largest range, exact", "m", "Of all possible launches; v²/g from the ground", kPlotted,
       exactOf("largest_range", 150, closedForm())},
      {"largest_height", "Largest height", "m", "Largest height of any launch so far", kPlotted},
      {"largest_height_exact", "Largest height, exact", "m",
       "Of all possible launches; with quadratic drag, of a vertical launch", kPlotted, exactOf("largest_height", 150)},
      {"mean_duration", "Mean flight time", "s", "Of the launches that have landed", kPlotted},
      {"mean_duration_exact", "Mean flight time, exact", "s", "Expected mean after all have landed", kPlotted,
       exactOf("mean_duration", 1, closedForm())},
      {"energy_lost", "Energy lost to drag", "%",
       "Share of the energy of all launches; landed ones keep their energy at landing", kPlotted, anyDrag()},
      {"rk4_error", "Error of the steps", "m", "Largest distance of a launch from the closed form for linear drag",
       kPlotted, within(1e-6, when("drag", {"linear"}))},
      {"terminal_speed", "Terminal speed", "m/s", "Speed at which drag balances the weight: g/k, or √(g/k)", kListed,
       anyDrag()}};
}

View scatter(const char* key, const char* title, AxisInfo value, const char* channel, const char* colormap) {
  return {key, title,
          ScatterView{.x = {.title = "x", .unit = "m"},
                      .y = {.title = "height", .unit = "m"},
                      .value = std::move(value),
                      .channel = "points",
                      .value_channel = channel,
                      .colormap = colormap,
                      .paths = {{.channel = "envelope",
                                 .title = "envelope of the fastest",
                                 .colour = 1,
                                 .relevant = closedForm() && when("angles", {"uniform"})}}}};
}

void validate(const ParameterSet& parameters) {
  const Parameters p = binding().read(parameters);
  if (p.speed_min > p.speed_max) {
    throw ParameterError("speed_min", fmt::format("speed_min ({:g}) is above speed_max ({:g}); make speed_min at most "
                                                  "{:g}, or speed_max at least {:g}",
                                                  p.speed_min, p.speed_max, p.speed_max, p.speed_min));
  }
  if (p.angle_min > p.angle_max) {
    throw ParameterError("angle_min", fmt::format("angle_min ({:g}) is above angle_max ({:g}); make angle_min at most "
                                                  "{:g}, or angle_max at least {:g}",
                                                  p.angle_min, p.angle_max, p.angle_max, p.angle_min));
  }
}

double memory(const ParameterSet& set, compute::Backend backend) {
  const Parameters p = binding().read(set);
  const double n = p.launches, drawn = std::min(n, 1.0 * kMostDrawn);
  const double number = p.precision == Precision::Single ? sizeof(float) : sizeof(double);
  const double flights = p.drag == Drag::None ? 0 : n * number * FlightRows<float>::kRows;
  // Frames hold points and three values; on the host save() makes two more on its way.
  const double frames = 3 * (drawn * 7 + 2.0 * kMostBins + kExactPoints + 2.0 * kEnvelopePoints) * sizeof(float);
  const double bins = 6.0 * kMostBins * sizeof(std::uint64_t);
  return flights * (backend == compute::Backend::Cpu ? 3 : 1) + frames + bins;
}

}  // namespace

const Binding<Parameters>& binding() {
  using P = Parameters;
  constexpr auto kReset = Applies::OnReset;
  constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;
  static const Binding<P> bound = [] {
    Binding<P> b;
    b.integer(&P::launches, "launches",
              {"Launches", "", 100, 1e9, kReset, kLog, "Launch", "Number of launches; each is drawn at random"});
    b.real(&P::speed_min, "speed_min",
           {"Slowest", "m/s", 0, 10000, kReset, kLinear, "Launch", "Smallest launch speed"});
    b.real(&P::speed_max, "speed_max", {"Fastest", "m/s", 1, 10000, kReset, kLog, "Launch", "Largest launch speed"});
    b.choice(&P::angles, "angles",
             {"Angles", kReset, "Launch", "Uniform between the two angles, or the two angles alternately"},
             {{"uniform", "Uniform"}, {"pair", "Two"}});
    b.real(&P::angle_min, "angle_min",
           {"Lowest angle", "°", 0, 90, kReset, kLinear, "Launch", "Angle of the flattest launch above the horizon"});
    b.real(&P::angle_max, "angle_max",
           {"Steepest angle", "°", 0, 90, kReset, kLinear, "Launch", "Angle of the steepest launch above the horizon"});
    b.real(&P::height, "height",
           {"Launch height h", "m", 0, 10000, kReset, kLinear, "Launch", "Height above the ground"});
    b.real(&P::gravity, "gravity",
           {"Gravity g", "m/s²", 0.01, 100, kReset, kLog, "World", "Earth 9.81, Mars 3.71, Moon 1.62"});
    b.choice(&P::drag, "drag", {"Drag", kReset, "World", "Drag of the air: none, proportional to v, or to v²"},
             {{"none", "None"}, {"linear", "Linear"}, {"quadratic", "Quadratic"}});
    b.real(&P::linear_drag, "linear_drag",
           {"Drag k/m", "1/s", 1e-4, 10, kReset, kLog, "World", "a = -(k/m) v; the terminal speed is g/(k/m)"})
        .relevant(when("drag", {"linear"}));
    b.real(&P::quadratic_drag, "quadratic_drag",
           {"Drag k/m", "1/m", 1e-6, 1, kReset, kLog, "World",
            "a = -(k/m) |v| v, k/m = ρ C A/(2m): golf ball 0.0048, iron ball of 12 pounds 0.00054"})
        .relevant(when("drag", {"quadratic"}));
    b.choice(&P::precision, "precision", {"Precision", kReset, "Numerics", "Precision of flights with drag"},
             {{"single", "Single"}, {"double", "Double"}})
        .relevant(anyDrag());
    b.real(&P::time_step, "time_step",
           {"Time step dt", "s", 1e-4, 10, Applies::Live, kLog, "Numerics",
            "Without drag any step is exact; with drag it is a Runge-Kutta step"});
    b.integer(
        &P::bins, "bins",
        {"Bins", "", 16, kMostBins, Applies::Live, kLog, "Numerics", "Number of bins in the histogram of ranges"});
    b.integer(&P::drawn, "drawn",
              {"Drawn", "", 1000, kMostDrawn, Applies::Live, kLog, "Numerics",
               "Largest number of flights drawn. Of more launches, every second, third, ... is drawn"});
    return b;
  }();
  return bound;
}

const Description& description() {
  static const Description described = [] {
    const AxisInfo range{"range", "m"}, density{"share of launches", "1/m"};
    Description d;
    d.id = "projectiles";
    d.title = "Projectiles";
    d.summary = "Millions of launches at once: their envelope, their ranges, and the effect of drag.";
    d.equation = "dv/dt = -g ŷ - (k/m) |v|ᵖ⁻¹ v;  without drag R = v² sin 2θ / g";
    d.equation_of = [](const ParameterSet& set) -> std::string {
      if (when("drag", {"linear"}).holds(set)) return "dv/dt = -g ŷ - (k/m) v";
      return anyDrag().holds(set) ? "dv/dt = -g ŷ - (k/m) |v| v" : "x = v t cos θ,  y = h + v t sin θ - g t²/2";
    };
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnosticInfos();
    d.views = {{"flight_and_landings", "Flights and landings",
                LinkedView{{{"by_angle", 0, 0, 0.56, 1}, {"landings", 0.56, 0, 0.44, 1}}}},
               scatter("by_angle", "Flights by launch angle", {"θ", "°"}, "launch_angle", "turbo"),
               scatter("by_launch_speed", "Flights by launch speed", {"v at launch", "m/s"}, "launch_speed", "plasma"),
               scatter("by_speed", "Flights by speed", {"|v|", "m/s"}, "speed", "inferno"),
               {"landings", "Landings",
                CurveView{range,
                          density,
                          {},
                          {{"landings", "landed", "", TraceStyle::Bars},
                           {"landings_exact", "exact", "", TraceStyle::Line, "", true, 1, {}, closedForm()}}}}};
    d.state_array = "landings";
    d.time_step = [](const ParameterSet& set) { return set.real("time_step"); };
    d.clock = {.unit = "s"};
    // Nothing is fused: what is drawn and what is flown have the same bits. Only the libraries' roots could differ.
    d.parity_tolerance = 1e-6;
    d.memory = memory;
    d.size_key = "launches";
    d.validate = validate;
    d.create = [](compute::DevicePtr device, const ParameterSet& parameters) -> std::unique_ptr<Simulation> {
      return std::make_unique<Projectiles>(std::move(device), parameters);
    };
    return d;
  }();
  return described;
}

}  // namespace simscope::projectiles
