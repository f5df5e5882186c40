// What the mouse does: levels taken and added, small pictures picked, walls and wells drawn.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "sims/compute/loops/whole.h"
#include "sims/eigenstates2d/simulation.h"

namespace simscope::eigenstates2d {

bool PlaneStates::take(int n, bool alone) {
  std::vector<Complex<double>> c = coefficients();
  const superposition::Taken taken = superposition::take(c, static_cast<std::size_t>(n), alone);
  by_hand_c_ = std::move(c);
  by_hand_ = true;
  if (!taken.left) picked_ = static_cast<int>(taken.state);
  psi_version_ = peak_version_ = 0;
  return true;
}

// The points around the brush where as much is drawn as under it; outside of the potential's walls there are none.
std::vector<CellBlock> PlaneStates::regionOf(const Brush& brush) {
  const Grid& grid = solver_.grid();
  const int n = grid.points;
  const auto index = [&](double at) { return compute::wholeWithin(std::floor(at / grid.h + 0.5 * n), -1, n); };
  const int x = index(brush.x), y = index(brush.y);
  if (x < 0 || y < 0 || x >= n || y >= n) return {};
  const std::vector<double>& drawn = solver_.drawn();
  const std::size_t seed = static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x);
  std::vector<std::uint8_t> kinds(drawn.size());
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i] = drawn[i] == drawn[seed] && solver_.landscape().diagonal[i] < kOutside ? 1 : 0;
  }
  return kinds[seed] ? regionAround(n, n, kinds, x, y) : std::vector<CellBlock>{};
}

bool PlaneStates::fill(const Brush& brush, double value) {
  std::vector<double> drawn = solver_.drawn();
  bool touched = false;
  for (const CellBlock& block : regionOf(brush)) {
    for (int j = block.top; j < block.bottom; ++j) {
      for (int i = block.left; i < block.right; ++i) {
        double& at = drawn[static_cast<std::size_t>(j) * static_cast<std::size_t>(solver_.grid().points) +
                           static_cast<std::size_t>(i)];
        touched = touched || at != value;
        at = value;
      }
    }
  }
  if (!touched) return false;
  solver_.setDrawn(std::move(drawn));
  exact_.reset();
  return true;
}

// V becomes so high along the brush's way, or what it was before anything was drawn.
bool PlaneStates::draw(const Brush& brush, bool erases) {
  const Grid& grid = solver_.grid();
  const double height = std::clamp(brush.strength * p_.drawn_height, -1e5, 1e5);
  if (brush.shape == BrushShape::Region) return fill(brush, erases ? 0 : height);
  const double radius = std::max(brush.radius > 0 ? brush.radius : 0.01 * grid.length, 0.75 * grid.h);
  const compute::Capsule covered = brush.covered(radius, grid.h);
  const auto range = [&](double a, double b) {
    const double low = std::min(a, b) - radius, high = std::max(a, b) + radius, half = 0.5 * grid.length;
    const auto index = [&](double at) {
      return std::clamp(static_cast<int>(std::clamp((at + half) / grid.h, -1.0, grid.points + 1.0)), 0, grid.points);
    };
    return std::pair(std::max(index(low) - 2, 0), index(high) + 1);
  };
  const std::pair<int, int> across = range(covered.x0, covered.x1), down = range(covered.y0, covered.y1);
  std::vector<double> drawn = solver_.drawn();
  bool touched = false;
  for (int j = down.first; j < std::min(down.second, grid.points); ++j) {
    for (int i = across.first; i < std::min(across.second, grid.points); ++i) {
      const std::size_t at =
          static_cast<std::size_t>(j) * static_cast<std::size_t>(grid.points) + static_cast<std::size_t>(i);
      const double value = erases ? 0 : height;
      if (drawn[at] == value || !covered.holds(grid.x(i), grid.x(j))) continue;
      if (!(solver_.landscape().diagonal[at] < kOutside)) continue;
      drawn[at] = value;
      touched = true;
    }
  }
  if (!touched) return false;
  solver_.setDrawn(std::move(drawn));
  exact_.reset();
  return true;
}

bool PlaneStates::stroke(const Brush& brush) {
  const bool click = brush.begins || (brush.dx == 0 && brush.dy == 0);
  if (brush.tool == "draw") return draw(brush, false);
  if (brush.tool == "erase") return draw(brush, true);
  if (brush.tool == "take" || brush.tool == "add") {
    // The level whose place in the picture is nearest in height; of a degenerate one that whose number is.
    const std::vector<double>& energies = solver_.energies();
    const double span = std::max(energies[count() - 1] - energies[0], 1e-9);
    const auto away = [&](std::size_t n) {
      return std::abs(energies[n] - brush.y) / span + 1e-2 * std::abs(static_cast<double>(n) - brush.x) / p_.states;
    };
    std::size_t nearest = 0;
    for (std::size_t n = 1; n < count(); ++n) {
      if (away(n) < away(nearest)) nearest = n;
    }
    const bool alone = brush.tool == "take";
    return (alone || click) && take(static_cast<int>(nearest), alone);
  }
  if (brush.tool == "pick") {
    const Gallery g = galleryOf(std::min(p_.shown_states, p_.states), p_.grid_points, largest());
    const double row = g.rows - 1 - std::floor(brush.y), column = std::floor(brush.x);
    if (row < 0 || column < 0 || row >= g.rows || column >= g.columns) return false;
    const int n = static_cast<int>(row) * g.columns + static_cast<int>(column);
    return n < g.states && take(n, true);
  }
  return false;
}

}  // namespace simscope::eigenstates2d
