#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::lab::occupancy {

constexpr int kRounds = 32;

// kKept numbers are updated in parallel; in each round all of them change, each depending on the previous one. Numbers
// that do not fit in the registers are spilled to memory.
template <int kKept>
SIMSCOPE_HD float mixed(float start) {
  float kept[kKept];
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int k = 0; k < kKept; ++k) kept[k] = start + static_cast<float>(k) * 0.01f;
  for (int round = 0; round < kRounds; ++round) {
    const float last = kept[kKept - 1] * 0.5f;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
    for (int k = 0; k < kKept; ++k) kept[k] = kept[k] * 0.5f + last;
  }
  float sum = 0;
#if defined(__CUDA_ARCH__)
#pragma unroll
#endif
  for (int k = 0; k < kKept; ++k) sum += kept[k];
  return sum;
}

template <int kKept>
struct Mix {
  const float* from;
  float* to;
  SIMSCOPE_HD void operator()(std::size_t i) const { to[i] = mixed<kKept>(from[i]); }
};

#if SIMSCOPE_HAVE_CUDA

template <int kKept>
__global__ void mixFree(const float* from, float* to, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = mixed<kKept>(from[i]);
}
// Two blocks of 512 threads must fit at once: of 65536 registers, 64 per thread.
template <int kKept>
__global__ void __launch_bounds__(512, 2) mixOfSixtyFour(const float* from, float* to, std::size_t n) {
  const std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < n) to[i] = mixed<kKept>(from[i]);
}

#endif

namespace {

constexpr std::array kKeptCounts = {8, 16, 32, 64, 128};
[[maybe_unused]] constexpr std::array kBlocks = {32, 64, 128, 256, 512, 1024};
constexpr double kOperations = kRounds;  // per kept number: multiply-adds

struct Parameters {
  int largest = 1 << 22;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::largest<Parameters>(
      {.title = "Elements", .minimum = 1 << 14, .maximum = 1 << 26, .help = "A CPU computes a 16th of them"});
  return all;
}

struct Data {
  compute::DevicePtr device;
  compute::Buffer<float> from, to;
  std::vector<float> start;
};

Data dataOn(const compute::DevicePtr& device, std::size_t n) {
  Data data{device, {}, {device, n}, std::vector<float>(n)};
  for (std::size_t i = 0; i < n; ++i) data.start[i] = static_cast<float>(i % 1021) / 1021;
  data.from = compute::Buffer<float>(device, data.start);
  return data;
}

// In double precision, with a variable number of kept ones.
double expected(double start, int kept) {
  std::vector<double> all;
  for (int k = 0; k < kept; ++k) all.push_back(start + k * 0.01);
  for (int round = 0; round < kRounds; ++round) {
    const double last = all.back() * 0.5;
    for (double& each : all) each = each * 0.5 + last;
  }
  double sum = 0;
  for (const double each : all) sum += each;
  return sum;
}

bool right(const Data& data, int kept) {
  const std::vector<float> result = data.to.toHost();
  for (std::size_t i = 0; i < result.size(); i += std::max<std::size_t>(result.size() / 500, 1)) {
    const double sum = expected(static_cast<double>(data.start[i]), kept);
    if (!(std::abs(static_cast<double>(result[i]) - sum) <= 1e-4 * std::abs(sum))) return false;
  }
  return true;
}

// Multiply-adds per second.
double rateOf(const Bench& bench, Data& data, int kept, const std::function<void()>& work) {
  double seconds = 0;
  bool good = false;
  data.to.zero();
  data.device->run([&] {
    work();
    good = right(data, kept);
    if (good) seconds = secondsOf(*data.device, bench.check, work);
  });
  requireRight(good, fmt::format("{}: the sums of {} kept numbers are wrong", data.device->info().name, kept));
  return carried(kOperations * kept * static_cast<double>(data.start.size()) / seconds, seconds);
}

template <int kKept>
double onCpu(const Bench& bench, Data& data, std::size_t grain) {
  return rateOf(bench, data, kKept, [&] {
    compute::parallelFor(*data.device, data.start.size(), Mix<kKept>{data.from.data(), data.to.data()}, grain);
  });
}

struct Rows {
  Result& result;
  double limit;
  void add(const std::string& name, double registers, double spilled, double occupied, double rate) {
    result.rows.push_back({name, {registers, spilled, occupied, rate, rate / limit}});
  }
};

#if SIMSCOPE_HAVE_CUDA

using Kernel = void (*)(const float*, float*, std::size_t);

struct Shape {
  double registers = 0, spilled = 0, occupied = 0;
};

Shape shapeOf(Kernel kernel, int block, int device) {
  cudaFuncAttributes attributes{};
  SIMSCOPE_CUDA_CHECK(cudaFuncGetAttributes(&attributes, reinterpret_cast<const void*>(kernel)));
  int blocks = 0, threads = 0;
  SIMSCOPE_CUDA_CHECK(
      cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, reinterpret_cast<const void*>(kernel), block, 0));
  SIMSCOPE_CUDA_CHECK(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device));
  return {1.0 * attributes.numRegs, 1.0 * static_cast<double>(attributes.localSizeBytes),
          1.0 * blocks * block / threads};
}

double onGpu(const Bench& bench, Data& data, Kernel kernel, int kept, int block, const std::string& name, Rows& rows) {
  const auto n = data.start.size();
  const auto stream = static_cast<cudaStream_t>(data.device->stream());
  const Shape shape = shapeOf(kernel, block, data.device->info().index);
  if (shape.occupied == 0) return std::nan("");  // more registers than a block of this size can have
  const auto blocks =
      static_cast<unsigned>((n + static_cast<std::size_t>(block) - 1) / static_cast<std::size_t>(block));
  const double rate = rateOf(bench, data, kept, [&] {
    kernel<<<blocks, static_cast<unsigned>(block), 0, stream>>>(data.from.data(), data.to.data(), n);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    data.device->countLaunches();
  });
  rows.add(name, shape.registers, shape.spilled, shape.occupied, rate);
  return rate;
}

void measureGpu(Bench& bench, std::size_t n, Result& result) {
  Data data = dataOn(bench.cuda, n);
  Rows rows{result, bench.limitsOf(bench.cuda).operations_per_second};
  const std::array<Kernel, 5> all = {mixFree<8>, mixFree<16>, mixFree<32>, mixFree<64>, mixFree<128>};
  const std::array<Kernel, 5> bound = {mixOfSixtyFour<8>, mixOfSixtyFour<16>, mixOfSixtyFour<32>, mixOfSixtyFour<64>,
                                       mixOfSixtyFour<128>};
  Curve free{"GPU, any number of registers", {}}, few{"GPU, 64 registers at most", {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    const int kept = kKeptCounts[k];
    free.values.push_back(onGpu(bench, data, all[k], kept, 256, fmt::format("GPU, {} kept", kept), rows));
    few.values.push_back(
        onGpu(bench, data, bound[k], kept, 256, fmt::format("GPU, {} kept, 64 registers", kept), rows));
  }
  double best = 0, worst = std::numeric_limits<double>::infinity();
  int best_block = 0, worst_block = 0;
  for (const int block : kBlocks) {
    const double rate =
        onGpu(bench, data, all[2], kKeptCounts[2], block, fmt::format("GPU, blocks of {}", block), rows);
    if (rate > best) {
      best = rate;
      best_block = block;
    }
    if (rate < worst) {
      worst = rate;
      worst_block = block;
    }
  }
  result.finding = fmt::format(
      "On this machine's GPU blocks of {} threads reach {} of the rate of blocks of {}, and 128 kept numbers in 64 "
      "registers reach {} of their rate without spilling.",
      worst_block, percentText(worst / best), best_block, percentText(few.values.back() / free.values.back()));
  result.chart.curves.push_back(std::move(free));
  result.chart.curves.push_back(std::move(few));
}

#endif

Result measure(Bench& bench, const ParameterSet& set) {
  const auto n = static_cast<std::size_t>(binding().read(set).largest);
  Result result;
  result.columns = {
      {"Registers"}, {"Spilled", "B"}, {"Occupancy", "%"}, {"Multiply-adds", "1/s"}, limitShare("Of the limit")};
  Data data = dataOn(bench.cpu, n / 16);
  Rows rows{result, bench.limitsOf(bench.cpu).operations_per_second};
  const double none = std::nan("");
  const std::array<double (*)(const Bench&, Data&, std::size_t), 5> all = {onCpu<8>, onCpu<16>, onCpu<32>, onCpu<64>,
                                                                           onCpu<128>};
  Curve cpu{"CPU", {}};
  for (std::size_t k = 0; k < all.size(); ++k) {
    cpu.values.push_back(all[k](bench, data, 512));
    rows.add(fmt::format("CPU, {} kept", kKeptCounts[k]), none, none, none, cpu.values.back());
  }
  bench.progress(0.3);
  double least = 0, most = 0;
  for (const std::size_t grain : {16, 512}) {
    most = onCpu<32>(bench, data, grain);
    if (grain == 16) least = most;
    rows.add(fmt::format("CPU, {} elements at a time", grain), none, none, none, most);
  }
  result.chart.curves.push_back(cpu);
  if (!bench.cuda) {
    const auto best = std::max_element(cpu.values.begin(), cpu.values.end());
    result.noteLackOfCuda(bench, "so no blocks and no occupancy");
    result.finding = fmt::format(
        "On this machine's CPU the rate is highest with {} kept numbers, and 128 reach {} of it; threads that take 16 "
        "elements at a time reach {} of the rate of those that take 512.",
        kKeptCounts[static_cast<std::size_t>(best - cpu.values.begin())], percentText(cpu.values.back() / *best),
        percentText(least / most));
  }
#if SIMSCOPE_HAVE_CUDA
  if (bench.cuda) measureGpu(bench, n, result);
#endif
  result.chart.title = "Rate over the numbers that each thread keeps";
  result.chart.setDecades({.title = "numbers kept"}, kKeptCounts.front(), kKeptCounts.back(),
                          {.title = "multiply-adds", .unit = "1/s"});
  return result;
}

void points(Bench& bench, const compute::DevicePtr& device, double size, std::vector<RoofPoint>& into) {
  constexpr int kKept = 16;
  const auto n = static_cast<std::size_t>((device->isCuda() ? 1 << 23 : 1 << 18) * size);
  Data data = dataOn(device, n);
  const Mix<kKept> mix{data.from.data(), data.to.data()};
  const double rate = rateOf(bench, data, kKept, [&] { compute::parallelFor(*device, n, mix, 512); });
  const double count = static_cast<double>(n), adds = kOperations * kKept * count;
  into.push_back(
      {.kernel = "16 numbers in registers", .bytes = 8 * count, .operations = 2 * adds, .seconds = adds / rate});
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "occupancy",
      .title = "Occupancy, registers, spilling",
      .text =
          "A multiprocessor hides waiting by switching between many warps. The number of warps that fit at once is its "
          "occupancy. Their registers come from one store of 65,536, and a block gets all the registers it needs or "
          "waits. If each thread keeps more numbers, fewer threads fit. This need not be slower, because a thread with "
          "much independent work waits less. Threads with fewer registers than they need spill: numbers go to memory "
          "and back, and this costs more than the higher occupancy gains. A CPU core has 16 or 32 registers and spills "
          "to its cache.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::occupancy
