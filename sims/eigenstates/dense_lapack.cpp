#include <fmt/format.h>
#include <lapacke.h>

#include "sims/eigenstates/dense.h"

namespace simscope::eigenstates {
namespace {

class Lapack final : public DenseSolver {
 public:
  std::vector<double> solve(compute::Buffer<double>& matrix, int n) override {
    // On the CPU backend the device's memory is the host's.
    std::vector<double> copy;
    double* elements = matrix.data();
    if (matrix.device()->isCuda()) {
      copy = matrix.toHost();
      elements = copy.data();
    }
    std::vector<double> eigenvalues(static_cast<std::size_t>(n));
    const lapack_int status = LAPACKE_dsyevd(LAPACK_COL_MAJOR, 'V', 'L', n, elements, n, eigenvalues.data());
    if (status == LAPACK_WORK_MEMORY_ERROR) {
      throw OutOfMemory(fmt::format("LAPACK's dsyevd ran out of memory for a matrix of {0} × {0}", n), 0);
    }
    if (status != 0) throw Error(fmt::format("LAPACK's dsyevd did not converge (info = {})", status));
    if (!copy.empty()) matrix.upload(copy);
    return eigenvalues;
  }
  std::string name() const override { return "LAPACK dsyevd"; }
};

}  // namespace

std::unique_ptr<DenseSolver> makeLapackSolver() {
  return std::make_unique<Lapack>();
}

#if !SIMSCOPE_HAVE_CUSOLVER
std::unique_ptr<DenseSolver> makeCusolver(compute::Device&) {
  return nullptr;
}
#endif

std::unique_ptr<DenseSolver> makeDenseSolver(compute::Device& device) {
  if (device.isCuda()) {
    if (auto solver = makeCusolver(device)) return solver;
  }
  return makeLapackSolver();
}

}  // namespace simscope::eigenstates
