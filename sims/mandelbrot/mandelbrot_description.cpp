#include <algorithm>

#include "sims/core/timeline/stepper.h"
#include "sims/mandelbrot/decimal.h"
#include "sims/mandelbrot/mandelbrot.h"
#include "sims/mandelbrot/plane.h"

namespace simscope::mandelbrot {
namespace {

constexpr auto kLive = Applies::Live, kReset = Applies::OnReset;
constexpr auto kLinear = Scale::Linear, kLog = Scale::Log;

double memory(const ParameterSet& parameters, compute::Backend backend) {
  const Parameters p = binding().read(parameters);
  const double rows = p.height(), pixels = p.grid_points * rows, julia = rows * rows;
  // Both planes, three frames of their pictures and of the counts, and the reference; on the host save() makes two more
  // on its way, and the watch keeps one.
  const double planes = kPixelBytes * (pixels + julia), frames = 12.0 * (4 * pixels + 3 * julia);
  const double saved = kPixelBytes * pixels;
  const double host = 2 * saved + std::min(saved, static_cast<double>(Stepper::kWatchedBytes));
  return planes + frames + 16.0 * p.max_iterations + 65536 + (backend == compute::Backend::Cpu ? host : 0);
}

FieldView picture(const AxisInfo& x, const AxisInfo& y) {
  FieldView view;
  view.x = x, view.y = y, view.channel = "picture", view.style = FieldStyle::Colour;
  return view;
}

std::vector<View> views() {
  const AxisInfo re{"Re c", "", {{"Re c"}, {"Re (c - c₀)"}}}, im{"Im c", "", {{"Im c"}, {"Im (c - c₀)"}}};
  const PathInfo outlines{"components", "Main cardioid and disc of period 2, exact", 0, false, false, {}};
  const PathInfo orbit{"orbit", "Orbit of 0", 1, false, false, {}};
  FieldView coloured = picture(re, im), julia = picture({"Re z", ""}, {"Im z", ""}), count = picture(re, im);
  coloured.paths = {outlines};
  julia.channel = "julia";
  julia.paths = {orbit};
  count.channel = "count", count.style = FieldStyle::Scalar;
  count.value = {"iterations, smooth", ""};
  count.colormap = "magma", count.scale = FieldScale::Log, count.absent = "inside, so far";
  count.paths = {outlines};
  count.paths.front().shown = true;
  return {{"picture", "Mandelbrot set", coloured},
          {"both", "With the Julia set", LinkedView{{{"picture", 0, 0, 0.5, 1}, {"julia", 0.5, 0, 0.5, 1}}}},
          {"count", "Iterations", count},
          {"julia", "Julia set", julia}};
}

std::vector<DiagnosticInfo> diagnostics() {
  const Relevance whole = whenAtMost("zoom", kWholeZoom);
  return {
      {"inside", "Share inside", "",
       "Share of the pixels that have not escaped so far, whether they are proved to be inside or not", kPlotted},
      {"area", "Area of the set", "", "Area of the pixels that have not escaped, if the picture contains the whole set",
       kPlotted, whole},
      {"area_exact", "Area of the set, exact", "", "Value from the largest published counts of pixels", kPlotted,
       exactOf("area", 0.02, whole)},
      {"deepest", "Deepest count", "", "Largest number of iterations that a pixel took to escape"},
      {"mean_iterations", "Iterations a pixel", "", "Average per pixel; pixels known to be inside count as 0",
       kPlotted},
      {"iterations", "Iterations so far", "", "Iterations done for every pixel"},
      {"bits", "Bits of a coordinate", "", "Precision of the arithmetic in use; with perturbation, of the reference"},
      {"reference", "Length of the reference", "", "Iterations of the orbit that perturbed pixels are compared with"},
      {"glitched", "Pixels with glitches", "", "Pixels that met Pauldelbrot's criterion; rebasing corrects them"},
      {"glitches", "Glitches", "", "Number of iterations at which a pixel met the criterion"},
      {"late", "Share that escaped late", "", "Share of the pixels that escaped in the last tenth of the iterations"}};
}

}  // namespace

const Binding<Parameters>& binding() {
  using P = Parameters;
  static const Binding<P> bound = [] {
    Binding<P> b;
    b.text(&P::centre_x, "centre_x",
           {"Centre, real part", kLive, "Where", "Decimal number with as many digits as the zoom needs"});
    b.text(&P::centre_y, "centre_y",
           {"Centre, imaginary part", kLive, "Where", "Decimal number with as many digits as the zoom needs"});
    b.real(&P::zoom, "zoom",
           {"Zoom, decades", "", kLeastZoom, kMostZoom, kLive, kLinear, "Where",
            "The width of the picture is 4·10^-zoom"});
    b.choice(&P::aspect, "aspect", {"Shape", kReset, "Where", "Ratio of the picture's width to its height"},
             {{"wide", "16:9"}, {"photo", "3:2"}, {"square", "1:1"}});
    b.integer(&P::grid_points, "grid_points",
              {"Pixels across", "", 32, 16384, kReset, kLog, "Where",
               "Width of the picture in pixels; the height follows from its shape"});
    b.choice(
        &P::arithmetic, "arithmetic",
        {"Arithmetic", kLive, "Iteration",
         "Chosen by depth and number of iterations, or fixed, to see where it fails: single beyond 32 iterations and "
         "near 1e-6, double near 1e-15"},
        {{"auto", "As the picture needs"},
         {"single", "Single precision"},
         {"double", "Double precision"},
         {"perturbation", "Perturbation"}});
    b.choice(&P::glitches, "glitches",
             {"Glitches", kLive, "Iteration", "Errors of perturbation: corrected by rebasing, or left in and counted"},
             {{"rebase", "Rebased"}, {"mark", "Left in"}})
        .relevant(when("arithmetic", {"auto", "perturbation"}));
    b.integer(&P::max_iterations, "max_iterations",
              {"Most iterations", "", 1, kMostIterations, kLive, kLog, "Iteration",
               "Points that have not escaped by then count as inside"});
    b.choice(&P::drawing, "drawing",
             {"A step makes", kLive, "Iteration",
              "A step computes a whole picture, or some iterations of each pixel, so that the picture fills in"},
             {{"whole", "A whole picture"}, {"fill_in", "Some iterations"}});
    b.integer(&P::iterations_per_step, "iterations_per_step",
              {"Iterations a step", "", 1, 100000, kLive, kLog, "Iteration", "For each pixel that has not escaped"})
        .relevant(when("drawing", {"fill_in"}));
    b.real(&P::julia_x, "julia_x",
           {"Re c", "", -2, 2, kLive, kLinear, "Julia set",
            "Parameter c of the Julia set beside; the mouse's tool also moves it"});
    b.real(&P::julia_y, "julia_y",
           {"Im c", "", -2, 2, kLive, kLinear, "Julia set",
            "Parameter c of the Julia set beside; the mouse's tool also moves it"});
    b.choice(&P::colouring, "colouring",
             {"Colouring", kLive, "Colours",
              "By the smooth count, by the count shaded like a lit slope, or by the distance from the set"},
             {{"smooth", "Smooth count"}, {"shaded", "Lit slope"}, {"distance", "Distance"}});
    const Relevance coloured = when("colouring", {"smooth", "shaded"});
    b.choice(&P::palette, "palette", {"Palette", kLive, "Colours", "Periodic palette: the counts repeat its colours"},
             {{"dusk", "Dusk"}, {"ember", "Ember"}, {"ice", "Ice"}})
        .relevant(coloured);
    b.real(&P::colour_density, "colour_density",
           {"Density", "", 0.005, 10, kLive, kLog, "Colours", "Cycles of the palette per unit of √count"})
        .relevant(coloured);
    b.real(&P::colour_shift, "colour_shift",
           {"Shift", "", -100, 100, kLive, kLinear, "Colours",
            "Shift in cycles of the palette; keyframes make the colours flow"})
        .relevant(coloured);
    b.real(
         &P::light_angle, "light_angle",
         {"Light from", "°", 0, 360, kLive, kLinear, "Colours", "Direction of the light, anticlockwise from the right"})
        .relevant(when("colouring", {"shaded"}));
    return b;
  }();
  return bound;
}

const Description& description() {
  static const Description described = [] {
    Description d;
    d.id = "mandelbrot";
    d.title = "Mandelbrot and Julia sets";
    d.summary =
        "Zoom into the Mandelbrot set with the wheel, to 10⁻¹⁰⁰ and beyond, and see the Julia set of any point.";
    d.equation = "z ← z² + c";
    d.parameters = binding().infos();
    d.presets = presets();
    d.diagnostics = diagnostics();
    d.views = views();
    ToolInfo tool;
    tool.key = "julia_point", tool.title = "Julia set of this point", tool.gesture = Gesture::Place;
    d.tools = {tool};
    d.navigate = navigate;
    d.window_parameters = {"centre_x", "centre_y", "zoom"};
    d.state_array = "count";
    d.random = never();
    d.time_step = [](const ParameterSet&) { return 1.0; };
    d.parity_tolerance = 1e-12;
    d.parity_steps = 4;
    d.memory = memory;
    d.size_key = "grid_points";
    d.validate = [](const ParameterSet& parameters) {
      checkDecimal("centre_x", parameters.text("centre_x"));
      checkDecimal("centre_y", parameters.text("centre_y"));
    };
    d.create = create;
    return d;
  }();
  return described;
}

}  // namespace simscope::mandelbrot
