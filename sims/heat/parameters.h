// The parameters of the heat simulation, and the numbers that follow from them.
//
// The field is N × N cells of edge dx. Cell i of a row or column sits at (i - (N-1)/2) dx, so that the middle of the
// field is the origin. Lengths, times, and temperatures are in arbitrary units. Plain data; any thread.
#pragma once

#include "sims/core/describe.h"

namespace simscope::heat {

enum class Boundary { Fixed, Insulated, Periodic };
enum class Scheme { Explicit, Adi };
enum class Initial { Square, Gaussian, TwoSpots, Stripes, Random, Blank };
enum class Material { None, House, Maze, Rooms, Rods, Fins };
enum class Precision { Single, Double };
enum class ColourRange { Fixed, Symmetric, Auto };

struct Parameters {
  int grid_points = 2048;           // N, along each side
  double spacing = 1;               // dx
  double diffusivity = 1;           // α [length²/time]
  double time_step_fraction = 0.1;  // of the explicit limit dx²/(4α)
  Boundary boundary = Boundary::Fixed;
  Scheme scheme = Scheme::Explicit;
  Precision precision = Precision::Single;
  Initial initial = Initial::Square;
  Material material = Material::None;
  double spot_size = 40;  // [length]
  double spot_temperature = 1;
  ColourRange colour_range = ColourRange::Fixed;

  double timeStep() const { return time_step_fraction * spacing * spacing / (4 * diffusivity); }
  // r = α dt/dx², the only number that the schemes depend on. The explicit scheme is stable for r ≤ 1/4.
  double meshRatio() const { return time_step_fraction / 4; }
  double length() const { return grid_points * spacing; }
  double positionOf(double cell) const { return (cell - 0.5 * (grid_points - 1)) * spacing; }
};

const Binding<Parameters>& binding();

// Throws ParameterError where the combination cannot run: the explicit scheme beyond its limit.
void requireUsable(const Parameters& parameters);

}  // namespace simscope::heat
