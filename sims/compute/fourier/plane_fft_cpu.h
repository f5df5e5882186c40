// Split-operator steps of a plane on the CPU: Fourier transforms of rows and of columns with the multiplications
// between them, each in one pass over memory.
//
// Rows are transformed in place. Columns are copied to contiguous lines in tiles that fit the second-level cache,
// transformed, multiplied, transformed back, and copied back. Transforms are not normalised: forward and inverse
// transforms of rows and columns multiply by rows·columns.
// Shape: rows × columns, row-major, on a CPU device. Thread: as Device; the result does not depend on the number of
// threads. Errors: UsageError (a device that is not the CPU, a bad shape), Error, OutOfMemory.
#pragma once

#include <memory>

#include "sims/compute/complex.h"
#include "sims/compute/device.h"

namespace simscope::compute {

template <class T>  // float or double
class PlaneFftCpu {
 public:
  PlaneFftCpu(DevicePtr device, int rows, int columns);
  ~PlaneFftCpu();
  PlaneFftCpu(PlaneFftCpu&&) noexcept;
  PlaneFftCpu& operator=(PlaneFftCpu&&) noexcept;

  // Of every row: the inverse transform (where `inverse`), the product with `factor` (rows·columns values), `times`
  // times, and the forward transform (where `forward`).
  void alongRows(Complex<T>* data, bool inverse, const Complex<T>* factor, int times, bool forward) const;
  // Of every column: the forward transform, the product with across[column]·down[row], and the inverse transform.
  void downColumns(Complex<T>* data, const Complex<T>* across, const Complex<T>* down) const;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

extern template class PlaneFftCpu<float>;
extern template class PlaneFftCpu<double>;

}  // namespace simscope::compute
