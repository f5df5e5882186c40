// The parts of the tree, and CUDA's build played on the host.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sims/nbody/tree/built.h"
#include "sims/nbody/tree/field.h"
#include "sims/nbody/tree/kernels.h"

namespace simscope::nbody::tree {
namespace {

using tests::Sources;
using tests::sources;

TEST(HilbertKey, WalksFromCellToNeighbouringCell) {
  // The 4096 cells of the fourth level, by the first four digits of their keys.
  constexpr int kSide = 16, kShift = kLevels - 4;
  std::vector<std::array<int, 3>> visited(kSide * kSide * kSide, {-1, -1, -1});
  for (int x = 0; x < kSide; ++x) {
    for (int y = 0; y < kSide; ++y) {
      for (int z = 0; z < kSide; ++z) {
        const auto at = [](int cell) { return static_cast<std::uint32_t>(cell) << kShift; };
        const std::uint64_t low = hilbertKey(at(x), at(y), at(z)) >> (3 * kShift);
        const std::uint64_t high = hilbertKey(at(x + 1) - 1, at(y + 1) - 1, at(z + 1) - 1) >> (3 * kShift);
        ASSERT_EQ(low, high) << "a cell is one stretch of keys";
        visited.at(low) = {x, y, z};
      }
    }
  }
  for (std::size_t i = 1; i < visited.size(); ++i) {
    int distance = 0;
    for (int axis = 0; axis < 3; ++axis) distance += std::abs(visited[i][axis] - visited[i - 1][axis]);
    ASSERT_EQ(distance, 1) << i;
  }
}

TEST(HilbertKey, SharesTheLevelsThatItsCellsShare) {
  EXPECT_EQ(sharedLevels(0, 0), kLevels);
  EXPECT_EQ(sharedLevels(0, 1), kLevels - 1);
  EXPECT_EQ(sharedLevels(7, 8), kLevels - 2);
  EXPECT_EQ(sharedLevels(0, std::uint64_t{1} << 62), 0);
  EXPECT_EQ(sharedLevels(0, std::uint64_t{1} << 59), 1);
}

template <class T>
void expectSame(const T* a, const T* b, std::size_t count, const std::string& what) {
  EXPECT_EQ(std::memcmp(a, b, count * sizeof(T)), 0) << what;
}

TEST(TreeBuild, GivesTheSameTreeWhereTheHostKnowsNothing) {
  for (const std::string& kind : kKinds) {
    for (const int n : {1, 16, 17, 3000, 20000}) {
      const Sources v = sources(kind, n);
      const Built cpu(v, 0.5f, false), cuda(v, 0.5f, true);
      const std::size_t cells = cpu.a.frame->cells;
      ASSERT_EQ(cuda.a.frame->cells, cells);
      // Sums of the mean may round differently, and so may keys; these do not.
      expectSame(cpu.a.keys, cuda.a.keys, static_cast<std::size_t>(n), "keys");
      expectSame(cpu.a.frame->level_start, cuda.a.frame->level_start, kLevels + 2, "levels");
      expectSame(cpu.a.link, cuda.a.link, cells, "links");
      expectSame(cpu.a.cells, cuda.a.cells, cells, "moments");
    }
  }
}

// Visits the tree from the root and returns the bodies of a cell, [begin, end).
std::pair<std::uint32_t, std::uint32_t> expectWhole(const Arrays& a, std::uint32_t cell, std::uint32_t limit) {
  const Link link = a.link[cell];
  std::pair<std::uint32_t, std::uint32_t> range;
  if (link.count & kLeafBit) {
    range = {link.first, link.first + (link.count & ~kLeafBit)};
    const bool last = sharedLevels(a.keys[range.first], a.keys[range.second - 1]) == kLevels;
    EXPECT_TRUE(range.second - range.first <= limit || last);
  } else {
    EXPECT_LE(link.count, 8u);
    range = expectWhole(a, link.first, limit);
    for (std::uint32_t child = link.first + 1; child < link.first + link.count; ++child) {
      const auto next = expectWhole(a, child, limit);
      EXPECT_EQ(next.first, range.second);
      range.second = next.second;
    }
    EXPECT_GT(range.second - range.first, limit);
  }
  return range;
}

TEST(TreeBuild, CellsShareOutTheBodiesWithoutGapOrOverlap) {
  for (const std::string& kind : kKinds) {
    for (const int n : {1, 2, 16, 17, 100, 20000}) {
      Sources v = sources(kind, n);
      if (n == 20000) {
        for (std::size_t i = 0; i < 700; ++i) v[3 * i] = v[0];
      }
      const Built tree(v, 0.5f, false);
      const auto all = expectWhole(tree.a, 0, tree.a.frame->leaf_bodies);
      EXPECT_EQ(all.first, 0u);
      EXPECT_EQ(all.second, static_cast<std::uint32_t>(n));
      std::vector<bool> seen(v.size());
      for (int i = 0; i < n; ++i) seen.at(tree.a.index[i]) = true;
      EXPECT_THAT(seen, testing::Each(true));
    }
  }
}

TEST(TreeBuild, TakesLargerLeavesWhereCellsWouldHaveNoRoom) {
  EXPECT_EQ(Built(sources("plummer", 20000), 0.5f, false).a.frame->leaf_bodies, kLeafBodies);
  const Built crowded(sources("tight clusters", 20000), 0.5f, false);
  EXPECT_EQ(crowded.a.frame->leaf_bodies, kCrowdedLeafBodies);
  EXPECT_LE(crowded.a.frame->cells, crowded.a.capacity);
}

TEST(TreeMoments, OfEveryCellAreTheSumsOverItsBodies) {
  for (const char* const kind : {"plummer", "mixed charges"}) {
    const Built tree(sources(kind, 3000), 0.5f, false);
    const Arrays& a = tree.a;
    for (std::uint32_t cell = 0; cell < a.frame->cells; ++cell) {
      const auto range = expectWhole(a, cell, kLeafBodies);
      const Vec4& c = a.cells[cell].reach;
      double m = 0, p[3] = {}, q[6] = {}, scale = 0, weight = 0, first[3] = {};
      for (std::uint32_t j = range.first; j < range.second; ++j) {
        const Vec4& v = a.bodies[j];
        const double x = v.x - c.x, y = v.y - c.y, z = v.z - c.z, s = v.w;
        const double second[6] = {x * x, x * y, x * z, y * y, y * z, z * z}, d[3] = {x, y, z};
        m += s;
        for (int k = 0; k < 3; ++k) p[k] += s * d[k], first[k] += std::abs(s) * d[k];
        for (int k = 0; k < 6; ++k) q[k] += 3 * s * second[k];
        scale += std::abs(s) * (x * x + y * y + z * z);
        weight += std::abs(s);
      }
      const double length = std::sqrt(scale / weight) + 1e-7;
      const Vec4 &qa = a.cells[cell].mass, &qb = a.cells[cell].tensor, &dipole = a.cells[cell].dipole;
      EXPECT_NEAR(qa.x, m, 1e-6 * weight);
      const float found[6] = {qa.y, qa.z, qa.w, qb.x, qb.y, qb.z};
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(found[k], q[k], 1e-5 * weight * length * length);
      EXPECT_NEAR(qb.w, 0.5 * (q[0] + q[3] + q[5]), 1e-5 * weight * length * length);
      const float dipoles[3] = {dipole.x, dipole.y, dipole.z};
      for (int k = 0; k < 3; ++k) {
        EXPECT_NEAR(dipoles[k], p[k], 1e-5 * weight * length);
        EXPECT_NEAR(first[k], 0, 1e-6 * weight) << "c is the centre of |s|";
      }
    }
  }
}

struct DoubleMath {
  using V = double;
  static double inverseRoot(double x) { return 1 / std::sqrt(x); }
};

TEST(CellField, IsTheFieldOfItsBodiesToSecondOrder) {
  // Three sources within h of a centre: halving h takes the error of the force to an eighth, with any softening.
  for (const double softening : {1e-3, 0.7}) {
    const auto errorAt = [&](double h) {
      const double points[3][4] = {{h, 0.3 * h, -0.5 * h, 2}, {-0.6 * h, h, 0.2 * h, -1.5}, {0.1 * h, -h, h, 0.7}};
      CellMoments<double> cell{};
      Dipole<double> dipole{};
      const double target[3] = {1.1, -0.7, 0.4};
      double exact[4] = {};
      for (const auto& [x, y, z, s] : points) {
        cell.m += s;
        dipole.x += s * x, dipole.y += s * y, dipole.z += s * z;
        cell.qxx += 3 * s * x * x, cell.qxy += 3 * s * x * y, cell.qxz += 3 * s * x * z;
        cell.qyy += 3 * s * y * y, cell.qyz += 3 * s * y * z, cell.qzz += 3 * s * z * z;
        const double d[3] = {x - target[0], y - target[1], z - target[2]};
        const double u = 1 / std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening);
        for (int k = 0; k < 3; ++k) exact[k] += s * u * u * u * d[k];
        exact[3] -= s * u;
      }
      cell.t = 0.5 * (cell.qxx + cell.qyy + cell.qzz);
      FieldSum<double> sum{0, 0, 0, 0};
      addCell<DoubleMath, true>(-target[0], -target[1], -target[2], cell, dipole, softening * softening, sum);
      return std::array{std::hypot(sum.x - exact[0], sum.y - exact[1], sum.z - exact[2]), std::abs(sum.phi - exact[3])};
    };
    const auto coarse = errorAt(0.02), fine = errorAt(0.01);
    for (const int k : {0, 1}) EXPECT_NEAR(std::log2(coarse[k] / fine[k]), 3, 0.2) << softening;
  }
}

TEST(TreeKernelSets, AgreeWithTheFirst) {
  tests::Draw draw(5);
  BodyList bodies;
  CellList cells;
  TargetList targets;
  bodies.count = 96, cells.count = 48, targets.count = 7;
  for (int i = 0; i < bodies.count; ++i) {
    bodies.x[i] = static_cast<float>(draw()), bodies.y[i] = static_cast<float>(draw());
    bodies.z[i] = static_cast<float>(draw()), bodies.s[i] = static_cast<float>(draw() - 0.5);
  }
  for (auto& values : cells.value) {
    for (float& value : values) value = static_cast<float>(draw() + 1);
  }
  for (int i = 0; i < targets.count; ++i)
    targets.x[i] = bodies.x[i], targets.y[i] = bodies.y[i], targets.z[i] = bodies.z[i];
  const compute::KernelList<TreeKernels>& list = supportedTreeKernels();
  const auto run = [&](const TreeKernels& set, int which) {
    TargetList t = targets;
    for (auto& field : t.field) std::fill(std::begin(field), std::end(field), 0.0f);
    if (which == 0) set.bodies(bodies, 0.01f, t);
    if (which == 1) set.cells(cells, 0.01f, t);
    if (which == 2) set.dipole_cells(cells, 0.01f, t);
    if (which == 3) set.own(bodies, 0.01f, t);
    return t;
  };
  for (int which = 0; which < 4; ++which) {
    const TargetList expected = run(list.sets[list.count - 1], which);
    for (int set = 0; set + 1 < list.count; ++set) {
      const TargetList found = run(list.sets[set], which);
      for (int i = 0; i < targets.count; ++i) {
        for (int k = 0; k < 4; ++k) {
          EXPECT_NEAR(found.field[i][k], expected.field[i][k], 1e-5 * (1 + std::abs(expected.field[i][k])))
              << list.sets[set].name << ' ' << which;
        }
      }
    }
  }
}

}  // namespace
}  // namespace simscope::nbody::tree
