#include "sims/eigenstates2d/block.h"

#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/random/random.h"
#include "sims/eigenstates2d/block_lanes.h"

namespace simscope::eigenstates2d {

struct TermAt {
  Operator h;
  Term term;
  const double *y, *x;
  double* out;

  // row: of all states' rows together
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const int n = h.n, state = row / n, line = row - state * n;
    const std::size_t in_plane =
        static_cast<std::size_t>(line) * static_cast<std::size_t>(n) + static_cast<std::size_t>(column);
    const double diagonal = h.diagonal[in_plane];
    const double* const at = y + i;
    const std::ptrdiff_t down = n;
    const double sum =
        neighbours(h.near, h.far, column > 0 ? at[-1] : 0.0, column + 1 < n ? at[1] : 0.0, line > 0 ? at[-down] : 0.0,
                   line + 1 < n ? at[down] : 0.0, column > 1 ? at[-2] : 0.0, column + 2 < n ? at[2] : 0.0,
                   line > 1 ? at[-2 * down] : 0.0, line + 2 < n ? at[2 * down] : 0.0);
    const double centre = term.centres ? term.centres[state] : term.centre;
    out[i] = termAt(diagonal, centre, term.scale, term.back, *at, sum, x[i]);
  }
};

struct RandomAt {
  Operator h;
  std::size_t points;
  int first;
  std::uint64_t seed;
  std::uint32_t stream;
  double* out;
  // Four points at a time, because Philox makes four numbers.
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const std::size_t fours = (points + 3) / 4, state = i / fours + static_cast<std::size_t>(first);
    const std::size_t from = i % fours * 4;
    const compute::Uniform4 drawn = compute::uniform4(seed, stream, state * fours + i % fours);
    for (std::size_t j = 0; j < 4 && from + j < points; ++j) {
      out[state * points + from + j] = h.diagonal[from + j] < kInside ? 2 * drawn.u[j] - 1 : 0.0;
    }
  }
};

void applyTerm(compute::Device& device, const Operator& h, int count, const Term& term, const double* y,
               const double* x, double* out, bool plain) {
  if (device.isCuda() || plain) {
    compute::parallelFor2d(device, h.n, h.n * count, TermAt{h, term, y, x, out});
  } else {
    applyTermByLanes(device, h, count, term, y, x, out);
  }
}

void applyTerms(compute::Device& device, const Operator& h, int count, std::span<const Term> terms, double* one,
                double* other, bool plain) {
  if (!device.isCuda() && !plain && count >= device.info().threads) {
    applyTermsByLanes(device, h, count, terms, one, other);
    return;
  }
  for (std::size_t i = 0; i < terms.size(); ++i) {
    double *const now = i % 2 == 0 ? one : other, *const next = i % 2 == 0 ? other : one;
    applyTerm(device, h, count, terms[i], now, i == 0 ? now : next, next, plain);
  }
}

void fillRandom(compute::Device& device, const Operator& h, int first, int count, std::uint64_t seed,
                std::uint32_t stream, double* out) {
  const std::size_t points = static_cast<std::size_t>(h.n) * static_cast<std::size_t>(h.n);
  const auto states = static_cast<std::size_t>(count - first);
  compute::parallelFor(device, states * ((points + 3) / 4), RandomAt{h, points, first, seed, stream, out}, 2048);
}

}  // namespace simscope::eigenstates2d
