#include "sims/maxwell_boltzmann/disc_gas.h"
#include "sims/maxwell_boltzmann/ideal_gas.h"
#include "sims/maxwell_boltzmann/maxwell_boltzmann.h"
#include "sims/maxwell_boltzmann/presets.h"
#include "sims/maxwell_boltzmann/start.h"

namespace simscope::maxwell_boltzmann {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;

Relevance ofIdeal() {
  return when("model", {"ideal"});
}
Relevance ofDiscs() {
  return when("model", {"discs"});
}
Relevance ofPeriodic() {
  return ofDiscs() && when("boundary", {"periodic"});
}

Binding<Parameters> makeBinding() {
  using P = Parameters;
  Binding<P> b;
  b.choice(
      &P::model, "model",
      {"Model", kReset, "Gas", "Molecules drawn from Maxwell's distribution, or discs whose collisions lead to it"},
      {{"ideal", "Ideal gas, drawn"}, {"discs", "Hard discs, colliding"}});
  b.integer(&P::molecules, "molecules",
            {.title = "Molecules N",
             .minimum = 64,
             .maximum = 1e9,
             .applies = kReset,
             .scale = kLog,
             .group = "Gas",
             .help = "Number of molecules; at most 1048576 discs",
             .aliases = {{ofDiscs(), "Discs N", ""}}});
  b.real(&P::temperature, "temperature",
         {"Temperature T", "K", 1, 10'000, kLive, kLog, "Gas", "A change rescales all velocities at once"});
  b.real(&P::mass, "mass",
         {"Mass m", "kg", 1e-27, 1e-24, kLive, kLog, "Gas",
          "Mass of a molecule: N₂ 4.65e-26, H₂ 3.35e-27, He 6.65e-27, Xe 2.18e-25. A change keeps the temperature"});
  b.flag(&P::gather, "gather", {"Gather", kLive, "Counts", "Count the molecules of all steps, or of each step alone"})
      .relevant(ofIdeal());
  b.real(&P::speed_axis, "speed_axis",
         {"Axis up to", "m/s", 10, 50'000, kLive, kLog, "Counts", "Where the bins of the histograms end"});
  b.real(&P::packing, "packing_fraction",
         {"Packing fraction η", "", 0.005, 0.69, kReset, kLog, "Discs",
          "Share of the box covered by discs; above 0.7 they would freeze"})
      .relevant(ofDiscs());
  b.real(&P::diameter, "diameter",
         {"Diameter σ", "nm", 0.05, 5, kReset, kLog, "Discs", "Diameter of a disc; N₂: about 0.37"})
      .relevant(ofDiscs());
  b.choice(&P::start, "start",
           {"Start", kReset, "Discs", "Velocities at the start; the total energy is always the same"},
           {{"equal_speeds", "Equal speeds"},
            {"hot_and_cold", "Hot and cold half"},
            {"burst", "Fast crowd in the middle"},
            {"equilibrium", "Equilibrium"}})
      .relevant(ofDiscs());
  b.choice(&P::boundary, "boundary",
           {"Boundary", kReset, "Discs", "Reflecting walls, which measure the pressure, or opposite edges joined"},
           {{"walls", "Walls"}, {"periodic", "Periodic"}})
      .relevant(ofDiscs());
  b.real(&P::time_step, "time_step",
         {"Time step", "mean free times", 0.001, 0.5, kLive, kLog, "Discs",
          "In units of the mean time between two collisions of a disc. It is shortened in thin gases, where discs "
          "would move too far"})
      .relevant(ofDiscs());
  return b;
}

std::vector<DiagnosticInfo> makeDiagnostics() {
  const std::string speed = "m/s", pressure = "mN/m";
  return {
      {"mean_speed", "Mean speed", speed, "Mean over all molecules counted", kPlotted},
      {"mean_speed_exact", "Mean speed, exact", speed, "√(8kT/πm); discs √(πkT/2m)", kPlotted,
       exactOf("mean_speed", 12)},
      {"most_probable_speed", "Most probable speed", speed,
       "Maximum of a smooth curve through the histogram. No value for fewer than 20,000 molecules, because of their "
       "scatter"},
      {"most_probable_speed_exact", "Most probable speed, exact", speed, "√(2kT/m); discs √(kT/m)", kListed,
       exactOf("most_probable_speed", 25)},
      {"rms_speed", "R.m.s. speed", speed, "Square root of the mean of v²"},
      {"rms_speed_exact", "R.m.s. speed, exact", speed, "√(3kT/m); discs √(2kT/m)", kListed, exactOf("rms_speed", 12)},
      {"mean_energy", "Mean kinetic energy", "J", "½m⟨v²⟩"},
      {"mean_energy_exact", "Mean kinetic energy, exact", "J", "3/2 kT; discs kT", kListed,
       exactOf("mean_energy", 1e-22)},
      {"temperature", "Temperature", "K", "Computed from the mean kinetic energy"},
      {"distance", "Distance from Maxwell", "",
       "Largest difference between the measured and Maxwell's share of molecules below any speed", kPlotted},
      {"distance_scaled", "Distance, in standard units", "",
       "Kolmogorov-Smirnov statistic: the distance times the root of the number of molecules. Its median is 0.83",
       kListed, within(2.5, ofIdeal())},
      {"speed_error", "Mean speed, error", "", "Difference from the exact value, in standard errors of the mean",
       kListed, within(5, ofIdeal())},
      {"energy_error", "Mean energy, error", "", "Difference from the exact value, in standard errors of the mean",
       kListed, within(5, ofIdeal())},
      {"h", "H", "", "Boltzmann's ∫ f ln f d²v, with velocities in units of √(kT/m). It falls as the entropy grows",
       kPlotted, ofDiscs()},
      {"h_exact", "H in equilibrium", "", "-1 - ln 2π, plus corrections for the bins and the number of discs", kPlotted,
       exactOf("h", 0.05, ofDiscs())},
      {"pressure", "Pressure", pressure,
       "From the momentum that discs exchange. Average over at least the last half of the time since the start or a "
       "stroke",
       kPlotted, ofDiscs()},
      {"pressure_exact", "Pressure, exact", pressure, "nkT times Henderson's Z, walls' excess included", kPlotted,
       exactOf("pressure", 0.8, ofDiscs())},
      {"pressure_walls", "Pressure on the walls", pressure,
       "From the momentum transferred to the walls, over the same time", kPlotted,
       ofDiscs() && when("boundary", {"walls"})},
      {"compressibility", "Compressibility factor", "",
       "Pressure divided by nkT, that of an ideal gas; n refers to the area available to the centres", kListed,
       ofDiscs()},
      {"compressibility_exact", "Compressibility factor, exact", "", "Henderson's, walls' excess included", kListed,
       exactOf("compressibility", 0.1, ofDiscs())},
      {"collision_rate", "Collision rate", "1/ps", "Collisions of one disc with others", kListed, ofDiscs()},
      {"collision_rate_exact", "Collision rate, exact", "1/ps",
       "Enskog's 2nσ√(πkT/m) g in equilibrium, corrected for the walls", kListed,
       exactOf("collision_rate", 0.15, ofDiscs())},
      {"late_share", "Late collisions", "", "Share of the collisions that were found after the discs overlapped",
       kListed, within(0.01, ofDiscs())},
      {"energy_drift", "Energy drift", "",
       "Relative change of the kinetic energy; changes by tools and parameters do not count", kListed,
       within(1e-10, ofDiscs())},
      {"momentum", "Momentum", "", "Mean momentum per disc, in units of √(mkT)", kListed, within(1e-10, ofPeriodic())},
  };
}

std::vector<View> makeViews() {
  const AxisInfo speed{"v", "m/s"}, density{"f(v)", "s/km"}, ago{"time before now", "ps"};
  const AxisInfo colours{"|v|", "m/s"};
  const auto component = [&](const char* key, const char* title, const char* axis, Relevance relevant) {
    return View{
        key, title,
        CurveView{
            {axis, "m/s"},
            {"f", "s/km"},
            {},
            {{.channel = key, .title = "molecules", .unit = "s/km", .style = TraceStyle::Bars, .relevant = relevant},
             {.channel = "velocity_exact", .title = "Maxwell", .unit = "s/km", .colour = 1, .relevant = relevant}}}};
  };
  return {
      {"speeds", "Speeds",
       CurveView{
           speed,
           density,
           {},
           {{.channel = "speeds", .title = "molecules", .unit = "s/km", .style = TraceStyle::Bars},
            {.channel = "marks", .title = "v_p, ⟨v⟩, v_rms", .unit = "s/km", .style = TraceStyle::Bars, .colour = 3},
            {.channel = "speeds_exact", .title = "Maxwell", .unit = "s/km", .colour = 1}}}},
      component("velocity_x", "Velocity along x", "v_x", {}),
      component("velocity_y", "Velocity along y", "v_y", {}),
      component("velocity_z", "Velocity along z", "v_z", ofIdeal()),
      {"velocities", "Plane of velocities",
       ScatterView{.x = {"v_x", "m/s"},
                   .y = {"v_y", "m/s"},
                   .value = colours,
                   .channel = "velocities",
                   .value_channel = "speed",
                   .equal_lengths = true,
                   .paths = {{.channel = "circle", .title = "most probable speed", .colour = 1}}}},
      {"box", "Box",
       ScatterView{.x = {"x", "nm"},
                   .y = {"y", "nm"},
                   .value = colours,
                   .channel = "box",
                   .value_channel = "speed",
                   .equal_lengths = true}},
      {"h", "Boltzmann's H",
       CurveView{ago,
                 {"H", ""},
                 {},
                 {{.channel = "h", .title = "H", .relevant = ofDiscs()},
                  {.channel = "h_exact", .title = "equilibrium", .style = TraceStyle::Ghost, .relevant = ofDiscs()}}}},
      {"pressure", "Pressure",
       CurveView{ago,
                 {"P", "mN/m"},
                 {},
                 {{.channel = "pressure", .title = "collisions", .unit = "mN/m", .relevant = ofDiscs()},
                  {.channel = "pressure_walls",
                   .title = "walls",
                   .unit = "mN/m",
                   .colour = 2,
                   .relevant = ofDiscs() && when("boundary", {"walls"})},
                  {.channel = "pressure_exact",
                   .title = "hard discs, exact",
                   .unit = "mN/m",
                   .colour = 1,
                   .relevant = ofDiscs()},
                  {.channel = "pressure_ideal",
                   .title = "ideal gas",
                   .unit = "mN/m",
                   .style = TraceStyle::Ghost,
                   .relevant = ofDiscs()}}}},
      {"gas", "Speeds and components",
       LinkedView{{{"speeds", 0, 0, 0.62, 1},
                   {"velocity_x", 0.62, 0, 0.38, 1.0 / 3},
                   {"velocity_y", 0.62, 1.0 / 3, 0.38, 1.0 / 3},
                   {"velocity_z", 0.62, 2.0 / 3, 0.38, 1.0 / 3}}}},
      {"relaxation", "Box, speeds, and H",
       LinkedView{{{"box", 0, 0, 0.54, 1}, {"speeds", 0.54, 0, 0.46, 0.5}, {"h", 0.54, 0.5, 0.46, 0.5}}}},
      {"law", "Box, speeds, and pressure",
       LinkedView{{{"box", 0, 0, 0.54, 1}, {"speeds", 0.54, 0, 0.46, 0.5}, {"pressure", 0.54, 0.5, 0.46, 0.5}}}},
      {"cloud", "Velocities and speeds",
       LinkedView{{{"velocities", 0, 0, 0.54, 1}, {"speeds", 0.54, 0, 0.46, 0.5}, {"h", 0.54, 0.5, 0.46, 0.5}}}},
  };
}

std::unique_ptr<Simulation> createGas(compute::DevicePtr device, const ParameterSet& parameters) {
  const bool discs = binding().read(parameters).discs();
  return discs ? makeDiscGas(std::move(device), parameters) : makeIdealGas(std::move(device), parameters);
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = makeBinding();
  return bound;
}

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "maxwell_boltzmann";
    d.title = "Maxwell and Boltzmann's gas";
    d.summary =
        "Molecular speeds compared with Maxwell's curves: drawn at random by the million, or reached by colliding "
        "discs.";
    d.equation = "f(v) = 4π (m/2πkT)^(3/2) v² exp(-mv²/2kT)";
    d.equation_of = [](const ParameterSet& set) -> std::string {
      return ofIdeal().holds(set) ? "f(v) = 4π (m/2πkT)^(3/2) v² exp(-mv²/2kT)"
                                  : "f(v) = (m/kT) v exp(-mv²/2kT),  P = nkT (1 + η²/8)/(1-η)²";
    };
    d.parameters = binding().infos();
    d.presets = gasPresets();
    d.diagnostics = makeDiagnostics();
    d.views = makeViews();
    d.tools = {{.key = "heat", .title = "Heat", .view = "box"},
               {.key = "cool", .title = "Cool", .view = "box"},
               {.key = "kick", .title = "Kick", .view = "box"}};
    d.state_array = "counts";
    d.time_step = [](const ParameterSet& set) {
      const Parameters p = binding().read(set);
      return p.discs() ? p.step() : 1.0;
    };
    // Both models give the same bits on both backends; what a tool leaves of the energy is summed in another order.
    d.parity_tolerance = 1e-9;
    d.parity_steps = 40;
    d.memory = memoryOf;
    d.size_key = "molecules";
    d.validate = [](const ParameterSet& parameters) {
      const Parameters p = binding().read(parameters);
      if (p.discs()) requireRoom(p);
    };
    d.create = createGas;
    d.decomposition = {.kind = Decomposition::Samples, .applies = ofIdeal()};
    return d;
  }();
  return described;
}

}  // namespace simscope::maxwell_boltzmann
