#include "sims/compute/cuda/cuda_link.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <set>
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

class ByNccl final : public CudaLink {
 public:
  explicit ByNccl(Ranks& ranks) : ranks_(ranks) {
    ncclUniqueId id{};
    if (ranks.first()) require(SIMSCOPE_NCCL(ncclGetUniqueId)(&id), "ncclGetUniqueId");
    ranks.broadcast(std::as_writable_bytes(std::span(&id, 1)));
    // Nothing here may wait without an end, as a call that blocks does where another rank has died.
    ncclConfig_t config = NCCL_CONFIG_INITIALIZER;
    config.blocking = 0;
    settle(SIMSCOPE_NCCL(ncclCommInitRankConfig)(&communicator_, ranks.size(), id, ranks.rank(), &config),
           "ncclCommInitRankConfig");
    meetNeighbours();
  }
  ~ByNccl() override { abandon(); }

  std::string name() const override {
    int version = 0;
    if (SIMSCOPE_NCCL(ncclGetVersion)(&version) != ncclSuccess) return "NCCL";
    return fmt::format("NCCL {}.{}", version / 10000, version / 100 % 100);
  }

  void exchange(std::span<const RankMessage> sent, std::span<const RankMessage> received,
                cudaStream_t stream) override {
    if (!communicator_) throw Error("NCCL: the link to the other ranks was given up before");
    ranks_.countExchange(sent);
    require(SIMSCOPE_NCCL(ncclGroupStart)(), "ncclGroupStart");
    for (const RankMessage& each : received) {
      if (each.bytes == 0) continue;
      expectUnderWay(SIMSCOPE_NCCL(ncclRecv)(each.data, each.bytes, ncclInt8, each.rank, communicator_, stream));
    }
    for (const RankMessage& each : sent) {
      if (each.bytes == 0) continue;
      expectUnderWay(SIMSCOPE_NCCL(ncclSend)(each.data, each.bytes, ncclInt8, each.rank, communicator_, stream));
    }
    try {
      settle(SIMSCOPE_NCCL(ncclGroupEnd)(), "a message between devices");
    } catch (...) {
      abandon();  // memory that is on its way must be free before it goes
      throw;
    }
  }

  void abandon() noexcept override {
    if (communicator_) (void)SIMSCOPE_NCCL(ncclCommAbort)(communicator_);
    communicator_ = nullptr;
  }

 private:
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
  [[noreturn]] void fail(ncclResult_t result, const char* what) {
    throw Error(fmt::format("NCCL: {}: {}", what, SIMSCOPE_NCCL(ncclGetErrorString)(result)));
  }
  void require(ncclResult_t result, const char* what) {
    if (result != ncclSuccess) fail(result, what);
  }
  void expectUnderWay(ncclResult_t result) {
    if (result != ncclSuccess && result != ncclInProgress) fail(result, "a message between devices");
  }
  // Until the call that has begun is over: its work is then on the stream.
  void settle(ncclResult_t result, const char* what) {
    if (result == ncclSuccess) return;
    if (result != ncclInProgress) fail(result, what);
    ranks_.waitFor(
        [&] {
          ncclResult_t state = ncclSuccess;
          require(SIMSCOPE_NCCL(ncclCommGetAsyncError)(communicator_, &state), what);
          if (state == ncclInProgress) return false;
          require(state, what);
          return true;
        },
        what, Ranks::Look::Soon);
  }

  Ranks& ranks_;
  ncclComm_t communicator_ = nullptr;
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
  if (own && there > 0) return std::make_unique<ByNccl>(ranks);
#else
  (void)index;
#endif
  return std::make_unique<ByHost>(ranks);
}

}  // namespace simscope::compute
