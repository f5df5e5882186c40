#include "sims/maxwell_boltzmann/start.h"

#include <fmt/format.h>

#include "sims/compute/elementary.h"
#include "sims/compute/random/random.h"
#include "sims/maxwell_boltzmann/sample.h"

namespace simscope::maxwell_boltzmann {
namespace {

constexpr std::uint32_t kJitterStream = 2;
constexpr double kHot = 1.8, kCold = 0.2;  // times T, of Start::HotAndCold
constexpr double kCrowd = 0.06;            // of the area, in the middle, of Start::Burst

// Rows of sites, every other one shifted by half of what is between them.
struct Lattice {
  int columns = 0, rows = 0;
  double across = 0, up = 0, edge = 0;  // between neighbours in a row, between rows, and where the first one is
  double apart = 0;                     // the nearest two
  std::size_t sites() const { return static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows); }
};

// The one whose sites are farthest apart.
Lattice latticeFor(const Parameters& p) {
  const double length = p.boxLength(), inner = p.walls() ? length - p.diameter : length;
  Lattice best;
  const int most = static_cast<int>(2 * std::sqrt(static_cast<double>(p.molecules))) + 4;
  for (int rows = 2; rows <= most; ++rows) {
    if (!p.walls() && rows % 2 != 0) continue;
    Lattice made;
    made.rows = rows;
    made.columns = (p.molecules - 1) / rows + 1;
    // Beside walls the shifted rows need half a place more.
    made.across = p.walls() ? inner / (made.columns - 0.5) : inner / made.columns;
    made.up = p.walls() ? inner / (rows - 1) : inner / rows;
    made.edge = -0.5 * inner;
    made.apart =
        std::min(made.columns > 1 ? made.across : length, std::sqrt(made.across * made.across / 4 + made.up * made.up));
    if (rows > 2 || p.walls()) made.apart = std::min(made.apart, 2 * made.up);
    if (made.apart > best.apart) best = made;
  }
  return best;
}

void placeDiscs(const Parameters& p, std::uint64_t seed, std::vector<Disc>& discs) {
  const Lattice lattice = latticeFor(p);
  const double freedom = 0.49 * (lattice.apart - p.diameter), half = 0.5 * p.boxLength();
  const double most = p.walls() ? half - 0.5 * p.diameter : half;
  const std::size_t n = discs.size(), sites = lattice.sites();
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t site = i * sites / n;  // some stay empty, here and there
    const auto row = static_cast<double>(site / static_cast<std::size_t>(lattice.columns));
    const auto column = static_cast<double>(site % static_cast<std::size_t>(lattice.columns));
    const bool shifted = static_cast<std::size_t>(row) % 2 != 0;
    const compute::Uniform4 drawn = compute::uniform4(seed, kJitterStream, i);
    const double turn = drawn.u[0];
    const double off = freedom * std::sqrt(drawn.u[1]);
    const double x =
        lattice.edge + (column + (shifted ? 0.5 : 0)) * lattice.across + off * compute::cosineOfTurns(turn);
    const double y = lattice.edge + row * lattice.up + off * compute::sineOfTurns(turn);
    if (p.walls()) {
      // Reflected, not moved onto the wall: to touch it and a partner at the same moment has no right order.
      const auto within = [most](double at) { return at < -most ? -2 * most - at : at > most ? 2 * most - at : at; };
      discs[i].x = within(x);
      discs[i].y = within(y);
    } else {
      discs[i].x = x < -half ? x + 2 * half : x;
      discs[i].y = y < -half ? y + 2 * half : y;
    }
  }
}

bool moves(const Parameters& p, const Disc& disc) {
  const double half = 0.5 * p.boxLength();
  return p.start != Start::Burst || disc.x * disc.x + disc.y * disc.y < kCrowd * 4 * half * half / std::numbers::pi;
}

void giveVelocities(const Parameters& p, std::uint64_t seed, std::vector<Disc>& discs) {
  double px = 0, py = 0, count = 0, turn = 0;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    Disc& disc = discs[i];
    if (!moves(p, disc)) continue;
    if (p.start == Start::EqualSpeeds || p.start == Start::Burst) {
      // Every other one flies the opposite way of the one before it: no momentum, and no speed has to be corrected.
      const bool back = std::fmod(count, 2) == 1;
      if (!back) turn = compute::uniform4(seed, kVelocityStream, i).u[0];
      disc.vx = (back ? -1 : 1) * compute::cosineOfTurns(turn);
      disc.vy = (back ? -1 : 1) * compute::sineOfTurns(turn);
    } else {
      const compute::Normal4 normal = compute::normal4(seed, kVelocityStream, i);
      const double size = p.start == Start::Equilibrium ? 1 : std::sqrt(disc.x < 0 ? kHot : kCold);
      disc.vx = size * normal.z[0];
      disc.vy = size * normal.z[1];
    }
    px += disc.vx;
    py += disc.vy;
    count += 1;
  }
  double square = 0;
  for (Disc& disc : discs) {
    if (moves(p, disc)) {
      disc.vx -= px / count;
      disc.vy -= py / count;
    }
    square += disc.vx * disc.vx + disc.vy * disc.vy;
  }
  const double sigma = p.sigma() / kMetresPerSecond;
  const double scale = square > 0 ? sigma * std::sqrt(2 * static_cast<double>(discs.size()) / square) : 0;
  for (Disc& disc : discs) {
    disc.vx *= scale;
    disc.vy *= scale;
  }
}

}  // namespace

void requireRoom(const Parameters& p) {
  if (p.molecules > kMostDiscs) {
    throw ParameterError(
        "molecules",
        fmt::format("molecules: at most {} discs are possible; choose fewer, or model = ideal", kMostDiscs));
  }
  if (!(latticeFor(p).apart > p.diameter * (1 + 1e-9))) {
    throw ParameterError(
        "packing_fraction",
        fmt::format("packing_fraction: {} discs covering {:g} of the box do not fit; choose a smaller value",
                    p.molecules, p.packing));
  }
}

std::vector<Disc> startingDiscs(const Parameters& parameters, std::uint64_t seed) {
  std::vector<Disc> discs(static_cast<std::size_t>(parameters.molecules));
  placeDiscs(parameters, seed, discs);
  giveVelocities(parameters, seed, discs);
  return discs;
}

}  // namespace simscope::maxwell_boltzmann
