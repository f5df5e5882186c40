#include "sims/core/description.h"

#include "sims/nbody/direct/direct.h"
#include "sims/nbody/initial.h"
#include "sims/nbody/nbody.h"

namespace simscope::nbody {
namespace {

Relevance many() {
  return unless("initial", {"kepler", "figure_eight", "pythagorean", "solar_system"});
}
Relevance gravity() {
  return when("force", {"gravity"});
}
Relevance charges() {
  return when("force", {"coulomb"});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = [] {
    Binding<Parameters> b;
    b.integer(&Parameters::bodies, "bodies",
              {.title = "Bodies N",
               .minimum = 1,
               .maximum = 16'777'216,
               .applies = Applies::OnReset,
               .scale = Scale::Log,
               .group = "System",
               .help = "Number of bodies at the start",
               .relevant = many()});
    b.choice(&Parameters::force, "force",
             {.title = "Force",
              .applies = Applies::OnReset,
              .group = "System",
              .help = "Gravity between masses, or Coulomb's force between charges of both signs"},
             {{"gravity", "Gravity"}, {"coulomb", "Coulomb"}});
    b.real(&Parameters::gravitational_constant, "gravitational_constant",
           {.title = "Constant G",
            .unit = "length³/(mass·time²)",
            .minimum = 1e-6,
            .maximum = 1e6,
            .scale = Scale::Log,
            .group = "System",
            .help = "Constant of gravity, or Coulomb's constant; 4π² for astronomical units, years, and solar masses",
            .aliases = {{charges(), "Coulomb's constant k", "mass·length³/(charge²·time²)"}}});
    b.real(&Parameters::softening, "softening",
           {.title = "Softening ε",
            .unit = "length",
            .minimum = 0,
            .maximum = 10,
            .group = "System",
            .help = "Below this distance the force between two bodies decreases instead of growing"});
    b.choice(&Parameters::initial, "initial",
             {.title = "Initial state",
              .applies = Applies::OnReset,
              .group = "Start",
              .help = "Positions and velocities of the bodies at time 0"},
             {{"plummer", "Plummer sphere"},
              {"two_galaxies", "Two galaxies"},
              {"cold_sphere", "Cold sphere"},
              {"ring", "Ring"},
              {"kepler", "Kepler's ellipse"},
              {"figure_eight", "Figure-eight"},
              {"pythagorean", "Pythagorean problem"},
              {"solar_system", "Solar system"},
              {"random", "Random box"}});
    b.real(&Parameters::time_step, "time_step",
           {.title = "Time step dt",
            .unit = "time",
            .minimum = 1e-7,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Numerics",
            .help = "Length of a step in time"});
    b.choice(
        &Parameters::integrator, "integrator",
        {.title = "Integrator",
         .group = "Numerics",
         .help = "Leapfrog: second order. Yoshida: fourth order, three force evaluations per step. Gauss–Radau: order "
                 "15, each step in as many parts as close encounters need; for up to 64 bodies"},
        {{"leapfrog", "Leapfrog"}, {"yoshida4", "Yoshida, order 4"}, {"radau15", "Gauss–Radau, adaptive"}});
    b.choice(&Parameters::method, "method",
             {.title = "Method",
              .group = "Numerics",
              .help = "All pairs of bodies, or a tree: the bodies of a distant cell act together",
              // It has no effect for few bodies, unless launches add dozens.
              .relevant = many() && whenAbove("bodies", kFew)},
             {{"direct", "All pairs"}, {"tree", "Tree"}});
    b.real(&Parameters::opening_angle, "opening_angle",
           {.title = "Opening angle θ",
            .minimum = 0,
            .maximum = 1.5,
            .group = "Numerics",
            .help = "Cells of the tree that appear larger than this angle are opened; a smaller angle is more exact. "
                    "Beyond 2/√3 = 1.155 it changes nothing: a cell that may hold the body itself is always opened",
            .relevant = when("method", {"tree"})});
    return b;
  }();
  return bound;
}

namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

constexpr Camera kFromAbove{.azimuth = 0, .elevation = 90, .zoom = 1.7};

std::vector<Preset> presets() {
  const std::string years = "39.47841760435743";  // 4π²
  return {
      {.key = "plummer",
       .title = "Plummer sphere",
       .summary =
           "A star cluster in equilibrium: the stars orbit, but the cluster keeps its shape, as the exact curve shows",
       .changes = {{"time_step", "0.005"}},
       .steps_per_frame = 4,
       .camera = Camera{.zoom = 1.5}},
      {.key = "two_galaxies",
       .title = "Two galaxies",
       .summary = "Two discs meet on a parabolic orbit and tear long tails out of each other",
       .changes = {{"initial", "two_galaxies"}, {"softening", "0.05"}, {"time_step", "0.01"}},
       .steps_per_frame = 8,
       .view = "group",
       .camera = Camera{.azimuth = 20, .elevation = 50, .zoom = 1.6}},
      {.key = "galaxies_million",
       .title = "Two galaxies, a million bodies",
       .summary = "The same encounter with 1,048,576 bodies, by a Barnes–Hut tree",
       .changes = {{"initial", "two_galaxies"},
                   {"bodies", "1048576"},
                   {"method", "tree"},
                   {"softening", "0.1"},
                   {"time_step", "0.02"}},
       .steps_per_frame = 2,
       .frames = 281,
       .camera = Camera{.azimuth = 20, .elevation = 50, .zoom = 1.6}},
      {.key = "cold_sphere",
       .title = "Cold collapse",
       .summary = "A sphere at rest collapses as the exact solution predicts, bounces, and settles",
       .changes = {{"initial", "cold_sphere"}, {"softening", "0.02"}, {"time_step", "0.002"}},
       .steps_per_frame = 8,
       .view = "speed",
       .camera = Camera{.zoom = 1.3}},
      {.key = "ring",
       .title = "Ring",
       .summary =
           "A ring of light bodies around a heavy one: the inner ones overtake the outer ones, and the colours wind up",
       .changes = {{"initial", "ring"}, {"softening", "0.01"}, {"time_step", "0.01"}},
       .steps_per_frame = 4,
       .view = "group",
       .camera = Camera{.azimuth = 0, .elevation = 55, .zoom = 1.7}},
      {.key = "kepler",
       .title = "Kepler's ellipse",
       .summary = "Two bodies on ellipses of eccentricity 0.6, compared with the exact orbit",
       .changes = {{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"time_step", "0.005"}},
       .steps_per_frame = 16,
       .view = "group",
       .camera = kFromAbove},
      {.key = "figure_eight",
       .title = "Figure-eight",
       .summary = "Three equal bodies follow each other along one closed curve",
       .changes = {{"initial", "figure_eight"},
                   {"bodies", "3"},
                   {"softening", "0"},
                   {"time_step", "0.005"},
                   {"integrator", "yoshida4"}},
       .steps_per_frame = 10,
       .view = "group",
       .camera = kFromAbove},
      {.key = "pythagorean",
       .title = "Pythagorean problem",
       .summary =
           "Masses of 3, 4, and 5 fall from rest; near t = 60 the lightest escapes and leaves a close pair behind",
       .changes = {{"initial", "pythagorean"},
                   {"bodies", "3"},
                   {"softening", "0"},
                   {"time_step", "0.01"},
                   {"integrator", "radau15"}},
       .steps_per_frame = 20,
       .frames = 331,
       .view = "group",
       .camera = kFromAbove},
      {.key = "solar_system",
       .title = "Solar system",
       .summary = "The Sun and eight planets in years, astronomical units, and solar masses, from J2000 on",
       .changes = {{"initial", "solar_system"},
                   {"bodies", "9"},
                   {"gravitational_constant", years},
                   {"softening", "0"},
                   {"time_step", "0.002"}},
       .steps_per_frame = 40,
       .frames = 281,
       .view = "group",
       .camera = Camera{.azimuth = 0, .elevation = 40, .zoom = 1.6}},
      {.key = "inner_planets",
       .title = "Inner planets",
       .summary = "Mercury to Mars, seen from near",
       .changes = {{"initial", "solar_system"},
                   {"bodies", "9"},
                   {"gravitational_constant", years},
                   {"softening", "0"},
                   {"time_step", "0.001"},
                   {"integrator", "yoshida4"}},
       .steps_per_frame = 5,
       .view = "group",
       .camera = Camera{.azimuth = 0, .elevation = 60, .zoom = 18}},
      {.key = "random",
       .title = "Random box",
       .summary = "Bodies spread evenly over a box form clumps and collapse",
       .changes = {{"initial", "random"}, {"bodies", "4096"}, {"softening", "0.02"}, {"time_step", "0.005"}},
       .steps_per_frame = 4,
       .view = "speed"},
      {.key = "plasma",
       .title = "Plasma",
       .summary = "Equal numbers of positive and negative charges: each is screened by a cloud of the opposite sign",
       .changes = {{"force", "coulomb"},
                   {"initial", "random"},
                   {"bodies", "4096"},
                   {"softening", "0.02"},
                   {"time_step", "0.005"}},
       .steps_per_frame = 4,
       .view = "group"},
      {.key = "coulomb_explosion",
       .title = "Coulomb explosion",
       .summary = "A ball of equal charges flies apart and keeps its shape, as the exact solution predicts",
       .changes = {{"force", "coulomb"},
                   {"initial", "cold_sphere"},
                   {"bodies", "4096"},
                   {"softening", "0.02"},
                   {"time_step", "0.005"}},
       .steps_per_frame = 4,
       .view = "speed"},
  };
}

std::vector<DiagnosticInfo> diagnosticInfos() {
  const std::string energy = "mass·length²/time²";
  return {
      {"kinetic_energy", "Kinetic energy", energy, "Σ ½ m v²"},
      {"potential_energy", "Potential energy", energy, "Sum over all pairs, softened"},
      {"total_energy", "Total energy", energy, "Kinetic plus potential energy", kPlotted},
      {"energy_drift", "Energy drift", "",
       "Change of the total energy, divided by it or by the kinetic energy, whichever is larger. Changes of "
       "parameters, launches, and edits do not count",
       kPlotted, within(3e-3)},
      {"momentum", "Momentum", "mass·length/time", "|Σ m v|"},
      {"momentum_drift", "Momentum drift", "",
       "Change of the momentum, divided by √(2 M T), an upper bound of Σ m|v|. Launches and edits do not count",
       kListed, within(5e-5)},
      {"angular_momentum", "Angular momentum", "mass·length²/time", "|Σ m x × v| about the origin"},
      {"virial_ratio", "Virial ratio", "",
       "Twice the kinetic over the potential energy: 1 in equilibrium under gravity. No value where charges of "
       "both signs leave almost no potential energy",
       kPlotted},
      {"half_mass_radius", "Half-mass radius", "length",
       "Radius about the origin that holds half of the mass; no value beyond the cube's faces", kPlotted, many()},
      {"half_mass_radius_exact", "Half-mass radius, exact", "length",
       "For a Plummer sphere in equilibrium, and for a cold sphere while it keeps its shape", kPlotted,
       exactOf("half_mass_radius", 0.03,
               (when("initial", {"plummer"}) && gravity()) || when("initial", {"cold_sphere"}))},
      {"orbit_error", "Orbit error", "length",
       "Kepler: the larger of the two bodies' distances from their exact positions", kPlotted,
       within(5e-3, when("initial", {"kepler"}))},
      {"return_error", "Return error", "length",
       "Figure-eight: the largest distance of a body from its place on the exact curve, a whole number of "
       "periods of 6.3259 ago",
       kPlotted, within(1e-6, when("initial", {"figure_eight"}) && gravity())},
      {"largest_acceleration", "Largest acceleration", "length/time²", "Largest acceleration of any body"},
      {"bodies", "Bodies", "", "Current number of bodies; launches add to it"},
  };
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<NBody>(std::move(device), parameters);
}

// Of ranks each has all bodies, and on CUDA devices the fields of a tree as they are passed on, besides.
double memoryOfRank(const ParameterSet& parameters, int) {
  const Parameters p = binding().read(parameters);
  const double alone =
      std::max(memoryOf(parameters, compute::Backend::Cpu), memoryOf(parameters, compute::Backend::Cuda));
  return alone + (p.method == Method::Tree ? sizeof(Vec4) * static_cast<double>(bodyCount(p)) : 0);
}

Description describeNBody() {
  Description d;
  d.id = "nbody";
  d.title = "N-body";
  d.summary = "Stars, planets, and charges move under their mutual forces: all pairs, or a tree for millions.";
  d.equation = "a = G Σ mⱼ (rⱼ − r)/(|rⱼ − r|² + ε²)^(3/2)";
  d.equation_of = [](const ParameterSet& parameters) -> std::string {
    return gravity().holds(parameters) ? "a = G Σ mⱼ (rⱼ − r)/(|rⱼ − r|² + ε²)^(3/2)"
                                       : "a = −k (q/m) Σ qⱼ (rⱼ − r)/(|rⱼ − r|² + ε²)^(3/2)";
  };
  d.parameters = binding().infos();
  d.presets = presets();
  d.diagnostics = diagnosticInfos();
  const auto points = [](const char* key, const char* title, AxisInfo value, const char* colormap, FieldScale scale) {
    return View{key, title,
                PointView{.space = {.title = "", .unit = "length"},
                          .value = std::move(value),
                          .channel = "bodies",
                          .value_channel = key,
                          .kind_channel = "group",
                          .trail_channel = "trails",
                          .colormap = colormap,
                          .scale = scale}};
  };
  d.views = {points("speed", "Bodies by speed", {"|v|", "length/time"}, "plasma", FieldScale::Linear),
             points("mass", "Bodies by mass", {"m", "mass"}, "viridis", FieldScale::Log),
             points("acceleration", "Bodies by acceleration", {"|a|", "length/time²"}, "inferno", FieldScale::Log),
             points("group", "Bodies by group", {"group", ""}, "turbo", FieldScale::Linear),
             {"bodies_and_profile", "Bodies, and mass within a radius",
              LinkedView{{{.view = "speed", .left = 0, .top = 0, .width = 0.62, .height = 1},
                          {.view = "profile", .left = 0.62, .top = 0, .width = 0.38, .height = 1}}}},
             {"profile", "Mass within a radius",
              CurveView{.x = {.title = "r", .unit = "length"},
                        .y = {.title = "M(r)/M", .unit = ""},
                        .right = {},
                        .traces = {{.channel = "mass_within", .title = "M(r)/M"},
                                   {.channel = "mass_within_expected",
                                    .title = "exact, or at the start",
                                    .style = TraceStyle::Ghost,
                                    .colour = 1,
                                    .forms = {{"exact"}, {"at the start"}}}}}}};
  const auto edit = [](const char* key, const char* title, EditInfo info) {
    info.object = "Body";
    info.points = "bodies";
    info.channel = key;
    info.count = [](const ParameterSet& parameters) { return std::int64_t{bodyCount(binding().read(parameters))}; };
    return ToolInfo{.key = key, .title = title, .gesture = Gesture::Edit, .edit = std::move(info)};
  };
  d.tools = {{.key = "launch", .title = "Launch", .gesture = Gesture::Launch, .readings = launchReadings},
             {.key = "star",
              .title = "Heavy star",
              .gesture = Gesture::Launch,
              .relevant = gravity(),
              .readings = launchReadings},
             {.key = "charge",
              .title = "Large charge",
              .gesture = Gesture::Launch,
              .relevant = charges(),
              .readings = launchReadings},
             edit("velocity", "Velocity of a body",
                  {.vector = true, .symbol = "v", .unit = "length/time", .minimum = 0, .maximum = 1e6}),
             edit("mass", "Mass of a body", {.symbol = "m", .unit = "mass", .minimum = 1e-12, .maximum = 1e6})};
  d.state_array = "position";
  d.random = many();
  d.time_step = [](const ParameterSet& parameters) { return parameters.real("time_step"); };
  // Single-precision forces are summed in other orders, and many bodies are chaotic: states part slowly at first.
  d.parity_tolerance = 1e-4;
  d.parity_steps = 20;
  d.memory = memoryOf;
  d.size_key = "bodies";
  d.create = create;
  d.decomposition = {.kind = Decomposition::Bodies, .memory = memoryOfRank};
  return d;
}

}  // namespace

double memoryOf(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double n = bodyCount(p);
  // Places and velocities, mass, charge, group; sources, field, and the parts of fields that are still to be summed.
  const double state = 2 * 24 + 8 + (p.force == Force::Coulomb ? 8 : 0) + 4;
  const double work = n > kFew ? 2 * 16 * n + 16.0 * kMostDirectParts : 12.0 * kTrailSamples * n;
  const double frames = 3 * (std::min(n, 1.0 * kMostDrawn) * (16 + 4 * 4 + 12) +
                             (n > kFew ? 0 : 12.0 * kTrailSamples * n) + 2 * 4 * kBins);
  const double tree = p.method == Method::Tree && n > kFew ? treeBytes(backend, n) : 0;
  return state * n + work + frames + tree + kBins * 12.0;
}

const Description& description() {
  static const Description described = describeNBody();
  return described;
}

}  // namespace simscope::nbody
