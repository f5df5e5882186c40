// The parameters of a run. x, y, and f are pure numbers.
#pragma once

#include <string>

#include "sims/core/describe.h"
#include "sims/descent/methods.h"

namespace simscope::descent {

enum class Layout { Grid, Jittered };
enum class Shown { Logarithm, Plain };

struct Parameters {
  Surface surface = Surface::Himmelblau;
  std::string formula = "sin(3*x)*cos(3*y) + (x^2 + y^2)/8";
  double condition = 20, tilt = 30;                  // κ of the bowl; angle of its long axis [degrees]
  Shown shown = Shown::Logarithm;                    // the surface in its picture
  double center_x = 0, center_y = 0, half_edge = 6;  // of the square where starts lie
  int starts = 192;                                  // per side of it
  Layout layout = Layout::Grid;
  double first_x = -1, first_y = -5;  // the watched start
  Method method = Method::Momentum;
  double learning_rate = 0.002, momentum = 0.9;  // η, μ
  double beta1 = 0.9, beta2 = 0.999;             // of Adam
  double noise = 0;                              // of each part of the gradient
  double tolerance = 0.05;                       // distance to a minimum at which a start has arrived

  int horizon = 256;  // iterations that pictures cover from the beginning

  bool is(Surface which) const { return surface == which; }
  bool uses(Method which) const { return method == which; }
  bool bfgs() const { return uses(Method::Bfgs); }
  bool noisy() const { return noise > 0 && !bfgs(); }
  double left() const { return center_x - half_edge; }
  double bottom() const { return center_y - half_edge; }
  std::size_t count() const { return static_cast<std::size_t>(starts) * static_cast<std::size_t>(starts); }
  // ParameterError of `formula` where it is not a formula, or has no finite value in the square.
  SurfaceData surfaceData() const;
  Rule rule(std::uint64_t seed) const;
};
const Binding<Parameters>& binding();

}  // namespace simscope::descent
