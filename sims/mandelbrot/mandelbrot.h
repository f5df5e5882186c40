// The Mandelbrot set: the points c of the plane for which z ← z² + c, begun with z = 0, stays bounded; and the filled
// Julia set of one c: the points z whose orbits stay bounded. README.md has the equations, the scheme, and the sources.
#pragma once

#include <string>

#include "sims/core/describe.h"
#include "sims/core/simulation.h"

namespace simscope::mandelbrot {

enum class Arithmetic { Auto, Float32, Float64, Perturbation };
enum class Drawing { Whole, FillIn };
enum class Glitches { Rebase, Mark };
enum class Colouring { Smooth, Shaded, Distance };
enum class Palette { Dusk, Ember, Ice };
enum class Aspect { Wide, Photo, Square };

struct Parameters {
  // The picture: its centre, decimal; its width is 4·10^-zoom.
  std::string centre_x = "-0.75", centre_y = "0";
  double zoom = -0.06;
  int grid_points = 960;  // across
  Aspect aspect = Aspect::Wide;

  Arithmetic arithmetic = Arithmetic::Auto;
  Glitches glitches = Glitches::Rebase;
  int max_iterations = 1000;
  Drawing drawing = Drawing::Whole;
  int iterations_per_step = 20;

  double julia_x = -0.8, julia_y = 0.156;

  Colouring colouring = Colouring::Shaded;
  Palette palette = Palette::Dusk;
  double colour_density = 0.3, colour_shift = -0.4;  // cycles of the palette for each unit of √ν; cycles
  double light_angle = 135;                          // degrees, counterclockwise from the real axis

  int height() const;  // pixels
  double width() const;
  double spacing() const { return width() / grid_points; }  // edge of a pixel
};

inline constexpr double kLeastZoom = -1, kMostZoom = 280;
inline constexpr double kWholeZoom = 0.2;  // beyond it no picture contains the whole set
inline constexpr int kMostIterations = 1'000'000;
// The area of the set, by published pixel counts (R. Munafo; T. Förstemann).
inline constexpr double kArea = 1.50659;

const Binding<Parameters>& binding();
const Description& description();
std::vector<Preset> presets();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);

// The arithmetic that Auto selects for pixels of this size and so many iterations. Rounding acts like a shift of c by a
// few steps of the numbers, which later counts feel: float32 serves up to kFewIterations, while a pixel is 2^-12 or
// more (a thousand times float32's step at 2); float64 down to 2^-40; then perturbation.
inline constexpr int kFewIterations = 32;
Arithmetic chosen(Arithmetic wanted, double spacing, int max_iterations);
// Description::navigate.
std::optional<ParameterSet> navigate(const ParameterSet& parameters, const Navigation& way);
// Whether axes show offsets from the centre, at this width.
bool showsOffsets(const Parameters& parameters);

}  // namespace simscope::mandelbrot
