#include "app/lab/lessons/matrix_product/matrix_product.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "app/lab/checks.h"
#include "app/lab/fit.h"
#include "app/lab/knobs.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "app/lab/timekeeper.h"
#include "app/lab/timing.h"
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

struct Parameters {
  int largest = 4096;
  int per_decade = 6;
};

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
Way own(const char* title, const compute::DevicePtr& device, Multiply multiply) {
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

struct Measured {
  std::vector<double> rates;
  double n = 0, seconds = 0, error = 0;                      // at the largest size reached
  double fastest = std::numeric_limits<double>::infinity();  // seconds over n³, over all sizes
};

void measureWay(const Bench& bench, const Way& way, const Factors& f, Measured& into) {
  const double n = f.n, cubed = n * n * n;
  if (into.n > 0 && into.fastest * cubed > kLongest) {
    into.rates.push_back(std::nan(""));
    return;
  }
  way.device->run([&] {
    bench.check();
    const Prepared prepared = way.prepare(f);
    prepared.run();
    into.error = relativeError(f, prepared.product(), kChecked);
    requireRight(into.error <= way.tolerance, fmt::format("{}: the product of matrices of {} rows is wrong (relative "
                                                          "error {})",
                                                          way.title, f.n, into.error));
    into.seconds = secondsOf(*way.device, bench.check, prepared.run);
  });
  into.n = n;
  into.fastest = std::min(into.fastest, into.seconds / cubed);
  into.rates.push_back(2 * cubed / into.seconds);
}

std::string found(const std::vector<Way>& all, const std::vector<Measured>& measured, double limit, bool gpu) {
  const auto rate = [&](std::size_t way) {
    const Measured& m = measured[way];
    return 2 * m.n * m.n * m.n / m.seconds;
  };
  // The first three of a device are its naive and tiled products and BLAS's; the GPU's float32 comes after float64.
  const std::size_t first = gpu ? 4 : 0, library = gpu ? 7 : 2;
  std::string text = fmt::format("On this machine's {} tiles multiply {} as the definition", gpu ? "GPU" : "CPU",
                                 timesAs(rate(first + 1) / rate(first), "fast"));
  if (all.size() <= library) return text + ".";
  text += fmt::format(", and the library {}: {} of what its float32 arithmetic can do",
                      timesAs(rate(library) / rate(first), "fast"), percentText(rate(library) / limit));
  if (gpu && all.back().title.ends_with("float16")) {
    text += fmt::format("; tensor cores make {} of float16, {} times that, with an error of {}",
                        valueText(rounded(rate(all.size() - 1), 3), "FLOP/s"),
                        roundText(rate(all.size() - 1) / rate(library)), roundText(measured.back().error));
  }
  return text + ".";
}

Result measure(Bench& bench, const ParameterSet& set) {
  const Parameters p = binding().read(set);
  // At most six matrices of eight bytes exist on each side at a time.
  double memory = static_cast<double>(bench.cpu->memoryFree()) / 3;
  if (bench.cuda) memory = std::min(memory, static_cast<double>(bench.cuda->memoryFree()) / 2);
  const double largest = std::clamp(std::sqrt(memory / 48), 2 * kSmallest, static_cast<double>(p.largest));
  const std::vector<double> sizes = sizesBetween(kSmallest, largest, p.per_decade);

  Result result;
  if (!bench.cuda) result.notes.push_back("No CUDA device: " + bench.no_cuda);
  const std::vector<Way> all = ways(bench, result.notes);
  std::vector<Measured> measured(all.size());
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    bool any = false;
    const Factors f = factors(static_cast<int>(sizes[k]));
    for (std::size_t w = 0; w < all.size(); ++w) {
      measureWay(bench, all[w], f, measured[w]);
      any = any || std::isfinite(measured[w].rates.back());
    }
    bench.progress(static_cast<double>(k + 1) / static_cast<double>(sizes.size()));
    if (any) continue;
    for (Measured& each : measured) each.rates.pop_back();
    break;
  }

  result.columns = {{"Largest"}, {"Time", "s"}, {"Rate", "FLOP/s"}, {"Of its format's limit", "%", true}, {"Error"}};
  std::size_t places = 0;
  for (const Measured& each : measured) places = std::max(places, each.rates.size());
  for (std::size_t w = 0; w < all.size(); ++w) {
    Measured& each = measured[w];
    const double rate = carried(2 * each.n * each.n * each.n / each.seconds, each.seconds);
    const double most = bench.arithmeticOf(all[w].device, all[w].format);
    result.rows.push_back({all[w].title,
                           {each.n, each.seconds, rate, most > 0 ? rate / most : std::nan(""), each.error},
                           each.error == 0 ? "exact: sums of the products of floats" : ""});
    result.chart.curves.push_back({all[w].title, each.rates});
  }
  if (bench.cuda && bench.productLimitsOf(bench.cuda).rows > 0) {
    result.notes.push_back(
        fmt::format("The limits of TF32 and float16 are the rates of cuBLAS with {} rows, because plain instructions "
                    "do not use tensor cores. The limit of float64 is the faster of cuBLAS and multiply-adds in "
                    "registers. All other limits are multiply-adds in registers.",
                    bench.productLimitsOf(bench.cuda).rows));
  }
  const double limit = bench.arithmeticOf(bench.best(), Format::Float32);
  result.chart.curves.push_back({bench.cuda ? "limit of the GPU's float32" : "limit of the CPU's float32",
                                 std::vector<double>(places, limit), true});
  result.chart.title = "Rate of a matrix product over the matrices' size";
  result.chart.x = {.title = "rows", .decades = true};
  result.chart.y = {.title = "rate", .unit = "FLOP/s", .decades = true};
  result.chart.first = std::log10(sizes.front());
  result.chart.last = std::log10(sizes[places - 1]);
  result.finding = found(all, measured, limit, bench.cuda != nullptr);
  return result;
}

}  // namespace

std::vector<Way> ways(const Bench& bench, std::vector<std::string>& notes) {
  std::vector<Way> all = {own("CPU, by definition", bench.cpu, naive), own("CPU, in tiles", bench.cpu, tiled)};
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
