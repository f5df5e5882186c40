#include <fmt/format.h>
#include <lapacke.h>

#if __has_include(<cblas.h>)
#include <cblas.h>
#else
#include <openblas/cblas.h>
#endif

#include "sims/compute/lapack.h"
#include "sims/eigenstates/dense.h"

namespace simscope::eigenstates {
namespace {

// OpenBLAS divides its sums among its threads, and their bits follow; it takes as many as the machine, the affinity,
// and the environment offer. One thread leaves only the kind of the processor. It is also faster: on two cores a matrix
// of 1024² takes 0.2 s by one thread and 1.2 s by two, which wait for each other in a loop.
constexpr int kThreads = 1;

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
    const auto rows = static_cast<std::size_t>(n);
    compute::requireLapackMemory((1 + 6 * rows + 2 * rows * rows) * sizeof(double) +
                                 (3 + 5 * rows) * sizeof(lapack_int));  // dsyevd's lwork and liwork with vectors
    const int usual = SIMSCOPE_LAPACK(openblas_get_num_threads)();
    SIMSCOPE_LAPACK(openblas_set_num_threads)(kThreads);
    const lapack_int status =
        SIMSCOPE_LAPACK(LAPACKE_dsyevd)(LAPACK_COL_MAJOR, 'V', 'L', n, elements, n, eigenvalues.data());
    SIMSCOPE_LAPACK(openblas_set_num_threads)(usual);
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
