#include "sims/heat/adi/adi_windows.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numbers>

#include "sims/compute/error.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::heat {
namespace {

// A sector of memory is eight floats: windows that begin at one read nothing in vain.
constexpr int kSector = 8;

constexpr int parts(int whole, int part) {
  return (whole + part - 1) / part;
}
constexpr int roundedUp(int value, int multiple) {
  return parts(value, multiple) * multiple;
}

// How long a sweep takes, in the chunks that a multiprocessor works through, and in waits for the first of them: long
// windows have little halo, short ones spread evenly. It is that of an H100 on every device, else another one would
// give other bits.
int costOf(int blocks, int chunks) {
  constexpr int kMultiprocessors = 132, kWarps = 40, kWait = 6;
  const int resident = kWarps / chunks, slots = kMultiprocessors * resident, left = blocks % slots;
  const auto round = [&](int blocks_each) { return kWait + blocks_each * chunks; };
  return blocks / slots * round(resident) + (left > 0 ? round(parts(left, kMultiprocessors)) : 0);
}

}  // namespace

AdiWindows adiWindows(int n, Boundary boundary, double mesh_ratio) {
  AdiWindows w{};
  w.n = n;
  w.boundary = boundary;
  const double h = mesh_ratio / 2, rho = 2 * h / (1 + 2 * h + std::sqrt(1 + 4 * h));
  w.h = static_cast<float>(h);
  w.rho = static_cast<float>(rho);
  for (int j = 0; j < kChunk; ++j) w.powers[j] = static_cast<float>(std::pow(rho, j + 1));
  const double reach = 32 * std::numbers::ln2 / -std::log(rho);
  if (!(reach <= kMostHalo)) {
    throw Error(fmt::format("heat: ADI on CUDA supports α dt/dx² up to 16; here it is {:.6g}", mesh_ratio));
  }
  w.halo = roundedUp(static_cast<int>(std::ceil(reach)), kSector);

  int least = std::numeric_limits<int>::max();
  for (int most = kMostChunks; most * kChunk > 2 * w.halo; --most) {
    const int owned = roundedUp(parts(n, parts(n, most * kChunk - 2 * w.halo)), kSector);
    const int chunks = parts(owned + 2 * w.halo, kChunk), count = parts(n, owned);
    const int cost = costOf(count * parts(n, kChunk), chunks);
    if (cost >= least) continue;
    least = cost;
    w.owned = owned;
    w.chunks = chunks;
    w.count = count;
  }
  return w;
}

AdiSpan adiSpan(const AdiWindows& w, int first, int end) {
  AdiSpan span{.window = first / w.owned, .window_end = (end - 1) / w.owned + 1, .low = first, .high = end};
  for (int window = span.window; window < span.window_end; ++window) {
    for (int cell = w.start(window); cell < w.start(window) + w.chunks * kChunk; ++cell) {
      const int row = w.boundary == Boundary::Periodic ? cell : w.source(cell).cell;
      span.low = std::min(span.low, row);
      span.high = std::max(span.high, row + 1);
    }
  }
  return span;
}

int adiDepth(const AdiWindows& w, int ranks) {
  int depth = 0;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto [first, count] = compute::Ranks::shareOf(static_cast<std::uint64_t>(w.n), rank, ranks);
    const int begin = static_cast<int>(first), end = begin + static_cast<int>(count);
    const AdiSpan span = adiSpan(w, begin, end);
    depth = std::max({depth, begin - span.low, span.high - end});
  }
  return depth + 1;  // of the explicit part
}

}  // namespace simscope::heat
