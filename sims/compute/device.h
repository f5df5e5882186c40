// Where a simulation computes: the CPU with N threads (oneTBB), or one CUDA device with one stream. Several of them can
// make one run: the first then stands for all, and crew() has the others.
//
// Owner: the holders of the DevicePtr; buffers and plans hold one too, so a device outlives everything it gave out.
// Thread: a Device and what lives on it are used by one thread at a time. The exceptions are marked.
// Work on a CUDA device is asynchronous on stream(); on the CPU it is done when the call returns.
// Errors: simscope::Error (a CUDA call failed: call, file, line, what to do), OutOfMemory, UsageError (bad spec).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sims/compute/error.h"
#include "sims/compute/function_ref.h"
#include "sims/compute/ranks/message.h"

namespace simscope::compute {

enum class Backend { Cpu, Cuda };

struct DeviceInfo {
  Backend backend = Backend::Cpu;
  int index = 0;           // of the CUDA device; 0 for the CPU
  std::string id;          // "cpu", "cuda:0": what --device takes
  std::string name;        // "AMD EPYC …", "NVIDIA H100 …"
  std::size_t memory = 0;  // bytes installed
  int threads = 0;         // CPU: worker threads; CUDA: multiprocessors
  std::string detail;      // "compute capability 9.0", or an empty text
  // Of several devices that make runs together: each of them, and the transport of messages between them. The id,
  // memory, and threads above are those of all: "cuda:0+1".
  std::vector<DeviceInfo> members = {};
  std::string link = {};
};

// What a device has done since it was opened. Bytes count explicit copies between host and device memory;
// on the CPU backend there is no bus, so they stay zero.
struct Counters {
  std::uint64_t launches = 0;  // kernels, or parallel loops on the CPU
  std::uint64_t bytes_to_device = 0;
  std::uint64_t bytes_to_host = 0;
  double milliseconds = 0;  // spent in timed sections (Device::timed)
};

class Crew;
class Device;
class Ranks;
using DevicePtr = std::shared_ptr<Device>;

class Device : public std::enable_shared_from_this<Device> {
 public:
  // spec: "auto" (a CUDA device if one answers, else the CPU), "cpu", "cuda", "cuda:<index>"; or several that make runs
  // together: "cuda:0+1", "cuda:all" (all that answer; where there is one, that one), "cpu+cpu".
  // threads: CPU worker threads, of all together; 0 takes all cores. UsageError for a bad spec or negative threads;
  // Error where CUDA was requested by name and does not answer (the message says why).
  static DevicePtr open(std::string_view spec = "auto", int threads = 0);

  // The CPU first, then every CUDA device that answers. Never throws for a missing driver.
  static std::vector<DeviceInfo> available();
  // Why there is no CUDA device (no driver, built without CUDA, ...); empty where there is one. Any thread.
  static std::string whyNoCuda();

  // A name that is unique among all CUDA devices, also of other machines; empty where there is no such device.
  static std::string identityOfCuda(int index);

  virtual ~Device() = default;
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const DeviceInfo& info() const noexcept { return info_; }
  bool isCuda() const noexcept { return info_.backend == Backend::Cuda; }

  // cudaStream_t of a CUDA device; null on the CPU. Makes the device current on the calling thread, which a launch on
  // its stream requires.
  virtual void* stream() const noexcept { return nullptr; }
  // Bytes that can still be allocated (free memory of the GPU; available memory of the host).
  virtual std::size_t memoryFree() const = 0;

  // Raw memory of `bytes` (64-byte aligned at least). Throws OutOfMemory with the numbers. `bytes` of 0 gives null.
  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) noexcept = 0;
  // Memory for faster messages: exchange() with memory of the same kind only. All ranks call it, in the same order;
  // without ranks it is ordinary memory.
  virtual void* allocateForMessages(std::size_t bytes) { return allocate(bytes); }
  // The addresses, by rank, at which kernels of this device read and write the memory that each rank got from the same
  // call of allocateForMessages(); empty on all ranks where one of them cannot. Kernels see what others have written
  // after the next meet().
  virtual std::vector<void*> reached(const void* memory) const {
    (void)memory;
    return {};
  }

  // Copies, in stream order. upload and download return when the host memory may be reused or read.
  virtual void upload(void* device, const void* host, std::size_t bytes) = 0;
  virtual void download(void* host, const void* device, std::size_t bytes) = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes) = 0;  // within the device
  virtual void zero(void* memory, std::size_t bytes) = 0;

  // Waits for everything enqueued. Errors of earlier kernels surface here.
  virtual void synchronize() = 0;

  // Runs `body` inside this device's thread arena (CPU), or plainly (CUDA). Parallel loops nest inside.
  virtual void run(FunctionRef<void()> body) = 0;

  // Runs `body`, waits, adds the time between to counters().milliseconds and returns it [ms]. CUDA: device events.
  virtual double timed(FunctionRef<void()> body) = 0;
  // The same for work that the body enqueues without waiting: the device begins when all of it is enqueued (or after
  // about a tenth of a millisecond), so that the host's time for enqueueing does not count.
  virtual double timedWork(FunctionRef<void()> body) { return timed(body); }

  // Of several devices that make runs together: their threads and themselves (sims/compute/ranks/crew.h). This device
  // then uses the first one's memory and a stream of its own, on which frames are read; the simulations are on the
  // crew's devices. Null: it stands for itself only.
  Crew* crew() const noexcept { return crew_.get(); }

  // The ranks that make runs on this device together (sims/compute/ranks/ranks.h), each on a device of its own; null:
  // this process makes them alone. Simulations that Description::decomposition divides use it.
  Ranks* ranks() const noexcept { return ranks_.get(); }
  // All ranks call it; null leaves the ranks. Separate CUDA devices are linked by NCCL if it is available, others
  // through the host's memory. Errors: as Ranks.
  virtual void join(std::shared_ptr<Ranks> ranks) { ranks_ = std::move(ranks); }
  // What carries exchange(): "NCCL 2.27", "host memory"; empty without ranks.
  virtual std::string link() const { return ranks_ ? "host memory" : ""; }

  // As Ranks::exchange, from and to memory of this device and in stream order; all ranks call it, and ranks() must not
  // be null. Aside: the exchange begins when the work enqueued before the last mark() is done, and runs beside the work
  // enqueued since. Nothing that touches that memory may be enqueued before awaitExchange() of this exchange or a later
  // one: exchanges aside are made one after the other. The result identifies the exchange. On the CPU it is done when
  // the call returns.
  enum class Order { Stream, Aside };
  using Exchange = std::uint64_t;
  static constexpr Exchange kLastExchange = ~Exchange{0};
  virtual Exchange exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received,
                            Order order = Order::Stream) = 0;
  // All ranks call it. Work enqueued after it begins when all work that any rank enqueued before it is done.
  virtual void meet();
  virtual void mark() {}
  virtual void awaitExchange(Exchange exchange = kLastExchange) { (void)exchange; }
  // As an exchange aside, but a copy, without a kernel, from this device's memory to an address from reached().
  virtual Exchange copyAside(void* to, const void* from, std::size_t bytes) {
    copy(to, from, bytes);
    return 0;
  }

  const Counters& counters() const noexcept { return counters_; }
  void countLaunches(std::uint64_t n = 1) noexcept { counters_.launches += n; }
  void countTransfers(std::uint64_t to_device, std::uint64_t to_host) noexcept {
    counters_.bytes_to_device += to_device;
    counters_.bytes_to_host += to_host;
  }

 protected:
  Device() = default;
  static DevicePtr openSeveral(std::string_view spec, int threads);  // device_several.cpp

  DeviceInfo info_;
  std::shared_ptr<Crew> crew_;
  std::shared_ptr<Ranks> ranks_;
  Counters counters_;
};

// A point in a device's stream of work that others can wait for. On the CPU it is always passed.
// Recorded by the device's thread; wait() and passed() may be called from another thread.
class Fence {
 public:
  Fence() = default;
  explicit Fence(const Device& device);
  ~Fence();
  Fence(Fence&& other) noexcept;
  Fence& operator=(Fence&& other) noexcept;

  void record(const Device& device);               // after everything enqueued so far
  void wait() const;                               // blocks the calling thread
  bool passed() const;                             // without waiting
  void enqueueWait(void* cuda_stream) const;       // makes another stream wait; no-op on the CPU
  void* event() const noexcept { return event_; }  // cudaEvent_t, or null

 private:
  void* event_ = nullptr;
  int device_ = -1;  // index of the CUDA device that the event belongs to
};

}  // namespace simscope::compute
