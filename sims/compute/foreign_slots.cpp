#include "sims/compute/foreign_slots.h"

#include "sims/compute/device.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_foreign_slots.h"
#endif

namespace simscope::compute {

std::shared_ptr<const ForeignSlots> ForeignSlots::open([[maybe_unused]] int cuda_device,
                                                       [[maybe_unused]] const Offer& offer) {
#if SIMSCOPE_HAVE_CUDA
  return std::make_shared<CudaForeignSlots>(cuda_device, offer);
#else
  throw Error(Device::whyNoCuda());
#endif
}

}  // namespace simscope::compute
