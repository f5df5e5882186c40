#include "app/lab/lessons/reductions/reductions_ways.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/warp.h"

#if SIMSCOPE_HAVE_CUDA
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <cub/device/device_reduce.cuh>

#include "sims/compute/cuda/cuda_check.h"
#endif

#include "app/lab/lessons/reductions/reductions_kernels.h"

namespace simscope::lab::reductions {
namespace {

template <class T>
Sums<T> inOrder(const float* x, std::size_t n) {
  const SumsOf<T> f{x};
  Sums<T> all{0, 0};
  for (std::size_t i = 0; i < n; ++i) all = all + f(i);
  return all;
}

// Kahan's sum: the error of an addition is kept, and subtracted from the next number.
struct Compensated {
  float sum = 0, error = 0;
  void add(float each) {
    const float corrected = each - error, next = sum + corrected;
    error = (next - sum) - corrected;
    sum = next;
  }
};

Sums<float> compensated(const float* x, std::size_t n) {
  Compensated sum, squares;
  for (std::size_t i = 0; i < n; ++i) {
    sum.add(x[i]);
    squares.add(x[i] * x[i]);
  }
  return {sum.sum, squares.sum};
}

template <class T>
Sums<double> widened(const Sums<T>& sums) {
  return {static_cast<double>(sums.sum), static_cast<double>(sums.squares)};
}

}  // namespace

void addOnCpu(std::vector<Summation>& all, const compute::DevicePtr& cpu, const std::vector<float>& numbers) {
  const float* const x = numbers.data();
  const auto way = [&](const char* title, bool one, double epsilon, Order order, const auto& sum) {
    const auto last = std::make_shared<Sums<double>>();
    Summation& added =
        all.emplace_back(Summation{.title = title, .device = cpu, .slow = one, .epsilon = epsilon, .order = order});
    added.sum = [last, sum](std::size_t n) { *last = widened(sum(n)); };
    added.result = [last] { return *last; };
  };
  way("CPU, float32 in order", true, kSingle, Order::OneByOne, [x](std::size_t n) { return inOrder<float>(x, n); });
  way("CPU, float32 after Kahan", true, kSingle, Order::Compensated, [x](std::size_t n) { return compensated(x, n); });
  way("CPU, float64 in order", true, kDouble, Order::OneByOne, [x](std::size_t n) { return inOrder<double>(x, n); });
  way("CPU, float32, all threads", false, kSingle, Order::Tree, [x, cpu](std::size_t n) {
    return compute::reduce(*cpu, n, Sums<float>{0, 0}, SumsOf<float>{x}, Plus());
  });
}

#if SIMSCOPE_HAVE_CUDA

namespace {

constexpr std::size_t kMostBlocks = 4096, kScratch = std::size_t{1} << 20;

struct Gpu {
  compute::Buffer<float> x;
  compute::Buffer<Sums<float>> single;  // one result, then those of blocks
  compute::Buffer<Sums<double>> twice;
  compute::Buffer<unsigned char> scratch;  // CUB's
};

template <class T, class Kernel, class Finish>
void inTwoPasses(compute::Device& device, std::size_t n, const float* x, Sums<T>* results, Kernel kernel,
                 Finish finish) {
  const auto blocks = static_cast<unsigned>(
      std::min({kMostBlocks, (n + kThreads - 1) / kThreads, static_cast<std::size_t>(device.info().threads) * 8}));
  const auto stream = static_cast<cudaStream_t>(device.stream());
  kernel<<<blocks, kThreads, 0, stream>>>(n, SumsOf<T>{x}, results + 1);
  finish<<<1, kThreads, 0, stream>>>(blocks, Partial<T>{results + 1}, results);
  SIMSCOPE_CUDA_CHECK(cudaGetLastError());
}

}  // namespace

void addOnGpu(std::vector<Summation>& all, const compute::DevicePtr& device, const std::vector<float>& numbers) {
  const auto gpu = std::make_shared<Gpu>(
      Gpu{compute::Buffer<float>(device, numbers), compute::Buffer<Sums<float>>(device, kMostBlocks + 1),
          compute::Buffer<Sums<double>>(device, kMostBlocks + 1), compute::Buffer<unsigned char>(device, kScratch)});
  const auto stream = static_cast<cudaStream_t>(device->stream());
  const float* const x = gpu->x.data();
  auto* const single = gpu->single.data();
  auto* const twice = gpu->twice.data();
  void* const scratch = gpu->scratch.data();
  const auto fetched = [device](const auto* from) {
    std::decay_t<decltype(*from)> result;
    device->download(&result, from, sizeof(result));
    return widened(result);
  };
  const auto way = [&](const char* title, double epsilon, Order order, std::function<void(std::size_t)> sum,
                       std::function<Sums<double>()> result) {
    all.push_back({.title = title,
                   .device = device,
                   .slow = order == Order::OneByOne,
                   .epsilon = epsilon,
                   .order = order,
                   .sum = std::move(sum),
                   .result = std::move(result),
                   .held = gpu});
  };
  const auto of_single = [=] { return fetched(single); };
  way(
      "GPU, an atomic addition each", kSingle, Order::OneByOne,
      [=](std::size_t n) {
        device->zero(single, sizeof(*single));
        const std::size_t blocks =
            std::min((n + kThreads - 1) / kThreads, static_cast<std::size_t>(device->info().threads) * 8);
        addEach<<<static_cast<unsigned>(blocks), kThreads, 0, stream>>>(n, SumsOf<float>{x}, single);
        SIMSCOPE_CUDA_CHECK(cudaGetLastError());
      },
      of_single);
  way(
      "GPU, shared memory", kSingle, Order::Tree,
      [=](std::size_t n) {
        inTwoPasses(*device, n, x, single, addInSharedMemory<float, SumsOf<float>>,
                    addInSharedMemory<float, Partial<float>>);
      },
      of_single);
  way(
      "GPU, shuffles", kSingle, Order::Tree,
      [=](std::size_t n) {
        inTwoPasses(*device, n, x, single, addByShuffles<float, SumsOf<float>>, addByShuffles<float, Partial<float>>);
      },
      of_single);
  way(
      "GPU, CUB", kSingle, Order::Tree,
      [=](std::size_t n) {
        const auto each = thrust::make_transform_iterator(thrust::counting_iterator<std::size_t>(0), SumsOf<float>{x});
        std::size_t bytes = 0;
        const auto count = static_cast<std::int64_t>(n);
        SIMSCOPE_CUDA_CHECK(
            cub::DeviceReduce::Reduce(nullptr, bytes, each, single, count, Plus(), Sums<float>{0, 0}, stream));
        if (bytes > kScratch) throw Error(fmt::format("CUB's reduction needs {} bytes of scratch memory", bytes));
        SIMSCOPE_CUDA_CHECK(
            cub::DeviceReduce::Reduce(scratch, bytes, each, single, count, Plus(), Sums<float>{0, 0}, stream));
      },
      of_single);
  way(
      "GPU, float64 shuffles", kDouble, Order::Tree,
      [=](std::size_t n) {
        inTwoPasses(*device, n, x, twice, addByShuffles<double, SumsOf<double>>,
                    addByShuffles<double, Partial<double>>);
      },
      [=] { return fetched(twice); });
}

#else

void addOnGpu(std::vector<Summation>&, const compute::DevicePtr&, const std::vector<float>&) {}

#endif

}  // namespace simscope::lab::reductions
