#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
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

struct Parameters {
  int largest = 1 << 28;
  int per_decade = 2;
};

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
struct Way {
  std::string title;
  compute::DevicePtr device;
  With with;
  std::vector<double> seconds = {};
};

void addDevice(std::vector<Way>& ways, const compute::DevicePtr& device, compute::Buffer<float>& kept) {
  const std::string name = device->isCuda() ? "GPU" : "CPU";
  ways.push_back(
      {name + ", allocated each time", device, [device](std::size_t n, const std::function<void(float*)>& use) {
         compute::Buffer<float> fresh(device, n);
         use(fresh.data());
       }});
  ways.push_back(
      {name + ", kept", device, [&kept](std::size_t, const std::function<void(float*)>& use) { use(kept.data()); }});
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
  ways.push_back({"GPU, from a pool", bench.cuda,
                  [pool, device = bench.cuda](std::size_t n, const std::function<void(float*)>& use) {
                    const auto stream = static_cast<cudaStream_t>(device->stream());
                    void* memory = nullptr;
                    SIMSCOPE_CUDA_CHECK(cudaMallocFromPoolAsync(&memory, n * sizeof(float), pool->get(), stream));
                    try {
                      use(static_cast<float*>(memory));
                    } catch (...) {
                      (void)cudaFreeAsync(memory, stream);
                      throw;
                    }
                    SIMSCOPE_CUDA_CHECK(cudaFreeAsync(memory, stream));
                  }});
}

#endif

void requireFilled(const Way& way, const std::vector<float>& filled) {
  bool right = true;
  for (std::size_t i = 0; i < filled.size(); ++i) right = right && filled[i] == Fill::at(i);
  requireRight(right, way.title + ": the memory does not hold what was written");
}

double measured(const Way& way, const Bench& bench, std::size_t n) {
  compute::Device& device = *way.device;
  double seconds = 0;
  device.run([&] {
    std::vector<float> filled(n);
    way.with(n, [&](float* memory) {
      compute::parallelFor(device, n, Fill{memory});
      device.download(filled.data(), memory, n * sizeof(float));
    });
    requireFilled(way, filled);
    seconds = secondsOf(device, bench.check,
                        [&] { way.with(n, [&](float* memory) { compute::parallelFor(device, n, Fill{memory}); }); });
  });
  return seconds;
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double largest = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / 8);
  if (bench.cuda) largest = std::min(largest, static_cast<double>(bench.cuda->memoryFree()) / 8);
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);
  const auto most = static_cast<std::size_t>(sizes.back()) / sizeof(float) + 1;

  Result result;
  compute::Buffer<float> host_kept(bench.cpu, most), gpu_kept;
  std::vector<Way> ways;
  addDevice(ways, bench.cpu, host_kept);
#if SIMSCOPE_HAVE_CUDA
  if (bench.cuda) {
    gpu_kept = compute::Buffer<float>(bench.cuda, most);
    addDevice(ways, bench.cuda, gpu_kept);
    addPool(ways, bench, result.notes);
  }
#endif
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (Way& way : ways)
      way.seconds.push_back(measured(way, bench, static_cast<std::size_t>(sizes[k]) / sizeof(float)));
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  result.columns = {
      {"Smallest", "s"}, {"Largest", "s"}, {"Written at the largest", "B/s"}, {"Of the limit", "%", true}};
  for (const Way& way : ways) {
    const double last = way.seconds.back(), rate = carried(sizes.back() / last, last);
    // The limit counts bytes read and written; filling only writes.
    result.rows.push_back(
        {way.title, {way.seconds.front(), last, rate, rate / bench.limitsOf(way.device).bytes_per_second}});
    result.rows.back().headroom = headroomOf(way.device, sizes.back());
    result.chart.curves.push_back({way.title, way.seconds});
  }
  result.chart.title = "Time to get memory, fill it, and give it back";
  result.chart.x = {.title = "size", .unit = "B", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());

  const auto slower = [&](std::size_t a, std::size_t b, bool last) {
    return last ? ways[a].seconds.back() / ways[b].seconds.back() : ways[a].seconds.front() / ways[b].seconds.front();
  };
  result.finding = fmt::format(
      "On this machine's CPU it takes {} to fill newly allocated memory as kept memory, at the largest size",
      timesAs(slower(0, 1, true), "long"));
  if (!bench.cuda) {
    result.notes.push_back("No CUDA device: " + bench.no_cuda);
  } else {
    result.finding += fmt::format("; on its GPU {} at the smallest", timesAs(slower(2, 3, false), "long"));
    if (ways.size() > 4) result.finding += fmt::format(", and {} from a pool", timesAs(slower(4, 3, false), "long"));
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
