#include "sims/compute/cuda/cuda_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>

#include "sims/compute/cuda/cuda_reach.h"
#include "sims/compute/cuda/detail/cuda_gate.h"
#include "sims/compute/cuda/detail/cuda_self_test.h"
#include "sims/compute/held_memory.h"

namespace simscope::compute {

namespace {

// Copies up to this size go through page-locked memory of our own; the driver does the large ones as well as we could.
constexpr std::size_t kSlotBytes = std::size_t{64} << 10;
static_assert(kSlotBytes >= detail::kReduceLargest);

double gibibytes(std::size_t bytes) {
  return static_cast<double>(bytes) / (1024.0 * 1024.0 * 1024.0);
}

}  // namespace

int CudaDevice::count() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return devices;
}

std::string CudaDevice::whyNone() {
  int devices = 0;
  const cudaError_t status = cudaGetDeviceCount(&devices);
  if (status == cudaSuccess && devices > 0) return {};
  (void)cudaGetLastError();
  if (status == cudaSuccess || status == cudaErrorNoDevice) {
    return "no CUDA device was found (does nvidia-smi list the card? is CUDA_VISIBLE_DEVICES set?)";
  }
  return fmt::format("no NVIDIA driver responds (cudaGetDeviceCount: {}); install a driver with which nvidia-smi works",
                     cudaGetErrorString(status));
}

DeviceInfo CudaDevice::describe(int index) {
  cudaDeviceProp properties{};
  SIMSCOPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  DeviceInfo info;
  info.backend = Backend::Cuda;
  info.index = index;
  info.id = fmt::format("cuda:{}", index);
  info.name = properties.name;
  info.memory = properties.totalGlobalMem;
  info.threads = properties.multiProcessorCount;
  info.detail = fmt::format("compute capability {}.{}", properties.major, properties.minor);
  return info;
}

std::string CudaDevice::identity(int index) {
  cudaDeviceProp properties{};
  SIMSCOPE_CUDA_CHECK(cudaGetDeviceProperties(&properties, index));
  std::string text;
  for (const char each : properties.uuid.bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(each));
  return text;
}

CudaDevice::CudaDevice(int index) {
  info_ = describe(index);
  makeCurrent();
  stream_ = makeStream();
  start_ = makeEvent(cudaEventDefault);
  stop_ = makeEvent(cudaEventDefault);
  pinned_ = makePinned((kSlots + 1) * kSlotBytes + sizeof(int));
  auto* const first = static_cast<unsigned char*>(pinned_.get());
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    slots_[slot].memory = first + slot * kSlotBytes;
    slots_[slot].read = makeEvent(cudaEventDisableTiming);
  }
  landing_ = first + kSlots * kSlotBytes;
  gate_ = reinterpret_cast<int*>(landing_ + kSlotBytes);
  *gate_ = 1;

  auto* const flag = reinterpret_cast<int*>(landing_);
  *flag = 0;
  detail::launchSelfTest(stream_.get(), flag);
  synchronize();
  if (*flag != 1) {
    throw Error(fmt::format("{} ({}) did not run a test kernel; update the NVIDIA driver, or choose --device cpu",
                            info_.id, info_.name));
  }
}

CudaDevice::~CudaDevice() {
  detail::forgetHeld(*this);
  (void)cudaSetDevice(info_.index);
  if (link_) link_->abandon();
  (void)cudaStreamSynchronize(stream_.get());
}

void CudaDevice::makeCurrent() const {
  SIMSCOPE_CUDA_CHECK(cudaSetDevice(info_.index));
}

void* CudaDevice::stream() const noexcept {
  (void)cudaSetDevice(info_.index);  // a failure shows at the launch that follows
  return stream_.get();
}

void CudaDevice::awaitStream() {
  if (!link_) {
    SIMSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream_.get()));
    return;
  }
  try {
    ranks_->waitFor(
        [this] {
          const cudaError_t state = cudaStreamQuery(stream_.get());
          if (state == cudaErrorNotReady) return false;
          SIMSCOPE_CUDA_CHECK(state);
          return true;
        },
        "a device", Ranks::Look::Soon);
  } catch (...) {
    link_->abandon();
    throw;
  }
}

void CudaDevice::join(std::shared_ptr<Ranks> ranks) {
  makeCurrent();
  link_.reset();
  ranks_ = std::move(ranks);
  if (!ranks_) return;
  int least = 0, greatest = 0;  // the more urgent, the less
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetStreamPriorityRange(&least, &greatest));
  cudaStream_t aside = nullptr;
  SIMSCOPE_CUDA_CHECK(cudaStreamCreateWithPriority(&aside, cudaStreamNonBlocking, greatest));
  aside_.reset(aside);
  marked_ = makeEvent(cudaEventDisableTiming);
  for (UniqueEvent& each : exchanged_) each = makeEvent(cudaEventDisableTiming);
  link_ = CudaLink::make(*ranks_, info_.index);
  met_.reset();
  void* met = nullptr;
  SIMSCOPE_CUDA_CHECK(cudaMalloc(&met, 2 * static_cast<std::size_t>(ranks_->size())));
  met_.reset(met);
}

std::string CudaDevice::link() const {
  return link_ ? link_->name() : "";
}

void CudaDevice::meet() {
  if (!link_) return;
  makeCurrent();
  auto* const bytes = static_cast<std::byte*>(met_.get());
  std::vector<RankMessage> sent, received;
  for (int rank = 0; rank < ranks_->size(); ++rank) {
    if (rank == ranks_->rank()) continue;
    sent.push_back({rank, bytes + rank, 1});
    received.push_back({rank, bytes + ranks_->size() + rank, 1});
  }
  link_->exchange(sent, received, stream_.get());
}

void CudaDevice::mark() {
  makeCurrent();
  if (link_) SIMSCOPE_CUDA_CHECK(cudaEventRecord(marked_.get(), stream_.get()));
}

Device::Exchange CudaDevice::exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received,
                                      Order order) {
  makeCurrent();
  if (order == Order::Stream) {
    link_->exchange(sent, received, stream_.get());
    return exchanges_;
  }
  return beside([&] { link_->exchange(sent, received, aside_.get()); });
}

Device::Exchange CudaDevice::copyAside(void* to, const void* from, std::size_t bytes) {
  makeCurrent();
  return beside([&] { SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, aside_.get())); });
}

Device::Exchange CudaDevice::beside(FunctionRef<void()> enqueue) {
  SIMSCOPE_CUDA_CHECK(cudaStreamWaitEvent(aside_.get(), marked_.get()));
  enqueue();
  const Exchange made = ++exchanges_;
  SIMSCOPE_CUDA_CHECK(cudaEventRecord(exchanged_[made % kExchanges].get(), aside_.get()));
  return made;
}

// Where its event serves a later one by now, it is that one which is waited for.
void CudaDevice::awaitExchange(Exchange exchange) {
  makeCurrent();
  const Exchange awaited = std::min(exchange, exchanges_);
  if (link_) SIMSCOPE_CUDA_CHECK(cudaStreamWaitEvent(stream_.get(), exchanged_[awaited % kExchanges].get()));
}

std::size_t CudaDevice::memoryFree() const {
  std::vector<int> all = {info_.index};
  for (const DeviceInfo& each : info_.members) {
    if (std::find(all.begin(), all.end(), each.index) == all.end()) all.push_back(each.index);
  }
  // Of several that share a run: what it can have of each, as equal parts.
  std::size_t least = std::numeric_limits<std::size_t>::max();
  for (const int index : all) {
    SIMSCOPE_CUDA_CHECK(cudaSetDevice(index));
    std::size_t free = 0;
    std::size_t total = 0;
    SIMSCOPE_CUDA_CHECK(cudaMemGetInfo(&free, &total));
    least = std::min(least, free);
  }
  makeCurrent();
  return least * all.size();
}

// Plain cudaMalloc and cudaFree: memory comes and goes at resets, not in steps, and freeing waits for every stream
// that may still read it (the window's among them).
void* CudaDevice::allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  makeCurrent();
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes);
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    throw OutOfMemory(
        fmt::format("cannot allocate {} bytes ({:.3g} GiB) on {} ({}): {:.3g} GiB of {:.3g} GiB are free; choose a "
                    "smaller problem, or close other programs that use the GPU",
                    bytes, gibibytes(bytes), info_.id, info_.name, gibibytes(memoryFree()), gibibytes(info_.memory)),
        bytes);
  }
  SIMSCOPE_CUDA_CHECK(status);
  detail::noteHeld(*this, memory, bytes);
  return memory;
}

void* CudaDevice::allocateForMessages(std::size_t bytes) {
  const bool near = link_ && link_->enqueues() && ranks_->localSize() == ranks_->size();
  if (!near && !(link_ && link_->reaches())) return allocate(bytes);
  makeCurrent();
  void* address = nullptr;
  if (CudaSharedMemory shared(info_.index, std::max<std::size_t>(bytes, 1));
      shared.get() && (!link_->reaches() || link_->introduce(shared.get(), bytes))) {
    address = shared.get();
    shared_[address].own = std::move(shared);  // held before anything can fail: it is known to the link
  }
  // All or none: a message between memory of two kinds never arrives.
  double all = address ? 1 : 0;
  ranks_->minimum({&all, 1});
  if (all > 0) {
    detail::noteHeld(*this, address, bytes);
    if (near) shared_[address].others = reachAll(*ranks_, info_.index, shared_[address].own);
    return address;
  }
  if (address) {
    link_->forget(address);
    shared_.erase(address);
  }
  return allocate(bytes);
}

std::vector<void*> CudaDevice::reached(const void* memory) const {
  const auto shared = shared_.find(memory);
  if (shared == shared_.end() || shared->second.others.empty()) return {};
  std::vector<void*> all;
  for (const CudaSharedMemory& each : shared->second.others) all.push_back(each.get());
  all[static_cast<std::size_t>(ranks_->rank())] = shared->second.own.get();
  return all;
}

void CudaDevice::release(void* memory) noexcept {
  if (!memory) return;
  detail::noteReturned(*this, memory);
  (void)cudaSetDevice(info_.index);
  if (const auto shared = shared_.find(memory); shared != shared_.end()) {
    (void)cudaDeviceSynchronize();  // as cudaFree does
    if (link_) link_->forget(memory);
    shared_.erase(shared);
    return;
  }
  if (cudaFree(memory) != cudaSuccess) (void)cudaGetLastError();  // of a device that is lost
}

void CudaDevice::upload(void* device, const void* host, std::size_t bytes) {
  if (bytes == 0) return;
  makeCurrent();
  if (bytes <= kSlotBytes) {
    // The caller goes on at once: its bytes are in the slot, and the slot is not used again before it was read.
    Slot& slot = slots_[next_slot_];
    next_slot_ = (next_slot_ + 1) % kSlots;
    SIMSCOPE_CUDA_CHECK(cudaEventSynchronize(slot.read.get()));
    std::memcpy(slot.memory, host, bytes);
    SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(device, slot.memory, bytes, cudaMemcpyHostToDevice, stream_.get()));
    SIMSCOPE_CUDA_CHECK(cudaEventRecord(slot.read.get(), stream_.get()));
  } else {
    SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(device, host, bytes, cudaMemcpyHostToDevice, stream_.get()));
    awaitStream();
  }
  counters_.bytes_to_device += bytes;
}

void CudaDevice::download(void* host, const void* device, std::size_t bytes) {
  if (bytes == 0) return;
  makeCurrent();
  void* const target = bytes <= kSlotBytes ? landing_ : host;
  SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(target, device, bytes, cudaMemcpyDeviceToHost, stream_.get()));
  awaitStream();
  if (target != host) std::memcpy(host, target, bytes);
  counters_.bytes_to_host += bytes;
}

void CudaDevice::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  makeCurrent();
  SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_.get()));
}

void CudaDevice::zero(void* memory, std::size_t bytes) {
  if (bytes == 0) return;
  makeCurrent();
  SIMSCOPE_CUDA_CHECK(cudaMemsetAsync(memory, 0, bytes, stream_.get()));
}

void CudaDevice::synchronize() {
  makeCurrent();
  awaitStream();
}

void CudaDevice::run(FunctionRef<void()> body) {
  makeCurrent();
  body();
}

double CudaDevice::timed(FunctionRef<void()> body) {
  makeCurrent();
  // The device's own pair of events serves the outermost section; one nested in it finds them taken and makes more.
  UniqueEvent start = std::move(start_);
  UniqueEvent stop = std::move(stop_);
  if (!start) start = makeEvent(cudaEventDefault);
  if (!stop) stop = makeEvent(cudaEventDefault);
  SIMSCOPE_CUDA_CHECK(cudaEventRecord(start.get(), stream_.get()));
  body();
  SIMSCOPE_CUDA_CHECK(cudaEventRecord(stop.get(), stream_.get()));
  if (link_) awaitStream();
  SIMSCOPE_CUDA_CHECK(cudaEventSynchronize(stop.get()));
  float milliseconds = 0.0f;
  SIMSCOPE_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, start.get(), stop.get()));
  start_ = std::move(start);
  stop_ = std::move(stop);
  counters_.milliseconds += milliseconds;
  return milliseconds;
}

double CudaDevice::timedWork(FunctionRef<void()> body) {
  if (*gate_ == 0) return timed(body);  // within another
  makeCurrent();
  *gate_ = 0;
  detail::launchGate(stream_.get(), const_cast<const int*>(gate_));
  return timed([&] {
    struct Opens {
      volatile int& gate;
      ~Opens() { gate = 1; }
    } opens{*gate_};
    body();
  });
}

detail::ReduceScratch CudaDevice::reduceScratch() {
  if (!partials_) partials_.reset(allocate(detail::kReducePartials * detail::kReduceLargest));
  return {partials_.get(), landing_};
}

detail::ReduceScratch detail::reduceScratch(Device& device) {
  return static_cast<CudaDevice&>(device).reduceScratch();
}

void detail::countReduceResult(Device& device, std::size_t bytes) {
  static_cast<CudaDevice&>(device).countToHost(bytes);
}

}  // namespace simscope::compute
