#include "sims/heat/materials.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sims/compute/random/random.h"

namespace simscope::heat {
namespace {

using Dabs = std::vector<MaterialDab>;

void wall(Dabs& to, double x0, double y0, double x1, double y1, double radius) {
  to.push_back({Paint::Insulator, x0, y0, x1, y1, radius});
}

Dabs house() {
  constexpr double kWall = 0.013, kSide = 0.27, kFloor = -0.33, kCeiling = 0.1, kRidge = 0.36, kEaves = 0.36;
  Dabs all;
  wall(all, -kSide, kFloor, kSide, kFloor, kWall);
  wall(all, -kSide, kFloor, -kSide, kCeiling, kWall);
  // The window: a gap in the wall.
  wall(all, kSide, kFloor, kSide, -0.16, kWall);
  wall(all, kSide, -0.03, kSide, kCeiling, kWall);
  for (const double side : {-1.0, 1.0}) {
    const double slope = (kRidge - kCeiling) / kSide;
    wall(all, side * kEaves, kRidge - slope * kEaves, 0, kRidge, kWall);
  }
  // A floor with a hatch between the living room and the attic.
  wall(all, -kSide, kCeiling, -0.06, kCeiling, kWall);
  wall(all, 0.06, kCeiling, kSide, kCeiling, kWall);
  // An iron beam, through the wall.
  all.push_back({Paint::Conductor, -0.4, 0.03, -0.1, 0.03, 0.014});
  all.push_back({Paint::Source, -0.08, -0.27, 0.0, -0.27, 0.03, 1});
  return all;
}

Dabs rooms() {
  constexpr double kWall = 0.012, kDoor = 0.05;
  Dabs all;
  for (const double side : {-1.0, 1.0}) {
    const double door = side * 0.27;
    for (const auto& [from, to] : {std::pair{0.0, door - side * kDoor}, {door + side * kDoor, side * 0.55}}) {
      wall(all, from, 0, to, 0, kWall);
      wall(all, 0, from, 0, to, kWall);
    }
  }
  // The hot room, with a fine brush: its corners are square.
  constexpr double kBrush = 0.02, kNear = kWall + kBrush, kFar = 0.5 - kBrush;
  for (double y = -kFar; y <= -kNear + 1e-9; y += (kFar - kNear) / 16) {
    all.push_back({Paint::Heat, -kFar, y, -kNear, y, kBrush, 1});
  }
  return all;
}

Dabs rods() {
  constexpr double kWall = 0.012, kEnd = 0.4, kHalf = 0.11;
  Dabs all;
  const std::array<double, 3> middles{0.27, 0, -0.27};
  for (const double y : middles) {
    for (const double edge : {y - kHalf, y + kHalf}) wall(all, -kEnd, edge, kEnd, edge, kWall);
  }
  const auto fill = [&](double y, double from, double to) {
    constexpr double kBrush = 0.02;
    for (double at = y - kHalf + kWall + kBrush; at < y + kHalf - kWall - kBrush / 2; at += kBrush) {
      all.push_back({Paint::Conductor, from + kBrush, at, to - kBrush, at, kBrush});
    }
  };
  fill(middles[0], -kEnd, kEnd);
  fill(middles[2], 0, kEnd);
  all.push_back({Paint::Source, -kEnd - 0.04, -0.6, -kEnd - 0.04, 0.6, 0.04, 1});
  all.push_back({Paint::Source, kEnd + 0.04, -0.6, kEnd + 0.04, 0.6, 0.04, 0});
  return all;
}

Dabs fins() {
  Dabs all;
  all.push_back({Paint::Conductor, -0.32, -0.24, 0.32, -0.24, 0.035});
  for (int k = -4; k <= 4; ++k) all.push_back({Paint::Conductor, 0.08 * k, -0.24, 0.08 * k, 0.3, 0.014});
  all.push_back({Paint::Source, -0.1, -0.31, 0.1, -0.31, 0.035, 1});
  return all;
}

// Cells joined by a walk that goes on at random wherever it has not been, and back where it can go no further: between
// any two of them there is one path.
Dabs maze(std::uint64_t seed) {
  constexpr int kSide = 6;
  constexpr double kOuter = 0.48, kCell = 2 * kOuter / kSide, kWall = 0.012;
  constexpr std::uint32_t kStream = 77;
  constexpr std::array<std::pair<int, int>, 4> kWays{{{1, 0}, {-1, 0}, {0, 1}, {0, -1}}};
  struct Cell {
    bool seen = false, open_right = false, open_above = false;
  };
  std::array<std::array<Cell, kSide>, kSide> cells{};  // by row, then column
  const auto at = [&](int x, int y) -> Cell& {
    return cells[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
  };
  std::vector<std::pair<int, int>> path{{0, 0}};
  at(0, 0).seen = true;
  for (std::uint64_t draw = 0; !path.empty(); ++draw) {
    const auto [x, y] = path.back();
    std::vector<std::pair<int, int>> onward;
    for (const auto& [dx, dy] : kWays) {
      const int to_x = x + dx, to_y = y + dy;
      if (to_x >= 0 && to_x < kSide && to_y >= 0 && to_y < kSide && !at(to_x, to_y).seen)
        onward.push_back({to_x, to_y});
    }
    if (onward.empty()) {
      path.pop_back();
      continue;
    }
    const double drawn = compute::uniform4(seed, kStream, draw).u[0];
    const auto [to_x, to_y] = onward[static_cast<std::size_t>(drawn * static_cast<double>(onward.size()))];
    if (to_x != x) at(std::min(x, to_x), y).open_right = true;
    if (to_y != y) at(x, std::min(y, to_y)).open_above = true;
    at(to_x, to_y).seen = true;
    path.push_back({to_x, to_y});
  }
  Dabs all;
  for (const double edge : {-kOuter, kOuter}) {
    wall(all, -kOuter, edge, kOuter, edge, kWall);
    wall(all, edge, -kOuter, edge, kOuter, kWall);
  }
  const auto line = [&](int k) { return -kOuter + k * kCell; };
  for (int y = 0; y < kSide; ++y) {
    for (int x = 0; x < kSide; ++x) {
      if (x + 1 < kSide && !at(x, y).open_right) wall(all, line(x + 1), line(y), line(x + 1), line(y + 1), kWall);
      if (y + 1 < kSide && !at(x, y).open_above) wall(all, line(x), line(y + 1), line(x + 1), line(y + 1), kWall);
    }
  }
  const double corner = kOuter - kCell / 2;
  all.push_back({Paint::Source, -corner, -corner, -corner, -corner, 0.04, 1});
  all.push_back({Paint::Source, corner, corner, corner, corner, 0.04, 0});
  return all;
}

}  // namespace

std::vector<MaterialDab> materialDabs(Material material, std::uint64_t seed) {
  switch (material) {
    case Material::House:
      return house();
    case Material::Maze:
      return maze(seed);
    case Material::Rooms:
      return rooms();
    case Material::Rods:
      return rods();
    case Material::Fins:
      return fins();
    case Material::None:
      break;
  }
  return {};
}

}  // namespace simscope::heat
