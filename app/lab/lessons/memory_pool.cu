#include <fmt/format.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::lab::memory_pool {

struct Fill {
  float* to;
  SIMSCOPE_HD static float at(std::size_t i) { return static_cast<float>(i & 1023); }
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = at(i); }
};

namespace {

constexpr double kSmallest = 4096;

using Parameters = knobs::Sizes<1 << 28, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Largest block",
                                                                   .unit = "B",
                                                                   .minimum = 1 << 16,
                                                                   .maximum = 1 << 30,
                                                                   .help = "Smaller if the memory is too small"});
  return all;
}

// Allocates memory for n numbers, calls with it, frees it.
using With = std::function<void(std::size_t n, const std::function<void(float*)>& use)>;

// Fills a block, in memory that `with` provides.
Way filling(const std::string& title, const compute::DevicePtr& device, const With& with) {
  const auto fill = [=](std::size_t bytes) {
    const std::size_t n = bytes / sizeof(float);
    with(n, [&](float* memory) { compute::parallelFor(*device, n, Fill{memory}); });
  };
  const auto check = [=](std::size_t bytes) {
    std::vector<float> filled(bytes / sizeof(float));
    with(filled.size(), [&](float* memory) {
      compute::parallelFor(*device, filled.size(), Fill{memory});
      device->download(filled.data(), memory, filled.size() * sizeof(float));
    });
    bool right = true;
    for (std::size_t i = 0; i < filled.size(); ++i) right = right && filled[i] == Fill::at(i);
    requireRight(right, title + ": the memory does not hold what was written");
  };
  return {.title = title, .device = device, .prepare = tasks(fill, check)};
}

void addDevice(std::vector<Way>& ways, const compute::DevicePtr& device, compute::Buffer<float>& kept) {
  const std::string name = device->isCuda() ? "GPU" : "CPU";
  ways.push_back(
      filling(name + ", allocated each time", device, [device](std::size_t n, const std::function<void(float*)>& use) {
        compute::Buffer<float> fresh(device, n);
        use(fresh.data());
      }));
  ways.push_back(filling(name + ", kept", device,
                         [&kept](std::size_t, const std::function<void(float*)>& use) { use(kept.data()); }));
}

#if SIMSCOPE_HAVE_CUDA

// A separate pool, which keeps its memory until it is destroyed.
class Pool {
 public:
  Pool() = default;
  explicit Pool(int device) {
    cudaMemPoolProps properties{};
    properties.allocType = cudaMemAllocationTypePinned;
    properties.location = {cudaMemLocationTypeDevice, device};
    SIMSCOPE_CUDA_CHECK(cudaMemPoolCreate(&pool_, &properties));
    std::uint64_t all = ~std::uint64_t{0};
    SIMSCOPE_CUDA_CHECK(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &all));
  }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;
  ~Pool() {
    if (pool_) (void)cudaMemPoolDestroy(pool_);
  }
  cudaMemPool_t get() const { return pool_; }

 private:
  cudaMemPool_t pool_ = nullptr;
};

void addPool(std::vector<Way>& ways, const Bench& bench, std::vector<std::string>& notes) {
  int supported = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, bench.cuda->info().index));
  if (!supported) {
    notes.push_back("GPU, from a pool: this GPU's driver has no memory pools");
    return;
  }
  (void)bench.cuda->stream();
  const auto pool = std::make_shared<Pool>(bench.cuda->info().index);
  ways.push_back(filling("GPU, from a pool", bench.cuda,
                         [pool, device = bench.cuda](std::size_t n, const std::function<void(float*)>& use) {
                           const auto stream = static_cast<cudaStream_t>(device->stream());
                           void* memory = nullptr;
                           SIMSCOPE_CUDA_CHECK(
                               cudaMallocFromPoolAsync(&memory, n * sizeof(float), pool->get(), stream));
                           try {
                             use(static_cast<float*>(memory));
                           } catch (...) {
                             (void)cudaFreeAsync(memory, stream);
                             throw;
                           }
                           SIMSCOPE_CUDA_CHECK(cudaFreeAsync(memory, stream));
                         }));
}

#endif

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Sweep sweep{.sizes = sizesBetween(kSmallest, fitting(bench, p.largest, {.host = 8, .gpu = 8}), p.per_decade)};
  const auto most = static_cast<std::size_t>(sweep.sizes.back()) / sizeof(float) + 1;
  Result result;
  compute::Buffer<float> host_kept(bench.cpu, most), gpu_kept;
  addDevice(sweep.ways, bench.cpu, host_kept);
#if SIMSCOPE_HAVE_CUDA
  if (bench.cuda) {
    gpu_kept = compute::Buffer<float>(bench.cuda, most);
    addDevice(sweep.ways, bench.cuda, gpu_kept);
    addPool(sweep.ways, bench, result.notes);
  }
#endif
  sweep.time(bench);

  result.columns = {{"Smallest", "s"}, {"Largest", "s"}, {"Written at the largest", "B/s"}, limitShare("Of the limit")};
  sweep.addRows(result, [&](const Way& way, double bytes, double seconds) {
    const double rate = carried(bytes / seconds, seconds);
    // The limit counts bytes read and written; filling only writes.
    return Row{.name = way.title,
               .values = {way.atSmallest(), seconds, rate, bench.memoryShare(way.device, rate)},
               .headroom = headroomOf(way.device, bytes)};
  });
  sweep.drawTimes(result.chart, "Time to get memory, fill it, and give it back", {.title = "size", .unit = "B"});
  result.noteLackOfCuda(bench);

  const std::vector<Way>& ways = sweep.ways;
  const auto slower = [&](std::size_t a, std::size_t b) { return ways[a].atSmallest() / ways[b].atSmallest(); };
  result.finding = fmt::format(
      "On this machine's CPU it takes {} to fill newly allocated memory as kept memory, at the largest size",
      timesAs(ways[0].atLargest() / ways[1].atLargest(), "long"));
  if (bench.cuda) {
    result.finding += fmt::format("; on its GPU {} at the smallest", timesAs(slower(2, 3), "long"));
    if (ways.size() > 4) result.finding += fmt::format(", and {} from a pool", timesAs(slower(4, 3), "long"));
  }
  result.finding += ".";
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "memory_pool",
      .title = "Memory pool",
      .text =
          "Memory costs time before it holds anything. A plain allocation on a GPU changes its address tables, and "
          "freeing the memory waits for all work that might use it. A pool keeps freed memory and hands it out again "
          "in the order of the stream's work, so nothing waits. On the CPU, large blocks come from the system page by "
          "page, and each page is cleared when it is first touched. Memory that is kept as long as it is needed has "
          "none of these costs. Here all ways fill the same block.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::memory_pool
