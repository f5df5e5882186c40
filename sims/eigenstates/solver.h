// The lowest K states of the three-point Hamiltonian: eigenvalues by Sturm's count (sturm.h), vectors by inverse
// iteration with partial pivoting from random starts, all of them then made orthonormal by Cholesky's factor of their
// Gram matrix, twice (Y. Yamamoto, Y. Nakatsukasa, Y. Yanagisawa, T. Fukaya, ETNA 44 (2015) 306).
//
// Both backends run the same functors, sums in the same order, with nothing fused: the same bits. LAPACK is not used on
// the processor: dstevr also bisects, but to an absolute tolerance, with other bits, and no faster; it is the tests'
// reference. cuSOLVER has no solver of tridiagonal eigenproblems.
//
// Where V is symmetric to the bit, state n has the parity (-1)^n (on a line nothing is degenerate), and every iterate
// is projected on it. So the pair of a double well is even and odd, also where its splitting is below rounding.
#pragma once

#include <span>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/complex.h"
#include "sims/eigenstates/exact.h"
#include "sims/eigenstates/operator.h"

namespace simscope::eigenstates {

// On the device, inside Device::run. K rows of N values each, hΣφ² = 1, the first lobe from the left positive.
struct States {
  int count = 0, points = 0;
  double h = 1;
  compute::Buffer<double> phi;
};

// The diagonal is V + 1/h², the off-diagonal -1/(2h²). low is below the lowest eigenvalue, high above the highest.
struct Tridiagonal {
  const double* diagonal;
  int n;
  double off, low, high;
};
compute::Buffer<double> diagonalOf(const Operator& three_point, const compute::DevicePtr& device);

// Waits, like all of these functions that return numbers to the host.
std::vector<double> lowestEigenvalues(compute::Device& device, const Tridiagonal& matrix, int count);
// Fills `states`. Error if two vectors are parallel, which random starts make nearly impossible.
void inverseIteration(const compute::DevicePtr& device, const Tridiagonal& matrix, std::span<const double> eigenvalues,
                      bool symmetric, States& states);
void orthonormalise(const compute::DevicePtr& device, States& states);
// Scales each row to hΣφ² = 1 and a positive first lobe.
void normalise(compute::Device& device, States& states);

// The elements of H, row by row: N² of them.
void fillMatrix(compute::Device& device, const Operator& h, compute::Buffer<double>& matrix);
// max |⟨m|n⟩ - δ|, and max ‖Hφ - Eφ‖ over the states (‖φ‖ = 1).
double orthonormality(const compute::DevicePtr& device, const States& states);
std::vector<double> residuals(const compute::DevicePtr& device, const Operator& h, std::span<const double> energies,
                              const States& states);
// ⟨n|(E - V)²|n⟩ of each state. Times h²/6 it is the error by which the three-point levels are too low, to first order.
std::vector<double> kineticSquares(const compute::DevicePtr& device, const Operator& h,
                                   std::span<const double> energies, const States& states);
// hΣ φ_n(x) f(x) for complex f: K numbers.
std::vector<compute::Complex<double>> overlaps(const compute::DevicePtr& device, const States& states,
                                               const compute::Buffer<compute::Complex<double>>& f);
// max |φ| over the first `count` states.
double largestOf(const compute::DevicePtr& device, const States& states, int count);
// The closed forms at the same points, normalised alike.
void exactStates(const compute::DevicePtr& device, std::span<const ExactState> shapes, const Grid& grid,
                 States& states);

}  // namespace simscope::eigenstates
