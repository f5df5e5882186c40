#include "app/render/gl/transfer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "app/render/gl/gl_objects.h"
#include "app/render/gl/stream_buffer.h"
#include "sims/compute/error.h"
#if SIMSCOPE_HAVE_CUDA
#include "app/render/gl/cuda_transfer.h"
#endif

namespace simscope::render {

namespace {

const Channel& existing(const Frame& frame, const std::string& key) {
  const Channel* channel = frame.find(key);
  if (!channel || channel->data.empty()) {
    throw Error(fmt::format(
        "The frame has no channel \"{}\": the view names a channel that the simulation does not write.", key));
  }
  return *channel;
}

}  // namespace

struct Transfer::Impl {
  // Which contents of a channel a GL buffer holds. The sequence alone does not tell: a new run counts from one again.
  struct Stamp {
    std::uint64_t sequence = 0;
    std::int64_t steps = -1;
    double time = 0;
    const void* data = nullptr;
    std::size_t bytes = 0;
    bool operator==(const Stamp&) const = default;
  };
  struct Slot {
    StreamBuffer filled;  // by the CPU
    GlBuffer shared;      // written by CUDA
    std::size_t shared_bytes = 0;
    std::size_t filled_bytes = 0;  // of one of its two halves, at the most so far
    GLuint name = 0;               // of the one that holds the stamp's contents
    Stamp stamp;
  };

  std::map<std::string, Slot> slots;
  TransferReport report;
  std::uint64_t counted_sequence = 0;
  bool through_host = false;
#if SIMSCOPE_HAVE_CUDA
  std::unique_ptr<CudaTransfer> cuda;
#endif

  ~Impl() {
    dropBuffers();
  }

  void dropBuffers() noexcept {
#if SIMSCOPE_HAVE_CUDA
    if (cuda) {
      for (const auto& [key, slot] : slots) cuda->forget(slot.shared.get());
    }
#endif
    slots.clear();
  }

  // Of another simulation: as many as there are would gather else, in the device's memory.
  void dropAllBut(const Frame& frame) {
    std::erase_if(slots, [&](const auto& each) {
      const Channel* channel = frame.find(each.first);
      if (channel && !channel->data.empty()) return false;
#if SIMSCOPE_HAVE_CUDA
      if (cuda && each.second.shared) cuda->forget(each.second.shared.get());
#endif
      return true;
    });
  }

  void fromHost(Slot& slot, const Channel& channel, const compute::Fence& ready) {
    ready.wait();
    slot.name = slot.filled.fill(channel.data.data(), channel.data.bytes());
    slot.filled_bytes = std::max(slot.filled_bytes, channel.data.bytes());
    sayHost();
  }

  void countBuffers() {
    report.buffer_bytes = 0;
    for (const auto& [key, slot] : slots) report.buffer_bytes += slot.shared_bytes + 2 * slot.filled_bytes;
  }

  void sayHost() {
    report.path = TransferPath::HostMemory;
    report.text = "interop: not needed (CPU)";
  }

  void fromCuda(Slot& slot, const Channel& channel, const compute::Fence& ready) {
#if SIMSCOPE_HAVE_CUDA
    const std::size_t bytes = channel.data.bytes();
    bool within = cuda->interop() && !through_host;
    if (within) {
      if (!slot.shared || slot.shared_bytes != bytes) {
        if (slot.shared) cuda->forget(slot.shared.get());
        slot.shared = makeBuffer();
        slot.shared_bytes = bytes;
        glNamedBufferData(slot.shared.get(), static_cast<GLsizeiptr>(bytes), nullptr, GL_DYNAMIC_DRAW);
        checkGl("making a buffer for a channel");
      }
      within = cuda->copy(slot.shared.get(), channel.data.data(), bytes, ready);
      slot.name = slot.shared.get();
    }
    if (!within) {
      slot.name = slot.filled.fill(cuda->toHost(channel.data.data(), bytes, ready), bytes);
      slot.filled_bytes = std::max(slot.filled_bytes, bytes);
      report.host_bytes += bytes;
    }
    report.path = within ? TransferPath::DeviceToDevice : TransferPath::PinnedCopy;
    report.text = through_host && cuda->interop() ? "interop: switched off, through pinned memory" : cuda->text();
#else
    (void)slot, (void)channel, (void)ready;
    throw Error("This build has no CUDA backend, so it cannot draw data in CUDA memory.");
#endif
  }

  // Buffers registered with one CUDA device are of no use to another, nor to the CPU.
  void follow(const compute::Device& device) {
#if SIMSCOPE_HAVE_CUDA
    if (device.isCuda() ? cuda && cuda->device() == device.info().index : !cuda) return;
    dropBuffers();
    cuda.reset();
    if (device.isCuda()) cuda = std::make_unique<CudaTransfer>(device.info().index);
#else
    (void)device;
#endif
  }
};

std::size_t liveRegistrations() noexcept {
#if SIMSCOPE_HAVE_CUDA
  return CudaTransfer::registrations();
#else
  return 0;
#endif
}

Transfer::Transfer() : impl_(std::make_unique<Impl>()) {}
Transfer::~Transfer() = default;

const float* Transfer::host(const Frame& frame, const std::string& key) {
  const Channel& channel = existing(frame, key);
  if (channel.data.device()->isCuda()) return nullptr;
  impl_->follow(*channel.data.device());
  frame.ready.wait();
  impl_->sayHost();
  impl_->report.host_bytes = 0;
  return channel.data.data();
}

unsigned Transfer::buffer(const Frame& frame, const std::string& key) {
  const Channel* channel = &existing(frame, key);
  const compute::Device& device = *channel->data.device();
  impl_->follow(device);

  if (impl_->counted_sequence != frame.sequence) {
    impl_->counted_sequence = frame.sequence;
    impl_->report.host_bytes = 0;
    impl_->report.milliseconds = 0;
    impl_->dropAllBut(frame);
  }
  Impl::Slot& slot = impl_->slots[key];
  const Impl::Stamp stamp{frame.sequence, frame.steps, frame.time, channel->data.data(), channel->data.bytes()};
  // Frames made by hand carry no sequence; there is no telling whether their contents changed.
  if (frame.sequence != 0 && slot.stamp == stamp) return slot.name;
  slot.stamp = {};  // where this fails, the buffer holds nothing that can be trusted
  const auto start = std::chrono::steady_clock::now();
  if (device.isCuda()) {
    impl_->fromCuda(slot, *channel, frame.ready);
  } else {
    impl_->fromHost(slot, *channel, frame.ready);
  }
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
  impl_->report.milliseconds += took.count();
  impl_->countBuffers();
  slot.stamp = stamp;
  return slot.name;
}

void Transfer::sendThroughHost(bool wanted) {
  if (std::exchange(impl_->through_host, wanted) == wanted) return;
  for (auto& [key, slot] : impl_->slots) slot.stamp = {};  // the frame at hand comes the new way, too
}

const TransferReport& Transfer::report() const noexcept {
  return impl_->report;
}

}  // namespace simscope::render
