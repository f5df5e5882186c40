// CUDA's walk, executed on the host by a team that plays all lanes of a warp.
#include "sims/nbody/tree/warp_walk.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sims/nbody/tree/built.h"
#include "sims/nbody/tree/warp_groups.h"

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
  using Groups = WarpGroups<kPerLane, HostTeam<kPerLane>>;
  Walked result;
  result.field.resize(static_cast<std::size_t>(a.n));
  const std::uint32_t n = static_cast<std::uint32_t>(a.n);
  for (std::uint32_t begin = 0; begin < n; begin += Groups::kStretch) {
    HostTeam<kPerLane> team, other;
    Groups groups(team, a);
    WarpWalk<kPerLane, HostTeam<kPerLane>> walk(other, a, softening * softening);
    groups.stretch(begin, std::min(n, begin + Groups::kStretch), [&](std::uint32_t from, std::uint32_t to) {
      walk.group(from, to, FieldOfSources{a.index, result.field.data()});
    });
    result.counted.bodies += walk.counted().bodies;
    result.counted.cells += walk.counted().cells;
  }
  return result;
}

struct Group {
  std::uint32_t begin, end;
  BoundingBox box;
};

std::vector<Group> groupsOf(const Arrays& a) {
  std::vector<Group> all;
  const std::uint32_t n = static_cast<std::uint32_t>(a.n);
  HostTeam<2> team;
  WarpGroups<2, HostTeam<2>> groups(team, a);
  for (std::uint32_t begin = 0; begin < n; begin += kGroupBodies) {
    groups.stretch(begin, std::min(n, begin + kGroupBodies), [&](std::uint32_t from, std::uint32_t to) {
      BoundingBox box;
      for (std::uint32_t i = from; i < to; ++i) box.add(a.bodies[i]);
      all.push_back({from, to, box});
    });
  }
  return all;
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
  int cuts = 0;
  for (const Group& group : groupsOf(tree.a)) {
    EXPECT_LE(group.box.edge(), 1.0f) << group.begin;
    cuts += group.end % kGroupBodies != 0 && group.end < v.size();
  }
  EXPECT_GE(cuts, 1);
  EXPECT_LE(cuts, 12) << "of 47 stretches";
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

TEST(TreeWarp, ThousandsOfTermsDoNotDrownInTheirSum) {
  for (const char* const kind : {"plummer", "mixed charges", "line", "plane"}) {
    const Sources v = sources(kind, 3000);
    const Built tree(v, 0.0f, true);
    for (const Walked& found : {walkAsCuda<1>(tree.a, 0.01f), walkAsCuda<2>(tree.a, 0.01f)}) {
      const tests::Errors errors = tests::errorsOf(v, found.field, 0.01);
      EXPECT_LT(errors.force, 5e-7) << kind;
      EXPECT_LT(errors.potential, 5e-7) << kind;
    }
  }
}

// Bodies and cells on the list of a group in this box.
std::uint64_t listLength(const Arrays& a, const BoundingBox& box, std::uint32_t cell = 0) {
  if (distance2(box, a.cells[cell].reach) > a.cells[cell].reach.w) return 1;
  const Link link = a.link[cell];
  if (link.count & kLeafBit) return link.count & ~kLeafBit;
  std::uint64_t all = 0;
  for (std::uint32_t child = link.first; child < link.first + link.count; ++child) all += listLength(a, box, child);
  return all;
}

TEST(TreeWarp, NoGroupMeetsManyTimesWhatTheOthersMeet) {
  // A stretch of the curve through the halo reaches around the nuclei; taken as one group it would meet all of them.
  for (const char* const kind : {"plummer", "encounter", "outlier"}) {
    const Built tree(sources(kind, 60000), 0.5f, true);
    std::uint64_t longest = 0, all = 0;
    for (const Group& group : groupsOf(tree.a)) {
      const std::uint64_t length = listLength(tree.a, group.box);
      longest = std::max(longest, length);
      all += length * (group.end - group.begin);
    }
    EXPECT_LT(longest, 3 * all / 60000) << kind;
  }
}

TEST(TreeWarp, GroupsOfAnySizeFeelTheSame) {
  // Lanes share the targets and the sources otherwise for each size.
  const Sources v = sources("mixed charges", 1000);
  const Built tree(v, 0.5f, true);
  for (std::uint32_t size = 1; size <= kGroupBodies; ++size) {
    std::vector<Vec4> field(v.size());
    HostTeam<2> team;
    WarpWalk<2, HostTeam<2>> walk(team, tree.a, 1e-4f);
    walk.group(300, 300 + size, FieldOfSources{tree.a.index, field.data()});
    double difference = 0, whole = 0;
    for (std::uint32_t i = 300; i < 300 + size; ++i) {
      const std::uint32_t body = tree.a.index[i];
      const tests::Field exact = tests::exactField(v, body, 0.01);
      difference += std::pow(field[body].x - exact[0], 2) + std::pow(field[body].y - exact[1], 2) +
                    std::pow(field[body].z - exact[2], 2);
      whole += exact[0] * exact[0] + exact[1] * exact[1] + exact[2] * exact[2];
    }
    EXPECT_LT(std::sqrt(difference / whole), 2e-3) << size;
    const auto untouched = std::count_if(field.begin(), field.end(), [](const Vec4& f) { return f.x == 0; });
    EXPECT_EQ(untouched, static_cast<std::ptrdiff_t>(v.size() - size));
  }
}

}  // namespace
}  // namespace simscope::nbody::tree
