#include "sims/eigenstates/solver.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"

namespace simscope::eigenstates {

using compute::Complex;

struct Diagonal {
  Operator h;
  double* out;
  SIMSCOPE_HD void operator()(std::size_t i) const { out[i] = h.element(static_cast<int>(i), static_cast<int>(i)); }
};
struct Elements {
  Operator h;
  double* out;
  SIMSCOPE_HD void operator()(int x, int y, std::size_t i) const { out[i] = h.element(y, x); }
};

struct Square {
  Operator h;
  const double* phi;
  double energy;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    const double rest = h.apply(phi, static_cast<int>(i)) - energy * phi[i];
    return rest * rest;
  }
};
struct KineticSquare {
  const double* potential;
  const double* phi;
  double energy;
  SIMSCOPE_HD double operator()(std::size_t i) const {
    const double kinetic = (energy - potential[i]) * phi[i];
    return kinetic * kinetic;
  }
};
struct Overlap {
  const double* phi;
  const Complex<double>* f;
  SIMSCOPE_HD Complex<double> operator()(std::size_t i) const { return phi[i] * f[i]; }
};

struct SizeOf {
  const double* phi;
  SIMSCOPE_HD double operator()(std::size_t i) const { return phi[i] < 0 ? -phi[i] : phi[i]; }
};
struct Larger {
  SIMSCOPE_HD double operator()(double a, double b) const { return a > b ? a : b; }
};

struct Shapes {
  const ExactState* shapes;
  std::size_t points;
  Grid grid;
  double* out;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const double x = grid.x(static_cast<double>(i % points)), value = exactShape(shapes[i / points], x);
    out[i] = value - value == 0 ? value : 0;
  }
};

// One sum a state, all enqueued before the host waits for them.
template <class T, class Of>
std::vector<T> sumsOf(const compute::DevicePtr& device, const States& states, const Of& of) {
  const auto count = static_cast<std::size_t>(states.count), points = static_cast<std::size_t>(states.points);
  compute::Buffer<T> sums(device, count);
  for (std::size_t k = 0; k < count; ++k) {
    compute::reduceInto(*device, points, T{}, of(k, states.phi.data() + k * points), compute::Plus{}, sums.data() + k);
  }
  return sums.toHost();
}

compute::Buffer<double> diagonalOf(const Operator& three_point, const compute::DevicePtr& device) {
  compute::Buffer<double> diagonal(device, static_cast<std::size_t>(three_point.n));
  compute::parallelFor(*device, diagonal.size(), Diagonal{three_point, diagonal.data()});
  return diagonal;
}

void fillMatrix(compute::Device& device, const Operator& h, compute::Buffer<double>& matrix) {
  compute::parallelFor2d(device, h.n, h.n, Elements{h, matrix.data()});
}

std::vector<double> residuals(const compute::DevicePtr& device, const Operator& h, std::span<const double> energies,
                              const States& states) {
  const auto of = [&](std::size_t k, const double* phi) { return Square{h, phi, energies[k]}; };
  std::vector<double> sums = sumsOf<double>(device, states, of);
  for (double& sum : sums) sum = std::sqrt(states.h * sum);
  return sums;
}

std::vector<double> kineticSquares(const compute::DevicePtr& device, const Operator& h,
                                   std::span<const double> energies, const States& states) {
  const auto of = [&](std::size_t k, const double* phi) { return KineticSquare{h.potential, phi, energies[k]}; };
  std::vector<double> sums = sumsOf<double>(device, states, of);
  for (double& sum : sums) sum *= states.h;
  return sums;
}

std::vector<Complex<double>> overlaps(const compute::DevicePtr& device, const States& states,
                                      const compute::Buffer<Complex<double>>& f) {
  const auto of = [&](std::size_t, const double* phi) { return Overlap{phi, f.data()}; };
  std::vector<Complex<double>> sums = sumsOf<Complex<double>>(device, states, of);
  for (Complex<double>& sum : sums) sum = states.h * sum;
  return sums;
}

double largestOf(const compute::DevicePtr& device, const States& states, int count) {
  const auto size = static_cast<std::size_t>(count) * static_cast<std::size_t>(states.points);
  return compute::reduce(*device, size, 0.0, SizeOf{states.phi.data()}, Larger{});
}

void exactStates(const compute::DevicePtr& device, std::span<const ExactState> shapes, const Grid& grid,
                 States& states) {
  const compute::Buffer<ExactState> held(device, shapes);
  const auto points = static_cast<std::size_t>(states.points);
  compute::parallelFor(*device, states.phi.size(), Shapes{held.data(), points, grid, states.phi.data()}, 512);
  normalise(*device, states);
}

}  // namespace simscope::eigenstates
