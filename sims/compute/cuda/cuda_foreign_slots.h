// ForeignSlots by CUDA's own calls. Private to the compute layer; exists where SIMSCOPE_HAVE_CUDA is 1.
#pragma once

#include <vector>

#include "sims/compute/cuda/cuda_handles.h"
#include "sims/compute/foreign_slots.h"

namespace simscope::compute {

class CudaForeignSlots final : public ForeignSlots {
 public:
  CudaForeignSlots(int device, const Offer& offer);
  ~CudaForeignSlots() override;

  const void* slot(std::size_t which) const noexcept override;
  State state(std::size_t which) const noexcept override;

 private:
  int device_;
  void* memory_ = nullptr;
  std::vector<UniqueEvent> written_;
};

}  // namespace simscope::compute
