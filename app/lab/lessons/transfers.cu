#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <functional>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#include "sims/compute/cuda/cuda_handles.h"
#endif

namespace simscope::lab::transfers {

// Each number is halved and increased by one repeatedly: from 0 it converges to 2.
struct Rounds {
  float* numbers;
  int rounds;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    float value = 0;
    for (int round = 0; round < rounds; ++round) value = 0.5f * value + 1;
    numbers[i] = value;
  }
};

namespace {

constexpr double kSmallest = 1024;

using Parameters = knobs::Sizes<1 << 30, 2>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all = knobs::sizes<Parameters>({.title = "Largest transfer",
                                                                   .unit = "B",
                                                                   .minimum = 1 << 20,
                                                                   .maximum = 1 << 30,
                                                                   .help = "Smaller if the memory is too small"});
  return all;
}

// move(n): transfers n bytes. arrives(n): whether new data does.
Way transfer(const std::string& title, const compute::DevicePtr& device, const OfSize& move,
             const std::function<bool(std::size_t)>& arrives) {
  const auto check = [=](std::size_t bytes) { requireRight(arrives(bytes), title + ": not all bytes arrived"); };
  return {.title = title, .device = device, .prepare = tasks(move, check), .timed_by = TimedBy::Host};
}

#if SIMSCOPE_HAVE_CUDA

struct Gpu {
  compute::Buffer<std::byte> first, second;
  compute::UniquePinned pinned;
};

constexpr std::size_t kLookedAt = 4096;  // bytes, at either end

void fill(void* memory, int value, std::size_t bytes, bool host) {
  if (host) {
    std::memset(memory, value, bytes);
    return;
  }
  SIMSCOPE_CUDA_CHECK(cudaMemset(memory, value, bytes));
  SIMSCOPE_CUDA_CHECK(cudaDeviceSynchronize());
}

void addWays(std::vector<Way>& ways, Gpu& gpu, const Bench& bench, std::vector<std::byte>& pageable, std::size_t most) {
  gpu.first = compute::Buffer<std::byte>(bench.cuda, most);
  gpu.second = compute::Buffer<std::byte>(bench.cuda, most);
  gpu.first.zero();
  gpu.pinned = compute::makePinned(most);
  std::memset(gpu.pinned.get(), 1, most);
  const auto stream = static_cast<cudaStream_t>(bench.cuda->stream());
  const auto way = [&](const char* title, void* to, void* from, cudaMemcpyKind kind) {
    const auto move = [=](std::size_t bytes) {
      SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, kind, stream));
      SIMSCOPE_CUDA_CHECK(cudaStreamSynchronize(stream));
    };
    const auto arrives = [=](std::size_t bytes) {
      fill(from, 7, bytes, kind == cudaMemcpyHostToDevice);
      fill(to, 3, bytes, kind == cudaMemcpyDeviceToHost);
      move(bytes);
      const std::size_t end = std::min(bytes, kLookedAt);
      std::vector<unsigned char> found(2 * end);
      SIMSCOPE_CUDA_CHECK(cudaMemcpy(found.data(), to, end, cudaMemcpyDefault));
      SIMSCOPE_CUDA_CHECK(
          cudaMemcpy(found.data() + end, static_cast<const std::byte*>(to) + bytes - end, end, cudaMemcpyDefault));
      return std::all_of(found.begin(), found.end(), [](unsigned char each) { return each == 7; });
    };
    ways.push_back(transfer(title, bench.cuda, move, arrives));
  };
  way("host to GPU, pageable", gpu.first.data(), pageable.data(), cudaMemcpyHostToDevice);
  way("host to GPU, pinned", gpu.first.data(), gpu.pinned.get(), cudaMemcpyHostToDevice);
  way("GPU to host, pageable", pageable.data(), gpu.first.data(), cudaMemcpyDeviceToHost);
  way("GPU to host, pinned", gpu.pinned.get(), gpu.first.data(), cudaMemcpyDeviceToHost);
  way("within the GPU", gpu.second.data(), gpu.first.data(), cudaMemcpyDeviceToDevice);
}

// How much of a copy overlaps with another one in the other direction, on a separate stream: the time of both together
// relative to that of one after the other.
double overlap(const Bench& bench, Gpu& gpu, std::size_t bytes) {
  const compute::UniqueStream up = compute::makeStream(), down = compute::makeStream();
  auto* const pinned = static_cast<std::byte*>(gpu.pinned.get());
  const std::size_t half = bytes / 2;
  const auto send = [&] {
    SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(gpu.first.data(), pinned, half, cudaMemcpyHostToDevice, up.get()));
  };
  const auto fetch = [&] {
    SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(pinned + half, gpu.second.data(), half, cudaMemcpyDeviceToHost, down.get()));
  };
  const auto wait = [&] {
    SIMSCOPE_CUDA_CHECK(cudaStreamSynchronize(up.get()));
    SIMSCOPE_CUDA_CHECK(cudaStreamSynchronize(down.get()));
  };
  const double alone = hostSecondsOf(bench.check, [&] {
    send();
    wait();
    fetch();
    wait();
  });
  const double together = hostSecondsOf(bench.check, [&] {
    send();
    fetch();
    wait();
  });
  return together / alone;
}

// The same for a copy to the GPU and a kernel of about the same duration.
double overlapWithWork(const Bench& bench, Gpu& gpu, std::size_t bytes) {
  constexpr int kFewest = 64, kMost = 1 << 20;  // rounds
  const compute::UniqueStream up = compute::makeStream();
  compute::Device& device = *bench.cuda;
  const std::size_t count = std::min<std::size_t>(bytes / sizeof(float), std::size_t{1} << 20);
  auto* const numbers = reinterpret_cast<float*>(gpu.second.data());
  int rounds = kFewest;
  const auto send = [&] {
    SIMSCOPE_CUDA_CHECK(cudaMemcpyAsync(gpu.first.data(), gpu.pinned.get(), bytes, cudaMemcpyHostToDevice, up.get()));
  };
  const auto work = [&] { compute::parallelFor(device, count, Rounds{numbers, rounds}); };
  const auto wait = [&] {
    SIMSCOPE_CUDA_CHECK(cudaStreamSynchronize(up.get()));
    device.synchronize();
  };
  const auto timed = [&](const auto& what) {
    return hostSecondsOf(bench.check, [&] {
      what();
      wait();
    });
  };
  const double copy = timed(send);
  rounds = 1024;
  const double round = timed(work) / rounds;
  rounds = static_cast<int>(std::clamp<double>(copy / round, kFewest, kMost));
  const double alone = timed([&] {
    send();
    wait();
    work();
  });
  const double together = timed([&] {
    send();
    work();
  });
  requireValues("a kernel beside a copy", device, numbers, count, 1e-6, [](std::size_t) { return 2.0; });
  return together / alone;
}

#endif

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  Sweep sweep{.sizes = sizesBetween(kSmallest, fitting(bench, p.largest, {.host = 8, .gpu = 4}), p.per_decade)};
  const auto most = static_cast<std::size_t>(sweep.sizes.back());
  std::vector<std::byte> pageable(most, std::byte{1}), other(most, std::byte{2});
  const auto copy = [&](std::size_t bytes) { std::memcpy(other.data(), pageable.data(), bytes); };
  sweep.ways.push_back(transfer("within the host", bench.cpu, copy, [&](std::size_t bytes) {
    std::memset(other.data(), 2, bytes);
    copy(bytes);
    return std::memcmp(other.data(), pageable.data(), bytes) == 0;
  }));
#if SIMSCOPE_HAVE_CUDA
  Gpu gpu;
  if (bench.cuda) addWays(sweep.ways, gpu, bench, pageable, most);
#endif
  sweep.time(bench);

  Result result;
  result.columns = {{"Latency", "s"}, {"Bandwidth", "B/s"}, {"Half of it from", "B"}, {"Largest alone", "B/s"}};
  sweep.addRows(result, [&](const Way& way, double bytes, double seconds) {
    const TransferLaw law = transferLaw(sweep.sizes, way.seconds);
    return Row{way.title, {law.latency, law.bandwidth, law.latency * law.bandwidth, carried(bytes / seconds, seconds)}};
  });
  sweep.draw(result.chart, "Bandwidth over the size of a transfer", {.title = "size", .unit = "B"},
             {.title = "bandwidth", .unit = "B/s"}, [](double bytes, double seconds) { return bytes / seconds; });
  result.noteLackOfCuda(bench, "so nothing crosses a bus");
  const auto largest_rate = [&](std::size_t way) { return result.rows[way].values[3]; };
  if (!bench.cuda) {
    const std::vector<double>& rates = result.chart.curves[0].values;
    result.finding = fmt::format(
        "This machine's memory copies {} at the largest size, and {} at best, where the data fits the caches.",
        valueText(rounded(largest_rate(0)), "B/s"),
        valueText(rounded(*std::max_element(rates.begin(), rates.end())), "B/s"));
    return result;
  }
#if SIMSCOPE_HAVE_CUDA
  const double both = overlap(bench, gpu, most), with_work = overlapWithWork(bench, gpu, most);
  result.finding = fmt::format(
      "On this machine pinned memory crosses the bus {} as pageable memory, and the GPU copies within its own memory "
      "{} as that. A transfer below {} takes more time to start than for its bytes. Two transfers in opposite "
      "directions take {} of the time at once as one after the other; a transfer beside a kernel of the same length "
      "takes {}.",
      timesAs(largest_rate(2) / largest_rate(1), "fast"), timesAs(largest_rate(5) / largest_rate(2), "fast"),
      valueText(rounded(result.rows[2].values[2]), "B"), percentText(both), percentText(with_work));
#endif
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "transfers",
      .title = "Transfers",
      .text =
          "Data must reach the GPU before the GPU can compute with it, and the bus between host and GPU is far slower "
          "than the memory at either end. A transfer takes a fixed time to start, and then a time for each byte; both "
          "follow from a line through the measured times. The driver first copies pageable memory into pinned memory; "
          "a program that uses pinned memory saves this copy. Copies in both directions, and computing, run at the "
          "same time if they are in different streams.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::transfers
