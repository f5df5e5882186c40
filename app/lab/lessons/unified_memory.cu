#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <utility>
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

namespace simscope::lab::unified_memory {

struct Double {
  const float* from;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = 2 * from[i]; }
};

namespace {

constexpr double kSmallest = 4096;

using Parameters = knobs::Sizes<1 << 27, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Largest array",
                                                                   .unit = "B",
                                                                   .minimum = 1 << 16,
                                                                   .maximum = 1 << 30,
                                                                   .help = "Smaller if the memory is too small"});
  return all;
}

void write(float* to, std::size_t n) {
  for (std::size_t i = 0; i < n; ++i) to[i] = static_cast<float>(i & 255);
}
double sum(const float* from, std::size_t n) {
  double parts[4] = {};
  for (std::size_t i = 0; i + 4 <= n; i += 4) {
    for (std::size_t j = 0; j < 4; ++j) parts[j] += static_cast<double>(from[i + j]);
  }
  for (std::size_t i = n / 4 * 4; i < n; ++i) parts[0] += static_cast<double>(from[i]);
  return parts[0] + parts[1] + parts[2] + parts[3];
}

// The host writes the numbers of an array, the device doubles them, the host adds up the results. twice(n): waits.
Way doubling(const std::string& title, const compute::DevicePtr& device, float* host, const OfSize& twice) {
  const auto total = std::make_shared<double>(0);
  const auto run = [=](std::size_t bytes) {
    const std::size_t n = bytes / sizeof(float);
    write(host, n);
    twice(n);
    *total = sum(host, n);
  };
  const auto check = [=](std::size_t bytes) {
    double expected = 0;
    for (std::size_t i = 0; i < bytes / sizeof(float); ++i) expected += 2 * static_cast<double>(i & 255);
    requireRight(*total == expected, title + ": the numbers were not doubled once");
  };
  return {.title = title, .device = device, .prepare = tasks(run, check), .timed_by = TimedBy::Host};
}

Way copiedThere(const compute::DevicePtr& device, float* host, float* there) {
  return doubling(device->isCuda() ? "GPU, copied there and back" : "CPU, copied as if to a GPU", device, host,
                  [=](std::size_t n) {
                    device->upload(there, host, n * sizeof(float));
                    compute::parallelFor(*device, n, Double{there, there});
                    device->download(host, there, n * sizeof(float));
                  });
}

#if SIMSCOPE_HAVE_CUDA

class Managed {
 public:
  Managed() = default;
  explicit Managed(std::size_t bytes) { SIMSCOPE_CUDA_CHECK(cudaMallocManaged(&memory_, bytes)); }
  Managed(Managed&& other) noexcept : memory_(std::exchange(other.memory_, nullptr)) {}
  Managed& operator=(Managed&& other) noexcept {
    std::swap(memory_, other.memory_);
    return *this;
  }
  ~Managed() {
    if (memory_) (void)cudaFree(memory_);
  }
  float* data() const { return static_cast<float*>(memory_); }

 private:
  void* memory_ = nullptr;
};

// The memory moves to the device, or with a negative device to the host.
void prefetch(float* memory, std::size_t bytes, int device, cudaStream_t stream) {
#if CUDART_VERSION >= 13000
  cudaMemLocation place{};
  place.type = device < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  place.id = std::max(device, 0);
  SIMSCOPE_CUDA_CHECK(cudaMemPrefetchAsync(memory, bytes, place, 0, stream));
#else
  SIMSCOPE_CUDA_CHECK(cudaMemPrefetchAsync(memory, bytes, device < 0 ? cudaCpuDeviceId : device, stream));
#endif
}

bool has(const Bench& bench, cudaDeviceAttr attribute) {
  int value = 0;
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&value, attribute, bench.cuda->info().index));
  return value != 0;
}

void addManaged(std::vector<Way>& ways, const Bench& bench, Managed& managed, std::size_t most,
                std::vector<std::string>& notes) {
  const compute::DevicePtr device = bench.cuda;
  if (!has(bench, cudaDevAttrManagedMemory)) {
    notes.push_back("Unified memory: this GPU has none");
    return;
  }
  (void)device->stream();
  managed = Managed(most * sizeof(float));
  float* const memory = managed.data();
  ways.push_back(doubling("GPU, unified memory", device, memory, [device, memory](std::size_t n) {
    compute::parallelFor(*device, n, Double{memory, memory});
    device->synchronize();
  }));
  if (!has(bench, cudaDevAttrConcurrentManagedAccess)) {
    notes.push_back("Unified memory, moved ahead: this system moves it as a whole at each launch");
    return;
  }
  ways.push_back(doubling("GPU, unified memory, moved ahead", device, memory, [device, memory](std::size_t n) {
    const auto stream = static_cast<cudaStream_t>(device->stream());
    prefetch(memory, n * sizeof(float), device->info().index, stream);
    compute::parallelFor(*device, n, Double{memory, memory});
    prefetch(memory, n * sizeof(float), -1, stream);
    device->synchronize();
  }));
}

#endif

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Sweep sweep{.sizes = sizesBetween(kSmallest, fitting(bench, p.largest, {.host = 8, .gpu = 4}), p.per_decade)};
  const auto most = static_cast<std::size_t>(sweep.sizes.back()) / sizeof(float) + 1;
  Result result;
  std::vector<float> host(most);
  compute::Buffer<float> there(bench.best(), most);
  sweep.ways.push_back(doubling("CPU, in place", bench.cpu, host.data(), [&](std::size_t n) {
    compute::parallelFor(*bench.cpu, n, Double{host.data(), host.data()});
  }));
  sweep.ways.push_back(copiedThere(bench.best(), host.data(), there.data()));
#if SIMSCOPE_HAVE_CUDA
  Managed managed;
  if (bench.cuda) addManaged(sweep.ways, bench, managed, most, result.notes);
#endif
  sweep.time(bench);

  result.columns = {
      {"Smallest", "s"}, {"Largest", "s"}, {"Array at the largest", "B/s"}, limitShare("Of the CPU's limit")};
  sweep.addRows(result, [&](const Way& way, double bytes, double seconds) {
    const double rate = carried(bytes / seconds, seconds);
    // The host writes and reads the array in every way: its memory sets the limit for these two.
    return Row{.name = way.title,
               .values = {way.atSmallest(), seconds, rate, bench.memoryShare(bench.cpu, 2 * rate)},
               .headroom = headroomOf(bench.cpu, bytes)};
  });
  sweep.drawTimes(result.chart, "Time to write on the host, double on the device, and add up on the host",
                  {.title = "size", .unit = "B"});
  result.noteLackOfCuda(bench, "so no unified memory");
  const std::vector<Way>& ways = sweep.ways;
  const auto against = [&](std::size_t a, std::size_t b) {
    return timesAs(ways[a].atLargest() / ways[b].atLargest(), "long");
  };
  if (!bench.cuda) {
    result.finding =
        fmt::format("On this machine the largest array takes {} with copies there and back as without.", against(1, 0));
    return result;
  }
  result.finding =
      fmt::format("On this machine the largest array takes {} by copies as on the CPU alone", against(1, 0));
  if (ways.size() > 2) result.finding += fmt::format(", by unified memory {} as by copies", against(2, 1));
  if (ways.size() > 3) result.finding += fmt::format(", and {} if it is moved ahead", against(3, 1));
  result.finding += ".";
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "unified_memory",
      .title = "Unified memory",
      .text =
          "Unified memory has one address on host and GPU, and its pages move to the side that touches them. Programs "
          "become simpler, because they contain no copies. The bytes still cross the bus. If they cross page by page, "
          "each after a page fault, this takes longer than one copy. If the program says in advance where data will be "
          "needed, the driver moves it all at once. Here the host writes an array, the device doubles it, and the host "
          "adds it up: the worst case, because all data moves both ways each time.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::unified_memory
