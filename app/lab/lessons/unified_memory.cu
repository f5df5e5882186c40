#include <fmt/format.h>

#include <algorithm>
#include <cmath>
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
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
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

struct Parameters {
  int largest = 1 << 27;
  int per_decade = 2;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Largest array",
                                                                   .unit = "B",
                                                                   .minimum = 1 << 16,
                                                                   .maximum = 1 << 30,
                                                                   .help = "Smaller if the memory is too small"});
  return all;
}

// The host writes the numbers, the device doubles them, the host adds up the results.
struct Way {
  std::string title;
  compute::DevicePtr device;
  float* host;                             // written and read by the host
  std::function<void(std::size_t)> twice;  // of n numbers; waits
  std::vector<double> seconds = {};
};

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

void copyThere(std::vector<Way>& ways, const compute::DevicePtr& device, std::vector<float>& host,
               compute::Buffer<float>& buffer) {
  ways.push_back({device->isCuda() ? "GPU, copied there and back" : "CPU, copied as if to a GPU", device, host.data(),
                  [&host, &buffer, device](std::size_t n) {
                    device->upload(buffer.data(), host.data(), n * sizeof(float));
                    compute::parallelFor(*device, n, Double{buffer.data(), buffer.data()});
                    device->download(host.data(), buffer.data(), n * sizeof(float));
                  }});
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
  ways.push_back({"GPU, unified memory", device, memory, [device, memory](std::size_t n) {
                    compute::parallelFor(*device, n, Double{memory, memory});
                    device->synchronize();
                  }});
  if (!has(bench, cudaDevAttrConcurrentManagedAccess)) {
    notes.push_back("Unified memory, moved ahead: this system moves it as a whole at each launch");
    return;
  }
  ways.push_back({"GPU, unified memory, moved ahead", device, memory, [device, memory](std::size_t n) {
                    const auto stream = static_cast<cudaStream_t>(device->stream());
                    prefetch(memory, n * sizeof(float), device->info().index, stream);
                    compute::parallelFor(*device, n, Double{memory, memory});
                    prefetch(memory, n * sizeof(float), -1, stream);
                    device->synchronize();
                  }});
}

#endif

void measureWay(const Bench& bench, Way& way, std::size_t n) {
  double total = 0;
  const double expected = [&] {
    double all = 0;
    for (std::size_t i = 0; i < n; ++i) all += 2 * static_cast<double>(i & 255);
    return all;
  }();
  way.device->run([&] {
    way.seconds.push_back(hostSecondsOf(bench.check, [&] {
      write(way.host, n);
      way.twice(n);
      total = sum(way.host, n);
    }));
  });
  requireRight(total == expected, way.title + ": the numbers were not doubled once");
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  double largest = std::min<double>(p.largest, static_cast<double>(bench.cpu->memoryFree()) / 8);
  if (bench.cuda) largest = std::min(largest, static_cast<double>(bench.cuda->memoryFree()) / 4);
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);
  const auto most = static_cast<std::size_t>(sizes.back()) / sizeof(float) + 1;

  Result result;
  std::vector<float> host(most);
  std::vector<Way> ways;
  ways.push_back({"CPU, in place", bench.cpu, host.data(), [&](std::size_t n) {
                    compute::parallelFor(*bench.cpu, n, Double{host.data(), host.data()});
                  }});
  compute::Buffer<float> there(bench.best(), most);
  copyThere(ways, bench.best(), host, there);
#if SIMSCOPE_HAVE_CUDA
  Managed managed;
  if (bench.cuda) addManaged(ways, bench, managed, most, result.notes);
#endif
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    for (Way& way : ways) measureWay(bench, way, static_cast<std::size_t>(sizes[k]) / sizeof(float));
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
  }

  result.columns = {
      {"Smallest", "s"}, {"Largest", "s"}, {"Array at the largest", "B/s"}, {"Of the CPU's limit", "%", true}};
  // The host writes and reads the array in every way: its memory sets the limit for these two.
  const double limit = bench.limitsOf(bench.cpu).bytes_per_second / 2;
  for (const Way& way : ways) {
    const double last = way.seconds.back(), rate = carried(sizes.back() / last, last);
    result.rows.push_back({way.title, {way.seconds.front(), last, rate, rate / limit}});
    result.rows.back().headroom = headroomOf(bench.cpu, sizes.back());
    result.chart.curves.push_back({way.title, way.seconds});
  }
  result.chart.title = "Time to write on the host, double on the device, and add up on the host";
  result.chart.x = {.title = "size", .unit = "B", .decades = true};
  result.chart.y = {.title = "time", .unit = "s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes.back());
  const auto against = [&](std::size_t a, std::size_t b) { return ways[a].seconds.back() / ways[b].seconds.back(); };
  if (!bench.cuda) {
    result.notes.push_back("No CUDA device, so no unified memory: " + bench.no_cuda);
    result.finding = fmt::format("On this machine the largest array takes {} with copies there and back as without.",
                                 timesAs(against(1, 0), "long"));
    return result;
  }
  result.finding = fmt::format("On this machine the largest array takes {} by copies as on the CPU alone",
                               timesAs(against(1, 0), "long"));
  if (ways.size() > 2)
    result.finding += fmt::format(", by unified memory {} as by copies", timesAs(against(2, 1), "long"));
  if (ways.size() > 3) result.finding += fmt::format(", and {} if it is moved ahead", timesAs(against(3, 1), "long"));
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
