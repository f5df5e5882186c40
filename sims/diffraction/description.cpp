#include "sims/core/description.h"

#include "sims/diffraction/diffraction.h"

namespace simscope::diffraction {

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
            .help = "From the middle of the aperture's plane to the edge of its window; sizes of the aperture are "
                    "shares of it"});
    b.choice(&Parameters::aperture, "aperture",
             {.title = "Aperture", .group = "Aperture", .help = "What the plane wave passes through"},
             {"circle", "square", "slit", "double_slit", "grating", "hexagon", "annulus", "telescope", "zone_plate",
              "letter", "image"});
    b.real(&Parameters::aperture_radius, "aperture_radius",
           {.title = "Aperture radius",
            .unit = "half-width",
            .minimum = 0.005,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Aperture",
            .help = "Radius of round apertures, half the edge of the square, half the height of slits, half the longer "
                    "side of an image"});
    b.real(&Parameters::slit_width, "slit_width",
           {.title = "Slit width",
            .unit = "half-width",
            .minimum = 0.002,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Aperture",
            .help = "Width of each slit"});
    b.real(&Parameters::slit_separation, "slit_separation",
           {.title = "Slit separation d",
            .unit = "half-width",
            .minimum = 0.005,
            .maximum = 1.9,
            .scale = Scale::Log,
            .group = "Aperture",
            .help = "From the middle of a slit to the middle of the next"});
    b.integer(&Parameters::slits, "slits",
              {.title = "Slits", .minimum = 1, .maximum = 200, .group = "Aperture", .help = "Slits of the grating"});
    b.real(&Parameters::obstruction, "obstruction",
           {.title = "Obstruction",
            .unit = "radius",
            .minimum = 0.05,
            .maximum = 0.95,
            .group = "Aperture",
            .help = "Radius of the dark disc in the middle of the annulus and of the telescope"});
    b.integer(&Parameters::zones, "zones",
              {.title = "Zones",
               .minimum = 1,
               .maximum = 200,
               .group = "Aperture",
               .help = "Zones of the zone plate, every other one open; its focal length is radius²/(zones λ)"});
    b.text(&Parameters::image_file, "image_file",
           {.title = "Image",
            .group = "Aperture",
            .help = "PNG, JPEG, BMP, PGM, or PPM: white lets light through, black does not",
            .text_use = TextUse::ImageFile});
    b.choice(&Parameters::propagation, "propagation",
             {.title = "Propagation",
              .group = "Light",
              .help = "Far field; exact scalar waves through the band-limited angular spectrum; or Fresnel's paraxial "
                      "approximation, near and far"},
             {"fraunhofer", "angular_spectrum", "fresnel"});
    b.real(&Parameters::wavelength, "wavelength",
           {.title = "Wavelength λ",
            .unit = "m",
            .minimum = 1e-12,
            .maximum = 1,
            .scale = Scale::Log,
            .group = "Light",
            .help = "Of monochromatic light; of all curves, measured values, and axes, whatever the spectrum"});
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
              .help = "Of the colour views: one wavelength, three lines, or white light of 24 wavelengths"},
             {"monochromatic", "rgb", "white"});
    b.choice(&Parameters::scan, "scan",
             {.title = "Scan", .group = "Scan", .help = "The parameter that changes as time goes by"},
             {"none", "distance", "aperture_radius", "slit_separation", "wavelength"});
    b.real(&Parameters::scan_from, "scan_from",
           {.title = "Scan from",
            .unit = "× value",
            .minimum = 1e-3,
            .maximum = 1e3,
            .scale = Scale::Log,
            .group = "Scan",
            .help = "Where the scan begins: a factor on the scanned parameter"});
    b.real(&Parameters::scan_to, "scan_to",
           {.title = "Scan to",
            .unit = "× value",
            .minimum = 1e-3,
            .maximum = 1e3,
            .scale = Scale::Log,
            .group = "Scan",
            .help = "Where it turns or ends: a factor on the scanned parameter"});
    b.integer(&Parameters::scan_frames, "scan_frames",
              {.title = "Scan steps",
               .minimum = 2,
               .maximum = 100000,
               .scale = Scale::Log,
               .group = "Scan",
               .help = "Steps to the other end and back, or of the one way"});
    b.choice(&Parameters::scan_path, "scan_path",
             {.title = "Scan path",
              .group = "Scan",
              .help = "Smoothly to the other end and back, over and over; or once at an even pace"},
             {"to_and_fro", "once"});
    b.choice(&Parameters::display, "display",
             {.title = "Display",
              .group = "View",
              .help = "Shows intensities as they are, as powers of ten over six decades, or as their square roots"},
             {"linear", "log", "gamma"});
    b.integer(&Parameters::zoom, "zoom",
              {.title = "Zoom",
               .minimum = 1,
               .maximum = 64,
               .scale = Scale::Log,
               .group = "View",
               .help = "The middle 1/zoom of the pattern is shown"});
    return b;
  }();
  return bound;
}

namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

Changes joinedChanges(Changes first, const Changes& more) {
  first.insert(first.end(), more.begin(), more.end());
  return first;
}

std::vector<Preset> presets() {
  // A window of a millimetre or two, close behind the aperture.
  const Changes near = {{"grid_points", "1024"},
                        {"half_width", "0.001"},
                        {"propagation", "angular_spectrum"},
                        {"zoom", "1"},
                        {"display", "gamma"}};
  return {
      {.key = "airy",
       .title = "Airy disc",
       .summary = "A pinhole far away: rings to six decades, and the formula through all of them",
       .changes = {{"grid_points", "2048"},
                   {"scan", "aperture_radius"},
                   {"scan_from", "1"},
                   {"scan_to", "0.4"},
                   {"zoom", "8"}},
       .frames = 120},
      {.key = "double_slit",
       .title = "Double slit",
       .summary = "Two slits move apart, and their fringes move together",
       .changes = {{"grid_points", "2048"},
                   {"aperture", "double_slit"},
                   {"aperture_radius", "0.1"},
                   {"display", "gamma"},
                   {"scan", "slit_separation"},
                   {"zoom", "8"}},
       .frames = 120},
      {.key = "grating_white",
       .title = "Grating in white light",
       .summary = "Five slits spread white light into spectra; the order of zero stays white",
       .changes = {{"grid_points", "2048"},
                   {"aperture", "grating"},
                   {"aperture_radius", "0.06"},
                   {"spectrum", "white"},
                   {"display", "gamma"},
                   {"zoom", "8"},
                   {"scan", "slit_separation"},
                   {"scan_from", "0.5"},
                   {"scan_to", "1.05"}},
       .frames = 120,
       .view = "overview_colour"},
      {.key = "hexagon",
       .title = "Hexagonal mirror",
       .summary = "Six spikes from six edges",
       .changes = {{"grid_points", "2048"},
                   {"aperture", "hexagon"},
                   {"zoom", "4"},
                   {"scan", "wavelength"},
                   {"scan_from", "0.65"},
                   {"scan_to", "1.1"}},
       .frames = 120},
      {.key = "telescope",
       .title = "Telescope in white light",
       .summary = "A mirror with a secondary on four vanes: the image of a star has four spikes",
       .changes = {{"grid_points", "2048"},
                   {"aperture", "telescope"},
                   {"spectrum", "white"},
                   {"scan", "aperture_radius"},
                   {"scan_from", "1"},
                   {"scan_to", "1.9"}},
       .frames = 120,
       .view = "overview_colour"},
      {.key = "pinhole",
       .title = "Behind a pinhole",
       .summary = "Walking away from a pinhole, its middle goes bright and dark by turns",
       .changes = joinedChanges(near, {{"distance", "0.05"},
                                       {"scan", "distance"},
                                       {"scan_from", "0.4"},
                                       {"scan_to", "4"},
                                       {"display", "linear"},
                                       {"zoom", "2"}}),
       .frames = 120},
      {.key = "zone_plate",
       .title = "Zone plate",
       .summary = "Rings of alternating zones gather light into a focus, on the way there and on the way back",
       .changes = joinedChanges(near, {{"aperture", "zone_plate"},
                                       {"aperture_radius", "0.4"},
                                       {"distance", "0.0158"},
                                       {"zoom", "2"},
                                       {"scan", "distance"},
                                       {"scan_from", "0.5"},
                                       {"scan_to", "1.3"}}),
       .frames = 120},
      {.key = "talbot",
       .title = "Talbot effect",
       .summary = "A grating's own image comes back behind it, at twice its period squared over the wavelength",
       .changes = joinedChanges(near, {{"aperture", "grating"},
                                       {"aperture_radius", "0.4"},
                                       {"slits", "15"},
                                       {"slit_separation", "0.06"},
                                       {"slit_width", "0.03"},
                                       {"distance", "0.0114"},
                                       {"zoom", "2"},
                                       {"scan", "distance"},
                                       {"scan_from", "0.02"},
                                       {"scan_to", "1"}}),
       .frames = 120},
      {.key = "letter",
       .title = "A letter's shadow in colours",
       .summary = "From a sharp shadow to fringes: an F in three colours, near and less near",
       .changes = joinedChanges(near, {{"grid_points", "512"},
                                       {"aperture", "letter"},
                                       {"aperture_radius", "0.5"},
                                       {"propagation", "fresnel"},
                                       {"spectrum", "rgb"},
                                       {"display", "linear"},
                                       {"distance", "0.02"},
                                       {"scan", "distance"},
                                       {"scan_from", "0.05"},
                                       {"scan_to", "8"}}),
       .frames = 120,
       .view = "overview_colour"},
  };
}

std::vector<DiagnosticInfo> diagnosticInfos() {
  return {
      {.key = "total_power",
       .title = "Total power",
       .unit = "m²",
       .help = "The power in the pattern over the irradiance of the incident wave"},
      {.key = "total_power_error",
       .title = "Power error",
       .help = "Relative difference between the power in the pattern and that through the aperture (Parseval); below 0 "
               "where the window of the near field loses light"},
      {.key = "central_intensity",
       .title = "Central intensity",
       .help = "In the middle of the pattern, relative to the incident wave",
       .plotted = true},
      {.key = "first_dark_ring",
       .title = "First dark ring",
       .unit = "m",
       .help = "From the centre along x to the first minimum",
       .plotted = true},
      {.key = "first_dark_ring_exact",
       .title = "First dark ring, exact",
       .unit = "m",
       .help = "1.22 λz/D for a circle; λz/width for a square and a slit; λz/(N d) for N slits",
       .plotted = true,
       .exact_of = "first_dark_ring"},
      {.key = "encircled_energy",
       .title = "Encircled energy",
       .help = "Share of the light within the first dark ring's radius; 0.838 for a circle, far away"},
      {.key = "profile_error", .title = "Profile error", .help = "‖I - exact‖/‖exact‖ along the cut through the probe"},
      {.key = "fresnel_number",
       .title = "Fresnel number",
       .help = "a²/(λz), with a from the middle to the aperture's furthest edge",
       .plotted = true},
      {.key = "probe_intensity",
       .title = "At the probe",
       .help = "Where the probe was put (the centre until then): relative to the centre in the far field, else to the "
               "incident wave"},
      {.key = "scan_value", .title = "Scanned value", .help = "The present value of the parameter that is scanned"},
  };
}

std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters) {
  return std::make_unique<Diffraction>(std::move(device), parameters);
}

LinkedView overview(std::string key, std::string title, std::string main) {
  return {.key = std::move(key),
          .title = std::move(title),
          .panels = {{.view = std::move(main), .left = 0, .top = 0, .width = 0.58, .height = 1},
                     {.view = "aperture", .left = 0.58, .top = 0, .width = 0.42, .height = 0.5},
                     {.view = "cut", .left = 0.58, .top = 0.5, .width = 0.42, .height = 0.5}}};
}

Description describeDiffraction() {
  Description d;
  d.id = "diffraction";
  d.title = "Diffraction";
  d.summary = "A plane wave meets an aperture: draw it, and see its pattern near and far, in any colour.";
  d.equation = "U(x, y, z) = F⁻¹[ F[U(x, y, 0)] exp(2πiz √(1/λ² − f²)) ];  far away I = |F[U]|²";
  d.parameters = binding().infos();
  d.presets = presets();
  d.demo_preset = "airy";
  d.diagnostics = diagnosticInfos();
  const AxisInfo x{.title = "x", .unit = "m"}, y{.title = "y", .unit = "m"};
  const AxisInfo intensity{
      .title = "I, log₁₀ I, or √I", .unit = "", .forms = {{"I"}, {"log₁₀ I"}, {"√I"}}};  // as Display has them
  d.fields = {
      {.key = "pattern",
       .title = "Diffraction pattern",
       .x = x,
       .y = y,
       .value = intensity,
       .channel = "pattern",
       .overlay_channel = "probe"},
      {.key = "colour",
       .title = "Diffraction pattern in colour",
       .x = x,
       .y = y,
       .value = intensity,
       .channel = "colour",
       .style = FieldStyle::Colour},
      {.key = "phase",
       .title = "Wave: phase as hue",
       .x = x,
       .y = y,
       .value = {.title = "|U|", .unit = ""},
       .channel = "wave",
       .style = FieldStyle::Complex},
      {.key = "aperture",
       .title = "Aperture",
       .x = x,
       .y = y,
       .value = {.title = "transmission", .unit = ""},
       .channel = "aperture",
       .colormap = "gray"},
  };
  d.views = {{.key = "cut",
              .title = "Cut along x",
              .x = x,
              .y = intensity,
              .right = {},
              .traces = {{.channel = "cut", .title = "pattern"},
                         {.channel = "cut_exact", .title = "exact", .style = TraceStyle::Ghost, .colour = 1}}}};
  d.linked = {overview("overview", "Diffraction", "pattern"), overview("overview_colour", "Diffraction", "colour")};
  d.first_view = "overview";
  d.tools = {{.key = "draw", .title = "Draw an opening", .view = "aperture"},
             {.key = "erase", .title = "Close", .view = "aperture"},
             {.key = "probe", .title = "Probe", .gesture = Gesture::Place, .view = "pattern", .observes = true}};
  d.state_array = "pattern";
  d.parity_tolerance = 1e-5;
  d.parity_steps = 4;
  d.memory = memoryBytes;
  d.size_key = "grid_points";
  d.create = create;
  return d;
}

}  // namespace

const Description& description() {
  static const Description described = describeDiffraction();
  return described;
}

}  // namespace simscope::diffraction
