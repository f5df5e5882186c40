#include "sims/core/description.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {
namespace {

Relevance slits() {
  return when("aperture", {"slit", "double_slit", "grating"});
}
Relevance farField() {
  return when("propagation", {"fraunhofer"});
}
// Patterns that are known in closed form: of straight openings near and far, of round ones far away.
Relevance knownFar() {
  return farField() && when("aperture", {"circle", "annulus", "square", "slit", "double_slit", "grating"});
}
Relevance known() {
  return knownFar() || when("aperture", {"square", "slit", "double_slit", "grating"});
}
// Apertures with a middle that rings may lie around.
Relevance ringed() {
  return unless("aperture", {"slit", "double_slit", "grating", "letter", "image"});
}

}  // namespace

const Binding<Parameters>& binding() {
  static const Binding<Parameters> bound = [] {
    Binding<Parameters> b;
    b.integer(&Parameters::grid_points, "grid_points",
              {.title = "Grid points N",
               .minimum = 64,
               .maximum = 16384,
               .applies = Applies::OnReset,
               .scale = Scale::Log,
               .group = "Window",
               .help = "Cells along each side of the aperture's window, and samples along each side of the pattern",
               .power_of_two = true});
    b.real(&Parameters::half_width, "half_width",
           {.title = "Half-width of the window",
            .unit = "m",
            .minimum = 1e-6,
            .maximum = 10,
            .scale = Scale::Log,
            .group = "Window",
            .help = "From the centre of the aperture's plane to the edge of its window. Sizes of the aperture are "
                    "fractions of it"});
    b.choice(&Parameters::aperture, "aperture",
             {.title = "Aperture", .group = "Aperture", .help = "What the plane wave passes through"},
             {{"circle", "Circle"},
              {"square", "Square"},
              {"slit", "Slit"},
              {"double_slit", "Double slit"},
              {"grating", "Grating"},
              {"hexagon", "Hexagon"},
              {"annulus", "Annulus"},
              {"telescope", "Telescope"},
              {"zone_plate", "Zone plate"},
              {"letter", "Letter F"},
              {"image", "Image"}});
    b.real(&Parameters::aperture_radius, "aperture_radius",
           {.title = "Aperture radius",
            .unit = "half-width",
            .minimum = 0.005,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Aperture",
            .help = "Radius of round apertures, half the square's edge, half the slits' height, or half the image's "
                    "longer side"});
    b.real(&Parameters::slit_width, "slit_width",
           {.title = "Slit width",
            .unit = "half-width",
            .minimum = 0.002,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Aperture",
            .help = "Width of each slit",
            .relevant = slits()});
    b.real(&Parameters::slit_separation, "slit_separation",
           {.title = "Slit separation d",
            .unit = "half-width",
            .minimum = 0.005,
            .maximum = 1.9,
            .scale = Scale::Log,
            .group = "Aperture",
            .help = "Distance between the centres of neighbouring slits",
            .relevant = when("aperture", {"double_slit", "grating"})});
    b.integer(&Parameters::slits, "slits",
              {.title = "Slits",
               .minimum = 1,
               .maximum = 200,
               .group = "Aperture",
               .help = "Number of slits of the grating",
               .relevant = when("aperture", {"grating"})});
    b.real(&Parameters::obstruction, "obstruction",
           {.title = "Obstruction",
            .unit = "radius",
            .minimum = 0.05,
            .maximum = 0.95,
            .group = "Aperture",
            .help = "Radius of the dark disc at the centre of the annulus and of the telescope",
            .relevant = when("aperture", {"annulus", "telescope"})});
    b.integer(
        &Parameters::zones, "zones",
        {.title = "Zones",
         .minimum = 1,
         .maximum = 200,
         .group = "Aperture",
         .help = "Number of zones of the zone plate; every second one is open. The focal length is radius²/(zones λ)",
         .relevant = when("aperture", {"zone_plate"})});
    b.text(&Parameters::image_file, "image_file",
           {.title = "Image",
            .group = "Aperture",
            .help = "PNG, JPEG, BMP, PBM, PGM, or PPM. White lets light through, black does not. Grey is the share of "
                    "the amplitude that passes; its square is that of the power. Transparent parts count as white",
            .text_use = TextUse::ImageFile,
            .relevant = when("aperture", {"image"})});
    b.choice(&Parameters::propagation, "propagation",
             {.title = "Propagation",
              .group = "Light",
              .help = "Far field; exact scalar waves through the band-limited angular spectrum; or Fresnel's paraxial "
                      "approximation, near and far"},
             {{"fraunhofer", "Fraunhofer"}, {"angular_spectrum", "Angular spectrum"}, {"fresnel", "Fresnel"}});
    b.real(&Parameters::wavelength, "wavelength",
           {.title = "Wavelength λ",
            .unit = "m",
            .minimum = 1e-12,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Light",
            .help = "Wavelength of monochromatic light. Curves, measured values, and axes use it for every spectrum"});
    b.real(&Parameters::distance, "distance",
           {.title = "Distance z",
            .unit = "m",
            .minimum = 1e-6,
            .maximum = 1e9,
            .scale = Scale::Log,
            .group = "Light",
            .help = "From the aperture to the pattern"});
    b.choice(&Parameters::spectrum, "spectrum",
             {.title = "Spectrum",
              .group = "Light",
              .help = "Spectrum of the colour views: one wavelength, three lines, or white light of 24 wavelengths"},
             {{"monochromatic", "One wavelength"}, {"rgb", "Three lines"}, {"white", "White light"}});
    b.choice(&Parameters::display, "display",
             {.title = "Display",
              .group = "View",
              .help = "Shows the intensity itself, its logarithm over six decades, or its square root"},
             {{"linear", "Linear"}, {"log", "Logarithmic"}, {"gamma", "Square root"}});
    b.integer(&Parameters::zoom, "zoom",
              {.title = "Zoom",
               .minimum = 1,
               .maximum = 64,
               .scale = Scale::Log,
               .group = "View",
               .help = "Shows the central 1/zoom of the pattern"});
    return b;
  }();
  return bound;
}

namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

// The later value of a key holds.
Changes joinedChanges(Changes first, const Changes& more) {
  std::erase_if(first, [&](const auto& former) {
    return std::any_of(more.begin(), more.end(), [&](const auto& each) { return each.first == former.first; });
  });
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

// Away and back in a sweep: at an even pace of the logarithm, slower at both ends.
Track toAndFro(const char* key, double from, double to) {
  constexpr int kWays = 12;
  Track track{key, {}};
  for (int i = 0; i <= kWays; ++i) {
    const double turn = static_cast<double>(i) / kWays;
    const double value = from * std::pow(to / from, 0.5 * (1 - std::cos(2 * std::numbers::pi * turn)));
    track.keyframes.push_back({turn, std::stod(fmt::format("{:.2e}", value))});  // as one would type it
  }
  return track;
}

std::vector<Preset> presets() {
  // A window of a millimetre or two, close behind the aperture.
  const Changes near = {{"grid_points", "512"},
                        {"half_width", "0.001"},
                        {"propagation", "angular_spectrum"},
                        {"zoom", "1"},
                        {"display", "gamma"}};
  return {
      {.key = "airy",
       .title = "Airy disc",
       .summary = "The pattern of a distant pinhole: rings over six decades, all on the exact formula",
       .changes = {{"grid_points", "2048"}, {"zoom", "8"}},
       .tracks = {toAndFro("aperture_radius", 0.25, 0.1)},
       .frames = kSweep},
      {.key = "double_slit",
       .title = "Double slit",
       .summary = "Two slits move apart, and their fringes move together",
       .changes = {{"grid_points", "2048"},
                   {"aperture", "double_slit"},
                   {"aperture_radius", "0.1"},
                   {"slit_separation", "0.1"},
                   {"display", "gamma"},
                   {"zoom", "8"}},
       .tracks = {toAndFro("slit_separation", 0.1, 0.4)},
       .frames = kSweep},
      {.key = "grating_white",
       .title = "Grating in white light",
       .summary = "Five slits spread white light into spectra; the zeroth order stays white",
       .changes = {{"grid_points", "2048"},
                   {"aperture", "grating"},
                   {"aperture_radius", "0.06"},
                   {"slit_separation", "0.1"},
                   {"spectrum", "white"},
                   {"display", "gamma"},
                   {"zoom", "8"}},
       .tracks = {toAndFro("slit_separation", 0.1, 0.21)},
       .frames = kSweep,
       .view = "overview_colour"},
      {.key = "hexagon",
       .title = "Hexagonal mirror",
       .summary = "The six edges of the mirror make six spikes",
       .changes = {{"grid_points", "2048"}, {"aperture", "hexagon"}, {"wavelength", "410e-9"}, {"zoom", "4"}},
       .tracks = {toAndFro("wavelength", 410e-9, 700e-9)},
       .frames = kSweep},
      {.key = "telescope",
       .title = "Telescope in white light",
       .summary = "A mirror with a secondary on four vanes: the image of a star has four spikes",
       .changes = {{"grid_points", "2048"}, {"aperture", "telescope"}, {"spectrum", "white"}},
       .tracks = {toAndFro("aperture_radius", 0.25, 0.475)},
       .frames = kSweep,
       .view = "overview_colour"},
      {.key = "pinhole",
       .title = "Behind a pinhole",
       .summary = "With growing distance from a pinhole, the centre turns bright and dark alternately",
       .changes = joinedChanges(near, {{"distance", "0.02"}, {"display", "linear"}, {"zoom", "2"}}),
       .tracks = {toAndFro("distance", 0.02, 0.2)},
       .frames = kSweep},
      {.key = "zone_plate",
       .title = "Zone plate",
       .summary = "Rings of alternating zones focus light; the screen moves through the focus and back",
       .changes = joinedChanges(near, {{"grid_points", "1024"},
                                       {"aperture", "zone_plate"},
                                       {"aperture_radius", "0.4"},
                                       {"distance", "0.0079"},
                                       {"zoom", "2"}}),
       .tracks = {toAndFro("distance", 0.0079, 0.0205)},
       .frames = kSweep},
      {.key = "talbot",
       .title = "Talbot effect",
       .summary = "Behind a grating its own image reappears, at twice its period squared over the wavelength",
       .changes = joinedChanges(near, {{"aperture", "grating"},
                                       {"aperture_radius", "0.4"},
                                       {"slits", "15"},
                                       {"slit_separation", "0.06"},
                                       {"slit_width", "0.03"},
                                       {"distance", "0.001"},
                                       {"zoom", "2"}}),
       .tracks = {toAndFro("distance", 0.001, 0.0114)},
       .frames = kSweep},
      {.key = "letter",
       .title = "A letter's shadow in colours",
       .summary = "From a sharp shadow to fringes: an F in three colours, at growing distance",
       .changes = joinedChanges(near, {{"aperture", "letter"},
                                       {"aperture_radius", "0.5"},
                                       {"propagation", "fresnel"},
                                       {"spectrum", "rgb"},
                                       {"display", "linear"},
                                       {"distance", "0.001"}}),
       .tracks = {toAndFro("distance", 0.001, 0.16)},
       .frames = kSweep,
       .view = "overview_colour"},
      // The defaults are the document's values: N = 4096 on [-1, 1], R = 0.25.
      {.key = "document",
       .title = "As in the document",
       .summary = "A disc, a quarter of the window's half-width in radius, on 4096 × 4096 cells; a still picture",
       .frames = 25},
  };
}

std::vector<DiagnosticInfo> diagnosticInfos() {
  return {
      {"total_power", "Total power", "m²", "Power in the pattern, divided by the irradiance of the incident wave"},
      {"total_power_error", "Power error", "",
       "Relative difference between the power in the pattern and the power through the aperture (Parseval). It "
       "is negative where the near field's window loses light"},
      {"central_intensity", "Central intensity", "", "Intensity at the pattern's centre, relative to the incident wave",
       kPlotted},
      {"first_dark_ring", "First dark ring", "m", "Distance along x from the centre to the first minimum", kPlotted,
       unless("aperture", {"letter", "image"})},
      {"first_dark_ring_exact", "First dark ring, exact", "m",
       "1.22 λz/D for a circle; λz/width for a square and a slit; λz/(N d) for N slits", kPlotted,
       exactOf("first_dark_ring", 1e-5, knownFar())},
      {"encircled_energy", "Encircled energy", "",
       "Share of the light within the first dark ring's radius; 0.838 for a circle, far away", kListed, ringed()},
      {"profile_error", "Profile error", "",
       "‖I - exact‖/‖exact‖ along the cut through the probe. Near the aperture, waves finer than the cells are "
       "missing",
       kListed, within(0.25, known())},
      {"fresnel_number", "Fresnel number", "",
       "a²/(λz), where a is the distance from the centre to the aperture's furthest edge", kPlotted},
      {"probe_intensity", "At the probe", "",
       "Intensity at the probe (at first the centre), relative to the centre in the far field, otherwise to "
       "the incident wave"},
  };
}

std::string equationOf(const ParameterSet& parameters) {
  switch (binding().read(parameters).propagation) {
    case Propagation::Fraunhofer:
      return "I(x, y, z) = |F[U(x, y, 0)](x/λz, y/λz)|² / (λz)²";
    case Propagation::AngularSpectrum:
      return "U(x, y, z) = F⁻¹[ F[U(x, y, 0)] exp(2πiz √(1/λ² − f²)) ]";
    case Propagation::Fresnel:
      break;
  }
  return "U(x, y, z) = F⁻¹[ F[U(x, y, 0)] exp(2πiz (1/λ − λf²/2)) ]";
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Diffraction>(std::move(device), parameters);
}

View overview(std::string key, std::string title, std::string main) {
  return {std::move(key), std::move(title),
          LinkedView{{{.view = std::move(main), .left = 0, .top = 0, .width = 0.58, .height = 1},
                      {.view = "aperture", .left = 0.58, .top = 0, .width = 0.42, .height = 0.5},
                      {.view = "cut", .left = 0.58, .top = 0.5, .width = 0.42, .height = 0.5}}}};
}

Description describeDiffraction() {
  Description d;
  d.id = "diffraction";
  d.title = "Diffraction";
  d.summary = "A plane wave meets an aperture. Draw one and see its pattern, near and far, in any colour.";
  d.equation = "U(x, y, z) = F⁻¹[ F[U(x, y, 0)] exp(2πiz √(1/λ² − f²)) ];  far away I = |F[U]|²";
  d.equation_of = equationOf;
  d.parameters = binding().infos();
  d.presets = presets();
  d.diagnostics = diagnosticInfos();
  const AxisInfo x{.title = "x", .unit = "m"}, y{.title = "y", .unit = "m"};
  const AxisInfo intensity{
      .title = "I, log₁₀ I, or √I", .unit = "", .forms = {{"I"}, {"log₁₀ I"}, {"√I"}}};  // as Display has them
  d.views = {
      overview("overview", "Pattern, aperture, and cut", "pattern"),
      overview("overview_colour", "Pattern in colour, aperture, and cut", "colour"),
      {"pattern", "Diffraction pattern",
       FieldView{.x = x, .y = y, .value = intensity, .channel = "pattern", .overlay_channel = "probe"}},
      {"colour", "Diffraction pattern in colour",
       FieldView{.x = x, .y = y, .value = intensity, .channel = "colour", .style = FieldStyle::Colour}},
      {"phase", "Wave: phase as hue",
       FieldView{
           .x = x, .y = y, .value = {.title = "|U|", .unit = ""}, .channel = "wave", .style = FieldStyle::Complex}},
      {"aperture", "Aperture",
       FieldView{
           .x = x, .y = y, .value = {.title = "transmission", .unit = ""}, .channel = "aperture", .colormap = "gray"}},
      {"cut", "Cut along x",
       CurveView{.x = x,
                 .y = intensity,
                 .right = {},
                 .traces = {{.channel = "cut", .title = "pattern"},
                            {.channel = "cut_exact",
                             .title = "exact",
                             .style = TraceStyle::Ghost,
                             .colour = 1,
                             .relevant = known()}}}}};
  d.tools = {{.key = "draw", .title = "Draw an opening", .view = "aperture", .size = 0.02, .fills = true},
             {.key = "erase", .title = "Close", .view = "aperture", .size = 0.03, .fills = true},
             {.key = "probe", .title = "Probe", .gesture = Gesture::Place, .view = "pattern", .observes = true}};
  d.state_array = "pattern";
  d.random = never();
  d.time_step = [](const ParameterSet&) { return 1.0 / kSweep; };
  d.parity_tolerance = 1e-5;
  d.parity_steps = 4;
  d.memory = memoryBytes;
  d.size_key = "grid_points";
  d.validate = [](const ParameterSet& parameters) { requireUsable(binding().read(parameters)); };
  d.create = create;
  d.decomposition = {.kind = Decomposition::Slabs, .most_ranks = mostRanks, .memory = memoryOfRank};
  d.upgrade = upgradeScan;
  return d;
}

}  // namespace

const Description& description() {
  static const Description described = describeDiffraction();
  return described;
}

}  // namespace simscope::diffraction
