#include "app/lab/lessons/matrix_product/matrix_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "app/lab/sweep.h"
#include "app/lab/timekeeper.h"
#include "app/render/figure/ticks.h"
#include "sims/compute/buffer.h"
#include "sims/compute/loops/parallel.h"

#if SIMSCOPE_HAVE_CUDA
#include "sims/compute/cuda/cuda_check.h"
#endif

namespace simscope::lab::matrix_product {

// An element of the product by its definition.
struct Element {
  const float *a, *b;
  float* c;
  int n;
  SIMSCOPE_HD void operator()(int x, int y) const {
    const auto wide = static_cast<std::size_t>(n);
    const float* const row = a + static_cast<std::size_t>(y) * wide;
    float sum = 0;
    for (std::size_t k = 0; k < wide; ++k) sum += row[k] * b[k * wide + static_cast<std::size_t>(x)];
    c[static_cast<std::size_t>(y) * wide + static_cast<std::size_t>(x)] = sum;
  }
};

constexpr int kTile = 32;

// On the CPU: sums of 4 × 32 elements side by side, which stay in registers and the L1 cache; each element of A is used
// for 32 of them, each of B for four.
struct Tile {
  static constexpr int kRows = 4;
  const float *a, *b;
  float* c;
  int n;
  SIMSCOPE_HD void operator()(int tx, int ty) const {
    const auto wide = static_cast<std::size_t>(n);
    const int x = tx * kTile, y = ty * kRows, columns = n - x < kTile ? n - x : kTile;
    const int rows = n - y < kRows ? n - y : kRows;
    float sums[kRows][kTile] = {};
    for (std::size_t k = 0; k < wide; ++k) {
      const float* const from = b + k * wide + x;
      for (int r = 0; r < rows; ++r) {
        const float factor = a[static_cast<std::size_t>(y + r) * wide + k];
        if (columns == kTile) {
          for (int i = 0; i < kTile; ++i) sums[r][i] += factor * from[i];
        } else {
          for (int i = 0; i < columns; ++i) sums[r][i] += factor * from[i];
        }
      }
    }
    for (int r = 0; r < rows; ++r) {
      for (int i = 0; i < columns; ++i) c[static_cast<std::size_t>(y + r) * wide + x + i] = sums[r][i];
    }
  }
};

#if SIMSCOPE_HAVE_CUDA

constexpr int kThreadRows = 8, kSums = kTile / kThreadRows;

// A block computes 32 × 32 elements. Its threads load 32 columns of A and 32 rows of B into shared memory at a time,
// where each number is used for 32 sums.
__global__ void tiledProduct(const float* a, const float* b, float* c, int n) {
  __shared__ float part_a[kTile][kTile], part_b[kTile][kTile];
  const int x = static_cast<int>(blockIdx.x) * kTile + static_cast<int>(threadIdx.x);
  const int top = static_cast<int>(blockIdx.y) * kTile, tx = static_cast<int>(threadIdx.x);
  const auto wide = static_cast<std::size_t>(n);
  float sums[kSums] = {};
  for (int from = 0; from < n; from += kTile) {
    for (int ty = static_cast<int>(threadIdx.y); ty < kTile; ty += kThreadRows) {
      const int row = top + ty, column = from + tx, inner = from + ty;
      part_a[ty][tx] = row < n && column < n ? a[static_cast<std::size_t>(row) * wide + column] : 0;
      part_b[ty][tx] = inner < n && x < n ? b[static_cast<std::size_t>(inner) * wide + x] : 0;
    }
    __syncthreads();
    for (int k = 0; k < kTile; ++k) {
      const float factor = part_b[k][tx];
#pragma unroll
      for (int s = 0; s < kSums; ++s) sums[s] += part_a[threadIdx.y + s * kThreadRows][k] * factor;
    }
    __syncthreads();
  }
  for (int s = 0; s < kSums; ++s) {
    const int row = top + static_cast<int>(threadIdx.y) + s * kThreadRows;
    if (row < n && x < n) c[static_cast<std::size_t>(row) * wide + x] = sums[s];
  }
}

#endif

namespace {

constexpr double kSmallest = 64;
constexpr int kChecked = 200;
constexpr double kLongest = 0.08;  // a longer call is left out: about nine calls are made

using Parameters = knobs::Sizes<4096, 6>;

const Binding<Parameters>& binding() {
  static const Binding<Parameters> all =
      knobs::sizes<Parameters>({.title = "Largest matrix",
                                .minimum = 128,
                                .maximum = 16384,
                                .help = "Rows and columns; slow ways stop at smaller sizes"},
                               12);
  return all;
}

struct Floats {
  compute::Buffer<float> a, b, c;
};

// multiply(device, data, n) enqueues one product of floats.
template <class Multiply>
Multiplier own(const char* title, const compute::DevicePtr& device, Multiply multiply) {
  return {title, device, 1e-5, Format::Float32, [device, multiply](const Factors& f) {
            const auto data = std::make_shared<Floats>(Floats{{device, f.a}, {device, f.b}, {device, f.a.size()}});
            return Prepared{[device, data, multiply, n = f.n] { multiply(*device, *data, n); },
                            [data] {
                              const std::vector<float> c = data->c.toHost();
                              return std::vector<double>(c.begin(), c.end());
                            }};
          }};
}

void naive(compute::Device& device, Floats& data, int n) {
  compute::parallelFor2d(device, n, n, Element{data.a.data(), data.b.data(), data.c.data(), n}, 64);
}

void tiled(compute::Device& device, Floats& data, int n) {
  const auto tiles = [&](int size) { return (n + size - 1) / size; };
#if SIMSCOPE_HAVE_CUDA
  if (device.isCuda()) {
    const dim3 grid(static_cast<unsigned>(tiles(kTile)), static_cast<unsigned>(tiles(kTile)));
    tiledProduct<<<grid, dim3(kTile, kThreadRows), 0, static_cast<cudaStream_t>(device.stream())>>>(
        data.a.data(), data.b.data(), data.c.data(), n);
    SIMSCOPE_CUDA_CHECK(cudaGetLastError());
    device.countLaunches();
    return;
  }
#endif
  compute::parallelFor2d(device, tiles(kTile), tiles(Tile::kRows), Tile{data.a.data(), data.b.data(), data.c.data(), n},
                         1);
}

// shared: the factors of the present size. error: receives that of each product.
Way wayOf(const Multiplier& multiplier, Factors& shared, double& error) {
  const auto prepare = [multiplier, &shared, &error](std::size_t rows) {
    const int n = static_cast<int>(rows);
    if (shared.n != n) shared = factors(n);
    const Prepared prepared = multiplier.prepare(shared);
    const auto check = [=, &shared, &error] {
      error = relativeError(shared, prepared.product(), kChecked);
      requireRight(error <= multiplier.tolerance,
                   fmt::format("{}: the product of matrices of {} rows is wrong (relative error {})", multiplier.title,
                               n, error));
    };
    return Task{.run = prepared.run, .check = check};
  };
  return {.title = multiplier.title, .device = multiplier.device, .prepare = prepare, .longest = kLongest};
}

double operations(double n) {
  return 2 * n * n * n;
}

std::string findingOf(const Sweep& sweep, const std::vector<double>& errors, double limit, bool gpu) {
  const std::vector<Way>& ways = sweep.ways;
  const auto rate = [&](std::size_t way) { return operations(sweep.largestOf(ways[way])) / ways[way].atLargest(); };
  // The first three of a device are its naive and tiled products and BLAS's; the GPU's float32 comes after float64.
  const std::size_t first = gpu ? 4 : 0, library = gpu ? 7 : 2;
  std::string text = fmt::format("On this machine's {} tiles multiply {} as the definition", gpu ? "GPU" : "CPU",
                                 timesAs(rate(first + 1) / rate(first), "fast"));
  if (ways.size() <= library) return text + ".";
  text += fmt::format(", and the library {}: {} of what its float32 arithmetic can do",
                      timesAs(rate(library) / rate(first), "fast"), percentText(rate(library) / limit));
  if (gpu && ways.back().title.ends_with("float16")) {
    const double half = rate(ways.size() - 1);
    text +=
        fmt::format("; tensor cores make {} of float16, {} times that, with an error of {}",
                    valueText(rounded(half, 3), "FLOP/s"), roundText(half / rate(library)), roundText(errors.back()));
  }
  return text + ".";
}

// Removes the sizes that took too long in every way.
void removeUntimed(Sweep& sweep) {
  std::size_t timed = 0;
  for (const Way& way : sweep.ways) timed = std::max(timed, way.last() + 1);
  sweep.sizes.resize(timed);
  for (Way& way : sweep.ways) way.seconds.resize(timed);
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  // At most six matrices of eight bytes exist on each side at a time.
  const double fits = std::sqrt(fitting(bench, std::pow(p.largest, 2), {.host = 3 * 48, .gpu = 2 * 48}));
  Sweep sweep{.sizes = sizesBetween(kSmallest, std::max(fits, 2 * kSmallest), p.per_decade), .power = 3};
  Result result;
  result.noteLackOfCuda(bench);
  const std::vector<Multiplier> all = multipliers(bench, result.notes);
  std::vector<double> errors(all.size());
  Factors shared;
  for (std::size_t k = 0; k < all.size(); ++k) sweep.ways.push_back(wayOf(all[k], shared, errors[k]));
  sweep.time(bench);
  removeUntimed(sweep);

  result.columns = {{"Largest"}, {"Time", "s"}, {"Rate", "FLOP/s"}, limitShare("Of its format's limit"), {"Error"}};
  sweep.addRows(result, [&](const Way& way, double n, double seconds) {
    const std::size_t index = sweep.indexOf(way);
    const double rate = carried(operations(n) / seconds, seconds);
    const double most = bench.arithmeticOf(way.device, all[index].format);
    return Row{way.title,
               {n, seconds, rate, most > 0 ? rate / most : std::nan(""), errors[index]},
               errors[index] == 0 ? "exact: sums of the products of floats" : ""};
  });
  if (bench.cuda && bench.productLimitsOf(bench.cuda).rows > 0) {
    result.notes.push_back(
        fmt::format("The limits of TF32 and float16 are the rates of cuBLAS with {} rows, because plain instructions "
                    "do not use tensor cores. The limit of float64 is the faster of cuBLAS and multiply-adds in "
                    "registers. All other limits are multiply-adds in registers.",
                    bench.productLimitsOf(bench.cuda).rows));
  }
  sweep.draw(result.chart, "Rate of a matrix product over the matrices' size", {.title = "rows"},
             {.title = "rate", .unit = "FLOP/s"}, [](double n, double seconds) { return operations(n) / seconds; });
  const double limit = bench.arithmeticOf(bench.best(), Format::Float32);
  result.chart.curves.push_back({.title = bench.cuda ? "limit of the GPU's float32" : "limit of the CPU's float32",
                                 .values = std::vector<double>(sweep.sizes.size(), limit),
                                 .expected = true});
  result.finding = findingOf(sweep, errors, limit, bench.cuda != nullptr);
  return result;
}

}  // namespace

std::vector<Multiplier> multipliers(const Bench& bench, std::vector<std::string>& notes) {
  std::vector<Multiplier> all = {own("CPU, by definition", bench.cpu, naive), own("CPU, in tiles", bench.cpu, tiled)};
  addBlas(all, bench);
  if (bench.cuda) {
    all.push_back(own("GPU, by definition", bench.cuda, naive));
    all.push_back(own("GPU, tiles in shared memory", bench.cuda, tiled));
  }
  addCublas(all, bench, notes);
  return all;
}

const Lesson& lesson() {
  static const Lesson lesson{
      .id = "matrix_product",
      .title = "Matrix product",
      .text =
          "Two matrices of n rows hold 2n² numbers, and their product takes 2n³ operations: every number is used n "
          "times. The speed depends on how often a number must come from memory. By the definition it comes each time. "
          "With tiles, a block of numbers is brought to fast storage, shared memory on a GPU or the first cache of a "
          "CPU, and used for many sums before the next block. Libraries use tiles within tiles, down to the registers. "
          "Tensor cores multiply small tiles in one instruction. They take numbers with fewer digits, TF32 and "
          "float16; the error, compared with sums in extended precision, is the price.",
      .parameters = binding().infos(),
      .measure = measure,
      .points = points};
  return lesson;
}

}  // namespace simscope::lab::matrix_product
