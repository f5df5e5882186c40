#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/eigenstates2d/block.h"
#include "sims/eigenstates2d/block_lanes.h"

namespace simscope::eigenstates2d {

// A tile of the Gram matrix in one chunk: eight loads for sixteen products.
struct TileInChunk {
  const double *f, *g;
  Chunks chunks;
  int count;
  std::size_t tiles;
  const Pair* tile;
  double* partials;

  SIMSCOPE_HD void operator()(std::size_t item) const {
    // Neighbouring threads have neighbouring lanes.
    const std::size_t chunk = item % chunks.count(), which = item / chunks.count();
    const double *rows[kTile], *columns[kTile];
    SIMSCOPE_UNROLL
    for (int j = 0; j < kTile; ++j) {
      const int a = kTile * tile[which].first + j, b = kTile * tile[which].second + j, last = count - 1;
      rows[j] = f + static_cast<std::size_t>(a < last ? a : last) * chunks.points;
      columns[j] = g + static_cast<std::size_t>(b < last ? b : last) * chunks.points;
    }
    double sums[kTile][kTile] = {};
    const std::size_t end = chunks.end(chunk);
    for (std::size_t i = chunks.first(chunk); i < end; i += kLanes) {
      double left[kTile], right[kTile];
      SIMSCOPE_UNROLL
      for (int j = 0; j < kTile; ++j) left[j] = rows[j][i], right[j] = columns[j][i];
      SIMSCOPE_UNROLL
      for (int a = 0; a < kTile; ++a) {
        SIMSCOPE_UNROLL
        for (int b = 0; b < kTile; ++b) sums[a][b] += left[a] * right[b];
      }
    }
    double* const to = partials + (chunk * tiles + which) * (kTile * kTile);
    SIMSCOPE_UNROLL
    for (int a = 0; a < kTile; ++a) {
      SIMSCOPE_UNROLL
      for (int b = 0; b < kTile; ++b) to[kTile * a + b] = sums[a][b];
    }
  }
};

// Sums of a column of partials, in the order of the chunks.
struct AddChunks {
  const double* partials;
  std::size_t chunks, items;
  double* sums;
  SIMSCOPE_HD void operator()(std::size_t item) const {
    double sum = 0;
    for (std::size_t c = 0; c < chunks; ++c) sum += partials[c * items + item];
    sums[item] = sum;
  }
};

// kTile columns of one point: its state is read once for all of them.
struct RotateAt {
  const double *from, *q;
  std::size_t points;
  int count;
  double* to;
  SIMSCOPE_HD void operator()(std::size_t item) const {
    const std::size_t i = item % points, all = static_cast<std::size_t>(count);
    const int b = static_cast<int>(item / points) * kTile;
    const double* columns[kTile];
    SIMSCOPE_UNROLL
    for (int j = 0; j < kTile; ++j) columns[j] = q + static_cast<std::size_t>(b + j < count ? b + j : count - 1) * all;
    double sums[kTile] = {};
    for (std::size_t a = 0; a < all; ++a) {
      const double value = from[a * points + i];
      SIMSCOPE_UNROLL
      for (int j = 0; j < kTile; ++j) sums[j] += columns[j][a] * value;
    }
    SIMSCOPE_UNROLL
    for (int j = 0; j < kTile; ++j) {
      if (b + j < count) to[static_cast<std::size_t>(b + j) * points + i] = sums[j];
    }
  }
};

struct SquareOf {
  const double* f;
  std::size_t points;
  SIMSCOPE_HD double operator()(std::size_t item, std::size_t i) const {
    const double value = f[item * points + i];
    return value * value;
  }
};
// Even items are the real part, odd ones the imaginary part.
struct OverlapPart {
  const double* f;
  const Complex<double>* lines;
  std::size_t n;
  SIMSCOPE_HD double operator()(std::size_t item, std::size_t i) const {
    const Complex<double> g = lines[i % n] * lines[n + i / n];
    return f[item / 2 * (n * n) + i] * (item % 2 == 0 ? g.re : g.im);
  }
};
struct Distinction {
  const double* f;
  const Pair* pairs;
  std::size_t n;
  double kinetic;
  SIMSCOPE_HD double operator()(std::size_t item, std::size_t i) const {
    const std::size_t x = i % n, y = i / n, row = y * n;
    const double* const a = f + static_cast<std::size_t>(pairs[item].first) * (n * n);
    const double* const b = f + static_cast<std::size_t>(pairs[item].second) * (n * n);
    const double left = x > 0 ? b[i - 1] : 0.0, right = x + 1 < n ? b[i + 1] : 0.0;
    const double image = b[row + (n - 1 - x)] + 1.7320508075688772 * b[(n - 1 - y) * n + x];
    return a[i] * (image + kinetic * (2 * b[i] - (left + right)));
  }
};

// One chunk of one item's sum.
template <class Of>
struct ItemInChunk {
  Of of;
  Chunks chunks;
  std::size_t items;
  double* partials;
  SIMSCOPE_HD void operator()(std::size_t at) const {
    const std::size_t chunk = at % chunks.count(), item = at / chunks.count(), end = chunks.end(chunk);
    double sum = 0;
    for (std::size_t i = chunks.first(chunk); i < end; i += kLanes) sum += of(item, i);
    partials[chunk * items + item] = sum;
  }
};

std::vector<Pair> tilesOf(int count) {
  std::vector<Pair> tiles;
  const int across = (count + kTile - 1) / kTile;
  for (int a = 0; a < across; ++a) {
    for (int b = a; b < across; ++b) tiles.push_back({a, b});
  }
  return tiles;
}

std::vector<double> addedUp(const compute::DevicePtr& device, const compute::Buffer<double>& partials,
                            std::size_t chunks, std::size_t items) {
  compute::Buffer<double> sums(device, items);
  compute::parallelFor(*device, items, AddChunks{partials.data(), chunks, items, sums.data()}, 64);
  return sums.toHost();
}

template <class Of>
std::vector<double> chunkSums(const compute::DevicePtr& device, std::size_t points, std::size_t items, const Of& of) {
  const Chunks chunks(points);
  compute::Buffer<double> partials(device, items * chunks.count());
  compute::parallelFor(*device, partials.size(), ItemInChunk<Of>{of, chunks, items, partials.data()}, kLanes);
  return addedUp(device, partials, chunks.count(), items);
}

std::vector<double> gramOf(const compute::DevicePtr& device, std::size_t points, int count, const double* f,
                           const double* g, bool plain) {
  const std::vector<Pair> tiles = tilesOf(count);
  const Chunks chunks(points);
  constexpr std::size_t kTileSize = std::size_t{kTile} * kTile;
  compute::Buffer<double> partials(device, chunks.count() * tiles.size() * kTileSize);
  if (device->isCuda() || plain) {
    const compute::Buffer<Pair> held(device, std::span<const Pair>(tiles));
    const TileInChunk each{f, g, chunks, count, tiles.size(), held.data(), partials.data()};
    compute::parallelFor(*device, tiles.size() * chunks.count(), each, kLanes);
  } else {
    gramByLanes(chunks, count, f, g, partials.data());
  }
  const std::vector<double> sums = addedUp(device, partials, chunks.count(), tiles.size() * kTileSize);
  const auto n = static_cast<std::size_t>(count);
  std::vector<double> gram(n * n);
  for (std::size_t t = 0; t < tiles.size(); ++t) {
    for (int i = 0; i < kTile * kTile; ++i) {
      const auto a = static_cast<std::size_t>(kTile * tiles[t].first + i / kTile);
      const auto b = static_cast<std::size_t>(kTile * tiles[t].second + i % kTile);
      if (a <= b && b < n) gram[a * n + b] = gram[b * n + a] = sums[t * kTileSize + static_cast<std::size_t>(i)];
    }
  }
  return gram;
}

void rotate(const compute::DevicePtr& device, std::size_t points, int count, const double* from,
            std::span<const double> q, double* to, bool plain) {
  const compute::Buffer<double> held(device, q);
  if (device->isCuda() || plain) {
    const auto tiles = static_cast<std::size_t>((count + kTile - 1) / kTile);
    compute::parallelFor(*device, tiles * points, RotateAt{from, held.data(), points, count, to}, 4096);
  } else {
    rotateByLanes(points, count, from, held.data(), to);
  }
}

std::vector<double> squaresOf(const compute::DevicePtr& device, std::size_t points, int count, const double* f) {
  return chunkSums(device, points, static_cast<std::size_t>(count), SquareOf{f, points});
}

std::vector<Complex<double>> overlapsOf(const compute::DevicePtr& device, int n, int count, const double* f,
                                        const Complex<double>* lines) {
  const auto width = static_cast<std::size_t>(n);
  const std::vector<double> parts =
      chunkSums(device, width * width, 2 * static_cast<std::size_t>(count), OverlapPart{f, lines, width});
  std::vector<Complex<double>> sums;
  for (std::size_t i = 0; i < parts.size(); i += 2) sums.push_back({parts[i], parts[i + 1]});
  return sums;
}

std::vector<double> distinctions(const compute::DevicePtr& device, int n, std::span<const Pair> pairs, const double* f,
                                 double kinetic) {
  const compute::Buffer<Pair> held(device, pairs);
  const auto width = static_cast<std::size_t>(n);
  return chunkSums(device, width * width, pairs.size(), Distinction{f, held.data(), width, kinetic});
}

struct SizeAt {
  const double* f;
  SIMSCOPE_HD double operator()(std::size_t i) const { return f[i] < 0 ? -f[i] : f[i]; }
};
struct LargerOf {
  SIMSCOPE_HD double operator()(double a, double b) const { return a > b ? a : b; }
};
std::vector<double> largestOf(const compute::DevicePtr& device, std::size_t points, int count, const double* f) {
  compute::Buffer<double> largest(device, static_cast<std::size_t>(count));
  for (std::size_t k = 0; k < largest.size(); ++k) {
    compute::reduceInto(*device, points, 0.0, SizeAt{f + k * points}, LargerOf{}, largest.data() + k);
  }
  return largest.toHost();
}

}  // namespace simscope::eigenstates2d
