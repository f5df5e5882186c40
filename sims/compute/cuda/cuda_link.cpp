#include "sims/compute/cuda/cuda_link.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <future>
#include <map>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#if __has_include(<nccl.h>)
#include <nccl.h>
#define SIMSCOPE_HAVE_NCCL 1
#else
#define SIMSCOPE_HAVE_NCCL 0
#endif

#include "sims/compute/cuda/cuda_device.h"
#include "sims/compute/cuda/cuda_handles.h"
#include "sims/compute/cuda/cuda_library.h"

namespace simscope::compute {
namespace {

// Waits for a stream of a device that others may keep waiting.
void await(Ranks& ranks, cudaStream_t stream) {
  ranks.waitFor(
      [stream] {
        const cudaError_t state = cudaStreamQuery(stream);
        if (state == cudaErrorNotReady) return false;
        SIMSCOPE_CUDA_CHECK(state);
        return true;
      },
      "a device", Ranks::Look::Soon);
}

class ByHost final : public CudaLink {
 public:
  explicit ByHost(Ranks& ranks) : ranks_(ranks) {}

  std::string name() const override { return "host memory"; }
  void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received,
                cudaStream_t stream) override {
    std::size_t bytes = 0;
    for (const RankMessage& each : sent) bytes += each.bytes;
    for (const RankMessage& each : received) bytes += each.bytes;
    if (bytes > capacity_) {
      staged_ = makePinned(bytes);
      capacity_ = bytes;
    }
    auto* at = static_cast<std::byte*>(staged_.get());
    const auto staged = [&at](std::span<const RankMessage> messages) {
      std::vector<RankMessage> all;
      for (const RankMessage& each : messages) {
        all.push_back({each.rank, at, each.bytes});
        at += each.bytes;
      }
      return all;
    };
    const std::vector<RankMessage> out = staged(sent), in = staged(received);
    for (std::size_t i = 0; i < out.size(); ++i) {
      SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(out[i].data, sent[i].data, out[i].bytes, cudaMemcpyDeviceToHost, stream));
    }
    await(ranks_, stream);
    ranks_.exchange(out, in);
    for (std::size_t i = 0; i < in.size(); ++i) {
      SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(received[i].data, in[i].data, in[i].bytes, cudaMemcpyHostToDevice, stream));
    }
    await(ranks_, stream);  // the same memory serves the next one
  }

 private:
  Ranks& ranks_;
  UniquePinned staged_;
  std::size_t capacity_ = 0;
};

#if SIMSCOPE_HAVE_NCCL

CudaLibrary& library() {
  static CudaLibrary nccl("NCCL", "libnccl.so.2");
  return nccl;
}
#define SIMSCOPE_NCCL(name) SIMSCOPE_CUDA_FUNCTION(library(), name)

bool ncclIsThere() {
  try {
    return SIMSCOPE_NCCL(ncclCommInitRankConfig) != nullptr;
  } catch (const Error&) {
    return false;
  }
}

void require(ncclResult_t result, const char* what) {
  if (result == ncclSuccess) return;
  throw Error(fmt::format("NCCL: {}: {}", what, SIMSCOPE_NCCL(ncclGetErrorString)(result)));
}

// A communicator whose calls block. They only enqueue, in 10 µs, but where two devices meet, or memory is used for the
// first time: there a call waits for the other rank, without an end where that has died. Such calls a thread makes,
// while this one listens to the others. (Those of a communicator that never blocks take 50 µs, each time.)
class ByNccl final : public CudaLink {
 public:
  ByNccl(Ranks& ranks, int index) : ranks_(ranks), index_(index) {
    ncclUniqueId id{};
    if (ranks.first()) require(SIMSCOPE_NCCL(ncclGetUniqueId)(&id), "ncclGetUniqueId");
    ranks.broadcast(std::as_writable_bytes(std::span(&id, 1)));
    const int size = ranks.size(), rank = ranks.rank();
    aside([communicator = communicator_, id, size, rank] {
      ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
      config.blocking = 1;
      require(SIMSCOPE_NCCL(ncclCommInitRankConfig)(communicator.get(), size, id, rank, &config),
              "ncclCommInitRankConfig");
    });
    meetNeighbours();
    // Tried between processes.
    const std::vector<std::string> all = ranks.gatherToAll(fmt::format("{} {}", ranks.machine(), getpid()));
    double can = knowsMemory() && std::set<std::string>(all.begin(), all.end()).size() == all.size() ? 1 : 0;
    ranks.minimum({&can, 1});
    reaches_ = can > 0;
  }
  ~ByNccl() override { abandon(); }

  std::string name() const override {
    int version = 0;
    if (SIMSCOPE_NCCL(ncclGetVersion)(&version) != ncclSuccess) return "NCCL";
    return fmt::format("NCCL {}.{}", version / 10000, version / 100 % 100);
  }

  void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received,
                cudaStream_t stream) override {
    if (!*communicator_) throw Error("NCCL: the link to the other ranks was closed earlier");
    ranks_.countExchange(sent);
    bool known = true;
    for (const std::span<const RankMessage> messages : {sent, received}) {
      for (const RankMessage& each : messages) {
        known = !known_.emplace(each.rank, introducedAt(each.data)).second && known;
      }
    }
    try {
      if (known) return enqueue(*communicator_, sent, received, stream);
      aside([communicator = communicator_, out = std::vector(sent.begin(), sent.end()),
             in = std::vector(received.begin(), received.end()), stream] { enqueue(*communicator, out, in, stream); });
    } catch (...) {
      abandon();  // memory that is on its way must be free before it goes
      throw;
    }
  }

  bool enqueues() const noexcept override { return true; }
  bool reaches() const noexcept override { return reaches_; }
  // Between memory of two kinds NCCL's messages are undefined; they were seen not to arrive (2.28).
  bool introduce(void* memory, std::size_t bytes) override {
    void* registration = nullptr;
    if (!*communicator_ ||
        SIMSCOPE_NCCL(ncclCommRegister)(*communicator_, memory, bytes, &registration) != ncclSuccess) {
      return false;
    }
    introduced_.emplace(memory, Introduced{bytes, registration});
    return true;
  }
  void forget(void* memory) noexcept override {
    const auto it = introduced_.find(memory);
    if (it == introduced_.end()) return;
    std::erase_if(known_, [memory](const auto& each) { return each.second == memory; });
    (void)SIMSCOPE_NCCL(ncclCommDeregister)(*communicator_, it->second.registration);
    introduced_.erase(it);
  }

  void abandon() noexcept override {
    if (*communicator_) (void)SIMSCOPE_NCCL(ncclCommAbort)(*communicator_);
    *communicator_ = nullptr;
    introduced_.clear();
  }

 private:
  struct Introduced {
    std::size_t bytes;
    void* registration;
  };
  const void* introducedAt(const void* data) const {  // null: in other memory
    auto after = introduced_.upper_bound(data);
    if (after == introduced_.begin()) return nullptr;
    const auto& [memory, of] = *--after;
    return static_cast<const std::byte*>(data) < static_cast<const std::byte*>(memory) + of.bytes ? memory : nullptr;
  }
  static bool knowsMemory() {  // from 2.19 on
    static const bool there = [] {
      try {
        return SIMSCOPE_NCCL(ncclCommRegister) && SIMSCOPE_NCCL(ncclCommDeregister);
      } catch (const Error&) {
        return false;
      }
    }();
    return there;
  }
  static void enqueue(ncclComm_t communicator, std::span<const RankMessage> sent, std::span<const RankMessage> received,
                      cudaStream_t stream) {
    constexpr const char* kWhat = "a message between devices";
    require(SIMSCOPE_NCCL(ncclGroupStart)(), kWhat);
    for (const RankMessage& each : received) {
      if (each.bytes == 0) continue;
      require(SIMSCOPE_NCCL(ncclRecv)(each.data, each.bytes, ncclInt8, each.rank, communicator, stream), kWhat);
    }
    for (const RankMessage& each : sent) {
      if (each.bytes == 0) continue;
      require(SIMSCOPE_NCCL(ncclSend)(each.data, each.bytes, ncclInt8, each.rank, communicator, stream), kWhat);
    }
    require(SIMSCOPE_NCCL(ncclGroupEnd)(), kWhat);
  }
  // By a thread, which is left behind where the call that it waits in cannot be ended: so it owns what it uses.
  void aside(std::function<void()> call) {
    auto task = std::make_shared<std::packaged_task<void()>>([index = index_, call = std::move(call)] {
      SIMSCOPE_CUDA_CHECK(cudaSetDevice(index));
      call();
    });
    std::future<void> done = task->get_future();
    std::thread([task] { (*task)(); }).detach();
    const auto over = [&](std::chrono::seconds most) { return done.wait_for(most) == std::future_status::ready; };
    try {
      ranks_.waitFor([&] { return over(std::chrono::seconds(0)); }, "devices that meet", Ranks::Look::Soon);
    } catch (...) {
      if (*communicator_) {
        (void)SIMSCOPE_NCCL(ncclCommAbort)(*communicator_);  // which ends the call
        (void)over(std::chrono::seconds(5));
        *communicator_ = nullptr;
      }
      throw;
    }
    done.get();
  }
  // The first message between two devices takes a fifth of a second (H200): those of neighbours are made here, and not
  // in the first step.
  void meetNeighbours() {
    const UniqueStream stream = makeStream();
    void* memory = nullptr;
    SIMSCOPE_CUDA_CHECK(cudaMalloc(&memory, 4));
    const UniqueDeviceMemory held(memory);
    auto* const byte = static_cast<std::byte*>(memory);
    const int size = ranks_.size(), before = (ranks_.rank() + size - 1) % size, after = (ranks_.rank() + 1) % size;
    const RankMessage sent[] = {{before, byte, 1}, {after, byte + 1, 1}};
    const RankMessage received[] = {{after, byte + 2, 1}, {before, byte + 3, 1}};
    exchange(sent, received, stream.get());
    await(ranks_, stream.get());
  }

  Ranks& ranks_;
  int index_;
  bool reaches_ = false;
  std::shared_ptr<ncclComm_t> communicator_ = std::make_shared<ncclComm_t>(nullptr);
  std::map<const void*, Introduced> introduced_;
  std::set<std::pair<int, const void*>> known_;  // ranks, and which of that memory has been used with them
};

#endif  // SIMSCOPE_HAVE_NCCL

}  // namespace

std::unique_ptr<CudaLink> CudaLink::make(Ranks& ranks, int index) {
#if SIMSCOPE_HAVE_NCCL
  // Two ranks of one device NCCL does not link.
  const std::vector<std::string> all = ranks.gatherToAll(CudaDevice::identity(index));
  const bool own = std::set<std::string>(all.begin(), all.end()).size() == all.size();
  double there = ncclIsThere() ? 1 : 0;
  ranks.minimum({&there, 1});
  if (own && there > 0) return std::make_unique<ByNccl>(ranks, index);
#else
  (void)index;
#endif
  return std::make_unique<ByHost>(ranks);
}

}  // namespace simscope::compute
