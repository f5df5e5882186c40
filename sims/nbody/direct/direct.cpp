#include "sims/nbody/direct/direct.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sims/compute/loops/detail/cpu_blocks.h"
#include "sims/compute/ranks/blocks.h"
#include "sims/core/words.h"
#include "sims/nbody/direct/kernels.h"

namespace simscope::nbody {
namespace {

class DirectOnCpu final : public FieldSolver {
 public:
  explicit DirectOnCpu(compute::DevicePtr device)
      : device_(std::move(device)), kernels_(supportedDirectKernels().widest()) {}

  void field(const Vec4* sources, int n, double softening, Vec4* out) override {
    sum(kernels_.field, sources, n, softening, out);
  }
  void force(const Vec4* sources, int n, double softening, Vec4* out) override {
    sum(kernels_.force, sources, n, softening, out);
  }
  std::string method() const override {
    return fmt::format("all pairs, {}, {}", counted(device_->info().threads, "thread"), kernels_.name);
  }

 private:
  static constexpr int kBlock = 4 * kDirectLanes;  // bodies that a thread takes at a time

  struct Work {
    DirectBlock own;
    void (*kernel)(const DirectBlock&);
    static void run(const void* context, std::size_t block) {
      const Work& self = *static_cast<const Work*>(context);
      DirectBlock part = self.own;
      part.first += static_cast<int>(block) * kBlock;
      part.count = std::min(kBlock, self.own.first + self.own.count - part.first);
      self.kernel(part);
    }
  };

  void sum(void (*kernel)(const DirectBlock&), const Vec4* sources, int n, double softening, Vec4* out) {
    const double soft = std::max(softening, kLeastSoftening);
    compute::Ranks* const ranks = device_->ranks();
    const compute::Cuts cuts =
        compute::equalCuts(static_cast<std::uint64_t>(n), ranks ? ranks->size() : 1, kDirectLanes);
    const std::size_t rank = ranks ? static_cast<std::size_t>(ranks->rank()) : 0;
    const int first = static_cast<int>(cuts[rank]), count = static_cast<int>(cuts[rank + 1]) - first;
    const Work work{{reinterpret_cast<const float*>(sources), n, static_cast<float>(soft * soft), first, count,
                     reinterpret_cast<float*>(out)},
                    kernel};
    device_->countLaunches();
    compute::detail::runBlocks(*device_, static_cast<std::size_t>((count + kBlock - 1) / kBlock), &Work::run, &work);
    if (ranks) compute::gatherBlocks(*ranks, out, cuts);
  }

  compute::DevicePtr device_;
  DirectKernels kernels_;
};

}  // namespace

DirectSplit splitFor(int n, int multiprocessors) {
  // A multiprocessor wants two blocks at least, equal numbers of them, and warps with many more sources than the dozen
  // whose time it takes to begin and to end a block.
  constexpr double kWanted = 1.9, kOverhead = 12;
  constexpr int kMost = 16, kFewest = 32;
  DirectSplit best;
  best.tiles = (n - 1) / kDirectTile + 1;
  double best_score = 0;
  for (int splits = 1; splits <= kMost; ++splits) {
    const double share = static_cast<double>(n) / splits / kDirectWarps;
    if (splits > 1 && (share < kFewest || splits > kMostDirectParts / n)) break;
    const double blocks = static_cast<double>(best.tiles) * splits / multiprocessors;
    const double score = blocks / std::ceil(blocks) * std::min(1.0, blocks / kWanted) * share / (share + kOverhead);
    if (score <= best_score) continue;
    best_score = score;
    best.splits = splits;
  }
  constexpr int kGrain = kDirectWarps * kDirectUnroll;
  best.per_split = ((n - 1) / best.splits / kGrain + 1) * kGrain;
  best.splits = (n - 1) / best.per_split + 1;
  return best;
}

std::unique_ptr<FieldSolver> makeDirect(compute::DevicePtr device) {
#if SIMSCOPE_HAVE_CUDA
  if (device->isCuda()) return makeDirectOnCuda(std::move(device));
#endif
  return std::make_unique<DirectOnCpu>(std::move(device));
}

}  // namespace simscope::nbody
