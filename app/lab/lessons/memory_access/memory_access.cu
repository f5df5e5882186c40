#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <vector>

#include "app/lab/checks.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson.h"
#include "app/lab/phrases.h"
#include "app/lab/shares.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

#include "app/lab/lessons/memory_access/memory_access_kernels.h"

namespace simscope::lab::memory_access {

namespace {

constexpr int kMostStrideBits = 10;
constexpr double kBytes = 8;  // one number read and one written

struct Parameters {
  int largest = 1 << 26;
};

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::largest<Parameters>({.title = "Numbers",
                                  .minimum = 1 << 16,
                                  .maximum = 1 << 29,
                                  .help = "In the array that is read; fewer if the memory is too small",
                                  .power_of_two = true});
  return all;
}

float numberOf(std::size_t i) {
  return static_cast<float>(i % 16'777'213);
}

#if SIMSCOPE_HAVE_CUDA

constexpr int kBankBits = 5;

double sharedSum(std::size_t thread, int stride) {
  double sum = 0;
  for (int k = 0; k < kUnrolled * kRounds; ++k) {
    sum += static_cast<double>(tileNumber(static_cast<int>(thread % kLanes) * stride + k));
  }
  return sum;
}

Curve bankRates(const Bench& bench) {
  compute::Device& device = *bench.cuda;
  const auto blocks = static_cast<unsigned>(device.info().threads) * 16;
  compute::Buffer<float> out(bench.cuda, static_cast<std::size_t>(blocks) * kThreads);
  const auto stream = static_cast<cudaStream_t>(device.stream());
  Curve curve{"GPU, shared memory", {}};
  for (int bits = 0; bits <= kBankBits; ++bits) {
    const int stride = 1 << bits;
    const auto read = [&] {
      readShared<<<blocks, kThreads, 0, stream>>>(stride, out.data());
      SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    };
    out.zero();
    read();
    requireValues(curve.title, device, out.data(), out.size(), 0, [&](std::size_t i) { return sharedSum(i, stride); });
    const double bytes = sizeof(float) * static_cast<double>(out.size()) * kUnrolled * kRounds;
    const double seconds = secondsOf(device, bench.check, read);
    curve.values.push_back(carried(bytes / seconds, seconds));
  }
  return curve;
}

#endif

// Checks that the random order reads each number exactly once.
void checkOrderAtRandom() {
  constexpr int kFew = 15;
  std::vector<char> read(std::size_t{1} << kFew);
  for (std::uint32_t i = 0; i < read.size(); ++i) {
    const std::uint32_t place = Order{kFew, -1}.placeOf(i);
    requireRight(place < read.size() && read[place]++ == 0, "the order at random reads a number twice");
  }
}

struct Place {
  compute::DevicePtr device;
  std::string name;
  int bits;
  // A round of measuring reads this many numbers: all on the GPU; on the CPU one slice after the other. Reading all
  // would take seconds, and lines already read have long left the caches when they are read again.
  std::size_t slice;
  compute::Buffer<float> in, out;
  Curve strided{};
  double random = 0, structures = 0, arrays = 0;  // bytes a second, of the requested data

  void measure(const Bench& bench) {
    strided.title = name + (device->isCuda() ? ", global memory" : ", memory");
    for (int stride = 0; stride <= kMostStrideBits; ++stride) strided.values.push_back(gathered(bench, stride));
    random = gathered(bench, -1);
    const auto particles = in.data();
    structures = moved(
        bench, all() / kFields,
        [&](std::size_t first) {
          compute::parallelFor(*device, particlesAtOnce(),
                               MoveAmongStructures{particles + first * kFields, out.data() + first});
        },
        [](std::size_t i) { return numberOf(i * kFields); });
    arrays = moved(
        bench, all(),
        [&](std::size_t first) {
          compute::parallelFor(*device, particlesAtOnce(), MoveAmongArrays{particles + first, out.data() + first});
        },
        [](std::size_t i) { return numberOf(i); });
  }

 private:
  std::size_t all() const { return std::size_t{1} << bits; }
  std::size_t particlesAtOnce() const { return slice / kFields; }

  double gathered(const Bench& bench, int stride) {
    const Order order{bits, stride};
    std::size_t first = 0;
    const auto work = [&] {
      compute::parallelFor(*device, slice, Gather{in.data(), out.data(), order, static_cast<std::uint32_t>(first)});
      first = (first + slice) % all();
    };
    out.zero();
    work();
    const std::size_t apart = std::size_t{1} << std::max(stride, 0), columns = all() / apart;
    const auto expected = [&](std::size_t i) {
      return numberOf(stride < 0 ? order.placeOf(static_cast<std::uint32_t>(i)) : i % columns * apart + i / columns);
    };
    requireValues(strided.title, *device, out.data(), slice, 0, expected);
    const double seconds = secondsOf(*device, bench.check, work);
    return carried(kBytes * static_cast<double>(slice) / seconds, seconds);
  }

  // work(first): starting at that one of `starts`. Those of arrays continue through the other fields, which are not
  // cached.
  double moved(const Bench& bench, std::size_t starts, const std::function<void(std::size_t)>& work,
               const std::function<float(std::size_t)>& expected) {
    std::size_t first = 0;
    out.zero();
    work(0);
    requireValues(name + ", particles", *device, out.data(), particlesAtOnce(), 0,
                  [&](std::size_t i) { return expected(i) + 1; });
    const double seconds = secondsOf(*device, bench.check, [&] {
      work(first);
      first = (first + particlesAtOnce()) % starts;
    });
    return carried(kBytes * static_cast<double>(particlesAtOnce()) / seconds, seconds);
  }
};

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  const double most = fitting(bench, p.largest, {.host = 32, .gpu = 16});
  const int bits = static_cast<int>(std::log2(std::max(most, 65536.0)) + 1e-9);
  const std::size_t n = std::size_t{1} << bits, cpu_slice = std::min(n, std::size_t{1} << 19);
  std::vector<float> numbers(n);
  for (std::size_t i = 0; i < n; ++i) numbers[i] = numberOf(i);
  std::vector<Place> places;
  for (const compute::DevicePtr& device : bench.devices()) {
    const std::size_t slice = device->isCuda() ? n : cpu_slice;
    places.push_back({device, device->isCuda() ? "GPU" : "CPU", bits, slice, compute::Buffer<float>(device, numbers),
                      compute::Buffer<float>(device, n)});
  }
  checkOrderAtRandom();
  double done = 0;
  for (Place& place : places) {
    place.device->run([&] { place.measure(bench); });
    bench.progress(++done / static_cast<double>(places.size()));
  }

  Result result;
  result.columns = {{"Rate", "B/s"}, {"Of the best order", "%"}, limitShare("Share of the limit")};
  for (const Place& place : places) {
    const auto row = [&](const std::string& name, double rate, double best) {
      result.rows.push_back({place.name + ", " + name, {rate, rate / best, bench.memoryShare(place.device, rate)}});
      result.rows.back().headroom = headroomOf(place.device, kBytes * static_cast<double>(place.slice));
    };
    const std::vector<double>& rates = place.strided.values;
    row("neighbours read neighbours", rates[0], rates[0]);
    row("8 apart", rates[3], rates[0]);
    row("32 apart", rates[5], rates[0]);
    row("1024 apart", rates[kMostStrideBits], rates[0]);
    row("at random", place.random, rates[0]);
    row("one field of a structure of arrays", place.arrays, place.arrays);
    row("one field of an array of structures", place.structures, place.arrays);
    result.chart.curves.push_back(place.strided);
    Curve random{place.name + ", at random", std::vector<double>(rates.size(), place.random), true};
    result.chart.curves.push_back(std::move(random));
  }
  const Place& best = places.back();
  result.finding = fmt::format(
      "On this machine's {} numbers that lie 32 apart arrive at {} of the rate of neighbours, numbers at random at {}, "
      "and one field of eight is read {} from a structure of arrays as from an array of structures",
      best.name, percentText(best.strided.values[5] / best.strided.values[0]),
      percentText(best.random / best.strided.values[0]), timesAs(best.arrays / best.structures, "fast"));
#if SIMSCOPE_HAVE_CUDA
  if (bench.cuda) {
    Curve banks = bankRates(bench);
    const double fastest = banks.values.front(), slowest = banks.values.back();
    for (const int stride : {0, 1, 3, kBankBits}) {
      const double rate = banks.values[static_cast<std::size_t>(stride)];
      result.rows.push_back({fmt::format("GPU, shared memory, {} apart", 1 << stride),
                             {rate, rate / fastest, std::numeric_limits<double>::quiet_NaN()}});
    }
    result.finding += fmt::format("; shared memory gives {} of its rate if all threads of a warp need one bank",
                                  percentText(slowest / fastest));
    banks.values.resize(kMostStrideBits + 1, std::numeric_limits<double>::quiet_NaN());
    result.chart.curves.push_back(std::move(banks));
  }
#endif
  result.finding += ".";
  result.chart.title = "Bytes used a second over the distance of neighbours' numbers";
  result.chart.setDecades({.title = "numbers apart"}, 1, 1 << kMostStrideBits, {.title = "rate", .unit = "B/s"});
  result.noteLackOfCuda(bench, "so no coalescing and no banks");
  return result;
}

}  // namespace

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "memory_access",
      .title = "Memory access",
      .text =
          "Memory is fetched in pieces: a GPU fetches at least 32 bytes for each piece that the threads of a warp "
          "touch, a CPU fetches a line of its cache, mostly 64 bytes. If neighbouring threads read neighbouring "
          "numbers, all fetched bytes are used. If they read at a distance or at random, most are wasted; only the "
          "requested bytes are counted here. Reading one field of particles that are stored one after the other is "
          "reading at a distance; with one array for each field it is not. Shared memory instead has 32 banks, each of "
          "which gives one word at a time: threads of a warp that need different words of one bank wait for each "
          "other.",
      .parameters = binding().infos(),
      .measure = measure};
  return lesson;
}

}  // namespace simscope::lab::memory_access
