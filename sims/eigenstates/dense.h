// All states of the Hamiltonian as a full symmetric matrix, by divide and conquer: LAPACK's dsyevd on the processor,
// cuSOLVER's on CUDA. The reference of the tridiagonal solver, and required by other bases.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "sims/compute/buffer.h"

namespace simscope::eigenstates {

class DenseSolver {
 public:
  virtual ~DenseSolver() = default;
  // n × n, both triangles; returns all eigenvalues, ascending, and leaves the vectors in its rows (‖·‖ = 1). Waits.
  // Error where it does not converge; OutOfMemory.
  virtual std::vector<double> solve(compute::Buffer<double>& matrix, int n) = 0;
  virtual std::string name() const = 0;
};

// On the device, inside Device::run. LAPACK on the host for a CUDA device whose toolkit has no cuSOLVER.
std::unique_ptr<DenseSolver> makeDenseSolver(compute::Device& device);
std::unique_ptr<DenseSolver> makeLapackSolver();
// Null where the program was built without it.
std::unique_ptr<DenseSolver> makeCusolver(compute::Device& device);

}  // namespace simscope::eigenstates
