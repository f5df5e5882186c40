#include <utility>

#include "sims/compute/device.h"
#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_handles.h"
#endif

namespace simscope::compute {

Fence::Fence(const Device& device) {
  record(device);
}

Fence::Fence(Fence&& other) noexcept
    : event_(std::exchange(other.event_, nullptr)), device_(std::exchange(other.device_, -1)) {}

Fence& Fence::operator=(Fence&& other) noexcept {
  std::swap(event_, other.event_);
  std::swap(device_, other.device_);
  return *this;
}

#if SIMSCOPE_HAVE_CUDA

Fence::~Fence() {
  UniqueEvent(static_cast<cudaEvent_t>(event_)).reset();
}

void Fence::record(const Device& device) {
  const int index = device.isCuda() ? device.info().index : -1;
  if (index != device_) {  // an event belongs to one GPU
    UniqueEvent(static_cast<cudaEvent_t>(std::exchange(event_, nullptr))).reset();
    device_ = index;
  }
  if (!device.isCuda()) return;
  const auto stream = static_cast<cudaStream_t>(device.stream());
  if (!event_) event_ = makeEvent(cudaEventDisableTiming).release();
  SIMSCOPE_CUDA_CHECK(cudaEventRecord(static_cast<cudaEvent_t>(event_), stream));
}

void Fence::wait() const {
  if (event_) SIMSCOPE_CUDA_CHECK(cudaEventSynchronize(static_cast<cudaEvent_t>(event_)));
}

bool Fence::passed() const {
  if (!event_) return true;
  const cudaError_t status = cudaEventQuery(static_cast<cudaEvent_t>(event_));
  if (status == cudaErrorNotReady) {
    (void)cudaGetLastError();  // "not yet" is an answer, and must not be found by the next check
    return false;
  }
  SIMSCOPE_CUDA_CHECK(status);
  return true;
}

void Fence::enqueueWait(void* cuda_stream) const {
  if (!event_) return;
  SIMSCOPE_CUDA_CHECK(cudaStreamWaitEvent(static_cast<cudaStream_t>(cuda_stream), static_cast<cudaEvent_t>(event_), 0));
}

#else

Fence::~Fence() = default;
void Fence::record(const Device&) {}
void Fence::wait() const {}
bool Fence::passed() const {
  return true;
}
void Fence::enqueueWait(void*) const {}

#endif

}  // namespace simscope::compute
