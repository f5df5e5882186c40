// CUDA's walk, executed on the host by a team that plays all lanes of a warp.
#include "sims/nbody/tree_warp.h"

#include <gtest/gtest.h>

#include <cstring>

#include "sims/nbody/tree_built.h"

namespace simscope::nbody::tree {
namespace {

using tests::Sources;
using tests::sources;

// All lanes of a warp in turn, the last one first, so that a phase that relied on another lane's part of it would show.
template <int kPerLane>
class HostTeam {
 public:
  using Lane = WarpLane<kPerLane>;

  HostTeam() {
    std::memset(static_cast<void*>(&memory_), 0xa5, sizeof memory_);
    for (int id = 0; id < kWarp; ++id) lanes_[id].id = id;
  }
  WarpMemory& memory() { return memory_; }
  void sync() {}
  template <class F>
  void each(const F& f) {
    for (int id = kWarp; id-- > 0;) f(lanes_[id]);
  }
  template <class F>
  std::uint32_t ballot(const F& f) {
    std::uint32_t mask = 0;
    each([&](Lane& lane) { mask |= static_cast<std::uint32_t>(f(lane)) << lane.id; });
    return mask;
  }
  template <class F>
  auto from(int id, const F& f) {
    return f(lanes_.at(static_cast<std::size_t>(id)));
  }
  template <class F>
  std::uint32_t prefix(std::uint32_t Lane::*member, const F& f) {
    std::uint32_t sum = 0;
    for (Lane& lane : lanes_) {
      const std::uint32_t mine = f(lane);
      lane.*member = sum;
      sum += mine;
    }
    return sum;
  }
  template <class F>
  float least(const F& f) {
    float value = FLT_MAX;
    each([&](Lane& lane) { value = std::min(value, f(lane)); });
    return value;
  }
  template <class F>
  float most(const F& f) {
    float value = -FLT_MAX;
    each([&](Lane& lane) { value = std::max(value, f(lane)); });
    return value;
  }

 private:
  std::array<Lane, kWarp> lanes_;
  WarpMemory memory_;
};

struct Walked {
  std::vector<Vec4> field;
  Interactions counted{};
};

template <int kPerLane>
Walked walkAsCuda(const Arrays& a, float softening) {
  using Walk = WarpWalk<kPerLane, HostTeam<kPerLane>>;
  Walked result;
  result.field.resize(static_cast<std::size_t>(a.n));
  const std::uint32_t n = static_cast<std::uint32_t>(a.n);
  for (std::uint32_t begin = 0; begin < n; begin += Walk::kStretch) {
    HostTeam<kPerLane> team;
    Walk walk(team, a, softening * softening);
    walk.stretch(begin, std::min(n, begin + Walk::kStretch), result.field.data());
    result.counted.bodies += walk.counted().bodies;
    result.counted.cells += walk.counted().cells;
  }
  return result;
}

void expectSameField(const std::vector<Vec4>& found, const std::vector<Vec4>& expected, double tolerance,
                     const std::string& what) {
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Vec4 &a = found[i], &b = expected[i];
    difference += std::pow(a.x - b.x, 2) + std::pow(a.y - b.y, 2) + std::pow(a.z - b.z, 2);
    whole += std::pow(b.x, 2) + std::pow(b.y, 2) + std::pow(b.z, 2);
    ASSERT_NEAR(a.w, b.w, 1e-3 * (1 + std::abs(b.w))) << what << ' ' << i;
  }
  EXPECT_LE(std::sqrt(difference), tolerance * std::sqrt(whole)) << what;
}

TEST(TreeWarp, OfTwoBodiesALaneMeetsWhatTheCpuMeets) {
  for (const std::string& kind : kKinds) {
    for (const int n : {1, 63, 65, 3001}) {
      Built tree(sources(kind, n), 0.6f, true);
      const auto expected = tree.walk(0.01f);
      const Walked found = walkAsCuda<2>(tree.a, 0.01f);
      expectSameField(found.field, expected, 1e-5, kind + " " + std::to_string(n));
      // The same groups and criterion; only a processor that fuses products and sums may decide otherwise here and
      // there.
      EXPECT_NEAR(static_cast<double>(found.counted.bodies), tree.a.interactions->bodies,
                  1e-3 * tree.a.interactions->bodies);
      EXPECT_NEAR(static_cast<double>(found.counted.cells), tree.a.interactions->cells,
                  1e-3 * tree.a.interactions->cells);
    }
  }
}

TEST(TreeWarp, CutsGroupsWhereTheCurveLeapsFromClusterToCluster) {
  // Two clusters of radius 1, 2000 apart, in one of which a body lies at 50.
  Sources v = sources("uniform", 3001);
  for (std::size_t i = 0; i < v.size(); i += 2) v[i].x += 2000;
  v[1].y = 50;
  const Built tree(v, 0.5f, true);
  HostTeam<2> team;
  WarpWalk<2, HostTeam<2>> walk(team, tree.a, 1e-4f);
  int cuts = 0;
  for (std::uint32_t begin = 0; begin < v.size();) {
    const std::uint32_t last = std::min<std::uint32_t>(3001, begin / kGroupBodies * kGroupBodies + kGroupBodies);
    Box box;
    const std::uint32_t end = walk.groupEnd(begin, last, box);
    EXPECT_LE(box.edge(), 1.0f) << begin;
    cuts += end < last;
    begin = end;
  }
  EXPECT_GE(cuts, 1);
  EXPECT_LE(cuts, 3);
}

TEST(TreeWarp, OfOneBodyALaneIsAsAccurate) {
  for (const std::string& kind : kKinds) {
    const Sources v = sources(kind, 3001);
    const Built tree(v, 0.5f, true);
    EXPECT_LT(tests::errorsOf(v, walkAsCuda<1>(tree.a, 0.01f).field, 0.01).force, 1e-3) << kind;
  }
}

TEST(TreeWarp, TakesLeavesOfAnySize) {
  Sources v = sources("uniform", 2000);
  for (std::size_t i = 0; i < 333; ++i) v[5 * i] = v[0];
  Built tree(v, 0.6f, true);
  expectSameField(walkAsCuda<2>(tree.a, 0.01f).field, tree.walk(0.01f), 1e-5, "coincident");
}

TEST(TreeWarp, AllPairsAtAnOpeningAngleOfZero) {
  // Every cell is looked at, so the stack holds the most that it can.
  for (const char* const kind : {"mixed charges", "all scales"}) {
    const Built tree(sources(kind, 1500), 0.0f, true);
    const Walked found = walkAsCuda<2>(tree.a, 0.01f);
    EXPECT_EQ(found.counted.bodies, 1500u * 1499u);
    EXPECT_EQ(found.counted.cells, 0u);
  }
}

}  // namespace
}  // namespace simscope::nbody::tree
