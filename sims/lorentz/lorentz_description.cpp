#include "sims/core/timeline/stepper.h"
#include "sims/lorentz/lorentz.h"
#include "sims/lorentz/paths.h"
#include "sims/lorentz/present.h"

namespace simscope::lorentz {
namespace {

Relevance among(std::vector<std::string> configurations) {
  return when("configuration", std::move(configurations));
}
Relevance uniform() {
  return among({"uniform"});
}
Relevance classical() {
  return when("relativistic", {"off"});
}
Relevance mirrors() {
  return among({"bottle", "dipole"});
}

std::vector<DiagnosticInfo> diagnosticInfos() {
  const std::string energy = "mass·length²/time²", rate = "radians/time", speed = "length/time";
  const Relevance fan = uniform() && when("velocities", {"beam"}) && when("cloud", {"0"});
  const Relevance drifts = uniform() || among({"gradient"});
  return {
      {"kinetic_energy", "Kinetic energy", energy, "Mean of all particles"},
      {"energy_error", "Energy error", "",
       "Relative change of the kinetic energy since the start; with an electric field, of kinetic plus potential "
       "energy",
       kPlotted, within(5e-7)},
      {"largest_energy_error", "Energy error, largest", "",
       "Largest error among the first 16 particles, divided by the mean energy", kListed, within(1e-5)},
      {"momentum_error", "Canonical momentum error", "",
       "Largest change among the first 16 particles of the momentum conserved by symmetry: R m v_φ + q ψ, or m v_y + q "
       "A_y",
       kListed, within(1e-4)},
      {"gyration", "Energy of the gyration", "",
       "Divided by its value at the start, in the frame that moves with the E×B drift; not with γ and E together",
       kPlotted, uniform()},
      {"gyration_exact", "Energy of the gyration, exact", "",
       "1 for Boris; (1 + (ω dt)²)ⁿ for Euler; (1 − (ω dt)⁶/72 + (ω dt)⁸/576)ⁿ for Runge-Kutta", kPlotted,
       exactOf("gyration", 1e-4, uniform() && (classical() || when("pusher", {"boris"})))},
      {"frequency", "Cyclotron frequency", rate,
       "Rate at which the first particle's phase advances; not with γ and E together", kListed, uniform()},
      {"frequency_exact", "Cyclotron frequency, exact", rate, "qB/(γm)", kListed,
       exactOf("frequency", 1e-3, uniform())},
      {"phase_error", "Phase error", "", "Measured cyclotron frequency divided by the exact one, minus 1", kPlotted,
       uniform()},
      {"phase_error_exact", "Phase error, exact", "", "For Boris: 2 atan(ω dt/2)/(ω dt) − 1 ≈ −(ω dt)²/12", kPlotted,
       exactOf("phase_error", 2e-6, uniform())},
      {"gyroradius", "Gyroradius", "length",
       "Radius of the circle through three positions of the first particle; without E", kListed, uniform()},
      {"gyroradius_exact", "Gyroradius, exact", "length", "γ m v⊥/(qB)", kListed,
       exactOf("gyroradius", 1e-4, uniform())},
      {"spread", "Width of the beam", "length", "Root mean square distance of the particles from the beam's start",
       kPlotted, fan},
      {"spread_exact", "Width of the beam, exact", "length", "Root mean square of 2 v⊥/ω |sin(ω t/2)|", kPlotted,
       exactOf("spread", 0.01, fan)},
      {"drift", "Drift velocity", speed,
       "Mean along y of all guiding centres since the start; where B grows, negative charges count with their sign: "
       "half the difference between positive and negative ones",
       kPlotted, drifts},
      {"drift_exact", "Drift velocity, exact", speed, "E×B/B², or γ m v⊥²/(2|q|B) B×∇B/B²", kPlotted,
       exactOf("drift", 5e-4, drifts)},
      {"lost", "Share lost", "", "Particles lost beyond the throats, or into the planet", kPlotted, mirrors()},
      {"lost_exact", "Share lost in the end, exact", "", "Share inside the loss cone: 1 − √(1 − B_min/B_max)", kPlotted,
       exactOf("lost", 0.01, mirrors() && unless("velocities", {"beam"}))},
      {"bounce_period", "Bounce period", "time",
       "Period of the first particle, after its first bounce, if it is trapped", kPlotted,
       mirrors() || among({"tokamak"})},
      {"bounce_period_exact", "Bounce period, exact", "time",
       "2π L/v⊥ in the bottle; in the dipole, the integral along the field line", kPlotted,
       exactOf("bounce_period", 0.4, mirrors())},
      {"longitude_rate", "Drift in longitude", rate, "Rate of the first particle, over whole bounces", kPlotted,
       among({"dipole"})},
      {"longitude_rate_exact", "Drift in longitude, exact", rate, "Average over a bounce, for a small gyroradius",
       kPlotted, exactOf("longitude_rate", 3e-4, among({"dipole"}))},
      {"banana_width", "Banana's width", "length", "Width of the first particle's guiding-centre orbit, at z = 0",
       kPlotted, among({"tokamak"})},
      {"banana_width_exact", "Banana's width, exact", "length", "Computed from energy, μ, and canonical momentum",
       kPlotted, exactOf("banana_width", 0.02, among({"tokamak"}))},
      {"moment_variation", "Magnetic moment, variation", "",
       "Relative variation of the first particle's μ, within a turn and between turns"},
      {"moment_drift", "Magnetic moment, drift", "",
       "Mean μ of the later half of the recorded past divided by that of the earlier half, minus 1. μ is an "
       "adiabatic invariant",
       kListed, within(0.05, unless("configuration", {"uniform"}))},
      {"coarse_share", "Share of coarse turns", "", "Particles that turn by more than 0.5 radians per step"},
  };
}

std::vector<View> views() {
  const AxisInfo pitch{"pitch angle", "degrees"}, energy{"energy", ""};
  const auto points = [](const char* key, const char* title, AxisInfo value, const char* colormap) {
    return View{key, title,
                PointView{.space = {"", "length"},
                          .value = std::move(value),
                          .channel = "particles",
                          .value_channel = key,
                          .kind_channel = "charge",
                          .trail_channel = "trails",
                          .colormap = colormap}};
  };
  const AxisInfo before{"time before now", "time"};
  const auto panel = [](const char* view, double left, double top, double width, double height) {
    return Panel{view, left, top, width, height};
  };
  ScatterView velocities{.x = {"v∥ where B is weakest", "length/time"},
                         .y = {"v⊥", "length/time"},
                         .value = energy,
                         .channel = "velocities",
                         .value_channel = "energy",
                         .colormap = "plasma",
                         .paths = {{.channel = "loss_cone",
                                    .title = "loss cone",
                                    .colour = 1,
                                    .relevant = unless("configuration", {"uniform", "gradient"})}}};
  ScatterView section{
      .x = {"R", "length"},
      .y = {"z", "length"},
      .value = pitch,
      .channel = "section",
      .value_channel = "pitch",
      .colormap = "viridis",
      .equal_lengths = true,
      .paths = {{.channel = "force_lines", .title = "field lines", .colour = 2, .ghost = true},
                {.channel = "banana", .title = "exact", .colour = 1, .ghost = true, .relevant = among({"tokamak"})},
                {.channel = "guide_section", .title = "first guiding centre", .colour = 0}}};
  ScatterView top{.x = {"x", "length"},
                  .y = {"y", "length"},
                  .value = {"charge", ""},
                  .channel = "top",
                  .value_channel = "charge",
                  .colormap = "turbo",
                  .equal_lengths = true,
                  .paths = {{.channel = "track_top", .title = "first particle", .colour = 0},
                            {.channel = "guide_top", .title = "its guiding centre", .colour = 1}}};
  return {
      points("pitch", "Charges by pitch angle", pitch, "viridis"),
      points("energy", "Charges by energy", energy, "plasma"),
      points("charge", "Charges by sign", {"charge", ""}, "turbo"),
      {"bottle", "Charges, and their velocities",
       LinkedView{{panel("pitch", 0, 0, 0.5, 1), panel("velocities", 0.5, 0, 0.5, 0.55),
                   panel("parallel", 0.5, 0.55, 0.5, 0.45)}}},
      {"bananas", "Charges, and their guiding centres",
       LinkedView{
           {panel("section", 0, 0, 0.5, 1), panel("pitch", 0.5, 0, 0.5, 0.6), panel("parallel", 0.5, 0.6, 0.5, 0.4)}}},
      {"drift", "Charges from above, and what the first one keeps",
       LinkedView{{panel("top", 0, 0, 0.58, 1), panel("moment", 0.58, 0, 0.42, 0.5),
                   panel("energy_change", 0.58, 0.5, 0.42, 0.5)}}},
      {"euler", "Charges from above, and the error of the energy",
       LinkedView{{panel("top", 0, 0, 0.55, 1), panel("energy_change", 0.55, 0, 0.45, 1)}}},
      {"velocities", "Velocities along and across B", std::move(velocities)},
      {"section", "Distance from the axis, and z", std::move(section)},
      {"top", "Seen along z", std::move(top)},
      {"parallel", "Velocity along B of the first particle",
       CurveView{before,
                 {"v∥", "length/time"},
                 {},
                 {{"parallel", "v∥"},
                  {"parallel_exact",
                   "exact",
                   "",
                   TraceStyle::Ghost,
                   "",
                   true,
                   1,
                   {{"closed form"}, {"from fixed μ"}, {"at the start"}}}}}},
      {"moment", "Magnetic moment of the first particle",
       CurveView{before,
                 {"μ/μ₀", ""},
                 {},
                 {{"moment", "μ/μ₀"}, {"moment_exact", "invariant", "", TraceStyle::Ghost, "", true, 1}}}},
      {"energy_change", "Energy of the first particle",
       CurveView{before,
                 {.title = "|change of energy|", .decades = true},
                 {},
                 {{"energy_change", "|W/W₀ − 1|"},
                  {.channel = "energy_change_exact",
                   .title = "exact growth",
                   .style = TraceStyle::Ghost,
                   .colour = 1,
                   .relevant = uniform() && unless("pusher", {"boris"})}}}},
  };
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Lorentz>(std::move(device), parameters);
}

}  // namespace

double memoryOf(const ParameterSet& parameters, compute::Backend backend) {
  const double n = parameters.real("particles"), drawn = std::min(n, 1.0 * kMostDrawn);
  const double state = 48 * n, past = 4.0 * 6 * kTracers * kSamples + 16.0 * kTracers;
  // Points and the three scatters, and their three values; trails, curves, paths.
  const double frames = 3 * (drawn * (4 * 16 + 3 * 4) + 12.0 * kTracers * kSamples + 6 * 4096 + 8.0 * 20 * kPathPoints +
                             3 * 8.0 * kSamples);
  // On the host the start is made beside it, and the watch keeps one.
  const double host = 24 * n + std::min(state, static_cast<double>(Stepper::kWatchedBytes));
  return state + 2 * past + frames + (backend == compute::Backend::Cpu ? host : 0);
}

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "lorentz";
    d.title = "Charges in fields";
    d.summary =
        "Charges gyrate, drift, bounce, and escape: magnetic bottle, radiation belt, tokamak. Compares Boris with "
        "Euler.";
    d.equation = "m d(γv)/dt = q (E + v×B)";
    d.equation_of = [](const ParameterSet& set) -> std::string {
      const bool electric = set.text("configuration") == "uniform";
      const std::string left = set.flag("relativistic") ? "m d(γv)/dt = " : "m dv/dt = ";
      return left + (electric ? "q (E + v×B)" : "q v×B(x)");
    };
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnosticInfos();
    d.views = views();
    d.tools = {
        {.key = "launch", .title = "Launch", .gesture = Gesture::Launch, .view = "pitch", .readings = launchReadings}};
    d.state_array = "position";
    d.time_step = [](const ParameterSet& set) { return set.real("time_step"); };
    d.parity_tolerance = 1e-6;
    d.memory = memoryOf;
    d.size_key = "particles";
    d.create = create;
    return d;
  }();
  return described;
}

}  // namespace simscope::lorentz
