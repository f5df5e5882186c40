#include "sims/core/description.h"

#include <algorithm>

#include "sims/core/timeline/stepper.h"
#include "sims/heat/heat.h"
#include "sims/heat/presets.h"

namespace simscope::heat {
namespace {

Relevance uniform() {
  return when("material", {"none"});
}
// Nothing leaves by the edges.
Relevance closed() {
  return when("boundary", {"insulated", "periodic"});
}
// Without a source, which would give or take heat.
Relevance withoutSource() {
  return when("material", {"none", "rooms"});
}
// The whole field has a closed form.
Relevance exactField() {
  return uniform() &&
         (when("initial", {"square", "gaussian", "two_spots"}) || (when("initial", {"stripes"}) && closed()));
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = [] {
    Binding<Parameters> b;
    b.integer(&Parameters::grid_points, "grid_points",
              {.title = "Grid points N",
               .minimum = 64,
               .maximum = 32768,
               .applies = Applies::OnReset,
               .scale = Scale::Log,
               .group = "Field",
               .help = "Cells along each side of the square field"});
    b.real(&Parameters::spacing, "spacing",
           {.title = "Spacing dx",
            .unit = "length",
            .minimum = 1e-6,
            .maximum = 1e6,
            .applies = Applies::OnReset,
            .scale = Scale::Log,
            .group = "Field",
            .help = "Length of a cell's edge"});
    b.choice(&Parameters::boundary, "boundary",
             {.title = "Boundary",
              .applies = Applies::OnReset,
              .group = "Field",
              .help = "Edges at temperature 0, insulated edges, or opposite edges joined"},
             {{"fixed", "Held at 0"}, {"insulated", "Insulated"}, {"periodic", "Periodic"}});
    b.real(&Parameters::diffusivity, "diffusivity",
           {.title = "Diffusivity α",
            .unit = "length²/time",
            .minimum = 1e-6,
            .maximum = 1e6,
            .scale = Scale::Log,
            .group = "Material",
            .help = "How fast heat spreads; the time step depends on it"});
    b.choice(
        &Parameters::initial, "initial",
        {.title = "Initial field", .applies = Applies::OnReset, .group = "Start", .help = "Temperatures at time 0"},
        {{"square", "Square"},
         {"gaussian", "Gaussian"},
         {"two_spots", "Two spots"},
         {"stripes", "Stripes"},
         {"random", "Random patches"},
         {"blank", "Blank"}});
    b.choice(&Parameters::material, "material",
             {.title = "Material",
              .applies = Applies::OnReset,
              .group = "Start",
              .help = "The plate's material at time 0: insulators, conductors, and sources, as painted by the brush"},
             {{"none", "None"},
              {"house", "House"},
              {"maze", "Maze"},
              {"rooms", "Rooms"},
              {"rods", "Rods"},
              {"fins", "Fins"}});
    b.real(&Parameters::spot_size, "spot_size",
           {.title = "Spot size",
            .unit = "length",
            .minimum = 1e-6,
            .maximum = 1e9,
            .applies = Applies::OnReset,
            .scale = Scale::Log,
            .group = "Start",
            .help = "Edge of the square, 2σ of the Gaussian, width of a stripe, or edge of a random patch",
            .relevant = unless("initial", {"blank"})});
    b.real(&Parameters::spot_temperature, "spot_temperature",
           {.title = "Spot temperature",
            .minimum = 1e-3,
            .maximum = 1e6,
            .applies = Applies::OnReset,
            .scale = Scale::Log,
            .group = "Start",
            .help = "Temperature of the hot parts, and of the brush"});
    b.choice(&Parameters::scheme, "scheme",
             {.title = "Scheme",
              .applies = Applies::OnReset,
              .group = "Numerics",
              .help = "Explicit: small, fast steps. ADI: stable for any step, second order in time"},
             {{"explicit", "Explicit"}, {"adi", "ADI"}});
    b.choice(&Parameters::precision, "precision",
             {.title = "Precision",
              .applies = Applies::OnReset,
              .group = "Numerics",
              .help = "Double: temperatures to 14 digits, by explicit steps; slower. It keeps the changes that are "
                      "below the last digit of single precision"},
             {{"single", "Single"}, {"double", "Double"}});
    b.real(&Parameters::time_step_fraction, "time_step_fraction",
           {.title = "Time step / limit",
            .minimum = 1e-3,
            .maximum = 50,
            .scale = Scale::Log,
            .group = "Numerics",
            .help = "Time step as a fraction of the explicit scheme's limit dx²/(4α); above 1 for ADI only"});
    b.choice(&Parameters::colour_range, "colour_range",
             {.title = "Colour range",
              .group = "View",
              .help = "From 0 to the spot's temperature, symmetric about 0, or from the coldest cell to the hottest"},
             {{"fixed", "Fixed"}, {"symmetric", "Symmetric"}, {"auto", "Automatic"}});
    return b;
  }();
  return bound;
}

namespace {

std::vector<DiagnosticInfo> diagnosticInfos() {
  std::vector<DiagnosticInfo> infos = {
      {"total_heat", "Total heat", "length²", "Σ u dx²"},
      {"maximum", "Maximum", "", "Temperature of the hottest cell", kPlotted},
      {"minimum", "Minimum", "", "Temperature of the coldest cell"},
      {"mean", "Mean", "", "Mean temperature"},
      {"center", "Centre", "", "Temperature at the centre of the field, interpolated between cells", kPlotted},
      {"center_exact", "Centre, exact", "", "The exact solution at the centre, until the mouse changes the field",
       kPlotted, exactOf("center", kCentreError, exactField() || (uniform() && when("initial", {"random"})))},
      // Sharp edges under the largest steps of ADI at first; 0.012 under small ones.
      {"error_l2", "Error", "", "‖u - exact‖/‖exact‖ over the field", kPlotted, within(kFieldError, exactField())},
      {"heat_drift", "Heat drift", "",
       "Relative change of the total heat, painting excluded. With insulated or periodic edges it is the "
       "rounding error",
       kPlotted, within(5e-5, withoutSource())},
  };
  for (int k = 1; k <= kThermometers; ++k) {
    const std::string number = std::to_string(k);
    infos.push_back({"thermometer_" + number, "Thermometer " + number, "",
                     "Temperature at the thermometer's place; no value before it is placed", kPlotted});
  }
  return infos;
}

double memory(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double n = p.grid_points;
  const double field = n * n * sizeof(float);
  // The field, the next one, and the map of materials, which load() makes anew beside the old one. On the host save()
  // makes three arrays on its way, and the watch keeps a state.
  const int remainders = p.precision == Precision::Double ? 2 : 0;  // the present ones and the next
  double fields = (3 + remainders) * field;
  if (backend == compute::Backend::Cpu) {
    fields += 3 * field + std::min((2 + remainders / 2) * field, static_cast<double>(Stepper::kWatchedBytes));
  } else {
    fields += field;
  }
  const double lines = (2 + 3) * n * sizeof(double);  // of the exact solution, and ADI's factors on the CPU
  const auto square = [n](double most) { return std::min(n, most) * std::min(n, most); };
  const double frame =
      3 * square(kPresented) + square(kPresentedMaterial) + 2 * square(kPresentedFlux) + 2 * n;  // values
  return fields + lines + 3 * frame * sizeof(float);
}

// What a rank takes, beside others: its slab of the fields, the copy of the watch, the frame's rows; rank 0 has all of
// a frame. A snapshot is whole in the memory of who saves or opens it, for that moment.
double memoryOfRank(const ParameterSet& parameters, int ranks) {
  const Parameters p = binding().read(parameters);
  const double whole = memory(parameters, compute::Backend::Cuda);  // without save()
  const double n = p.grid_points, rows = compute::largestSlab(p.grid_points, ranks) + 2.0 * haloOf(p, true);
  const double field = n * n * sizeof(float), slab = n * rows * sizeof(float);
  const int remainders = p.precision == Precision::Double ? 2 : 0, saved = 2 + remainders / 2;
  const double kept = saved * field <= static_cast<double>(Stepper::kWatchedBytes) ? saved * slab : 0;
  const double turned = p.scheme == Scheme::Adi ? 2 * slab : 0;
  return whole - (4 + remainders) * (field - slab) + kept + turned;
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Heat>(std::move(device), parameters);
}

Description describeHeat() {
  Description d;
  d.id = "heat";
  d.title = "Heat equation";
  d.summary = "Heat spreads over a plate. Paint hot and cold spots, insulators, conductors, and sources.";
  d.equation = "∂u/∂t = α ∇²u";
  // Materials have diffusivities of their own.
  d.equation_of = [](const ParameterSet& parameters) -> std::string {
    return uniform().holds(parameters) ? "∂u/∂t = α ∇²u" : "∂u/∂t = ∇·(α(x, y) ∇u)";
  };
  d.parameters = binding().infos();
  d.presets = heatPresets();
  d.diagnostics = diagnosticInfos();
  const AxisInfo x{.title = "x", .unit = "length"}, y{.title = "y", .unit = "length"};
  const AxisInfo temperature{.title = "temperature", .unit = ""}, flux{.title = "heat flux", .unit = "length/time"};
  d.views = {{"temperature", "Temperature",
              FieldView{.x = x,
                        .y = y,
                        .value = temperature,
                        .channel = "temperature",
                        .overlay_channel = "outline",
                        .arrow_channel = "flux",
                        .arrow = flux,
                        .absent = "insulator"}},
             {"isotherms", "Temperature and isotherms",
              FieldView{.x = x,
                        .y = y,
                        .value = temperature,
                        .channel = "temperature",
                        .overlay_channel = "isotherms",
                        .arrow_channel = "flux",
                        .arrow = flux,
                        .absent = "insulator"}},
             {"flux", "Heat flux: direction as hue",
              FieldView{.x = x,
                        .y = y,
                        .value = {.title = "|q|", .unit = flux.unit},
                        .channel = "flux",
                        .style = FieldStyle::Complex,
                        .absent = "insulator"}},
             {"material", "Material",
              FieldView{.x = x,
                        .y = y,
                        .value = {.title = "diffusivity / α", .unit = ""},
                        .channel = "material",
                        .colormap = "viridis"}},
             {"profile", "Temperature along y = 0",
              CurveView{.x = x,
                        .y = temperature,
                        .right = {},
                        .traces = {{.channel = "profile", .title = "u(x, 0)"},
                                   {.channel = "profile_exact",
                                    .title = "exact, or final, or mean",
                                    .style = TraceStyle::Ghost,
                                    .colour = 1,
                                    .forms = {{"exact"}, {"final"}, {"mean"}},
                                    .relevant = uniform() || (withoutSource() && closed())}}}}};
  const auto paints = [](const char* key, const char* title, double size) {
    return ToolInfo{.key = key, .title = title, .size = size, .fills = true};
  };
  d.tools = {paints("heat", "Heat", 0.06),
             paints("cold", "Cold", 0.06),
             paints("insulator", "Insulator", 0.015),
             paints("conductor", "Conductor", 0.015),
             paints("source", "Source", 0.03),
             paints("eraser", "Eraser", 0.04),
             {.key = "thermometer", .title = "Thermometer", .observes = true}};
  d.state_array = "temperature";
  d.random = when("initial", {"random"}) || when("material", {"maze"});
  d.time_step = [](const ParameterSet& parameters) { return binding().read(parameters).timeStep(); };
  // Both backends round alike; the map of materials and ADI may differ in the last bits.
  d.parity_tolerance = 1e-5;
  d.parity_steps = 100;
  d.memory = memory;
  d.size_key = "grid_points";
  d.validate = [](const ParameterSet& parameters) { requireUsable(binding().read(parameters)); };
  d.create = create;
  d.decomposition = {
      .kind = Decomposition::Slabs,
      // A rank's windows of ADI reach rows of its neighbours, and no farther.
      .on_cuda = when("scheme", {"explicit"}) || whenAbove("grid_points", 2 * kAdiReach - 1),
      .most_ranks =
          [](const ParameterSet& parameters) {
            const Parameters p = binding().read(parameters);
            return compute::mostSlabs(p.grid_points, haloOf(p, false));
          },
      .memory = memoryOfRank,
  };
  return d;
}

}  // namespace

const Description& description() {
  static const Description described = describeHeat();
  return described;
}

}  // namespace simscope::heat
