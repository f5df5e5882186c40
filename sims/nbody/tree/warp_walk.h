// The field of a group of bodies, by a warp that shares one list of interactions among them.
//
// Cells that stay closed go to one list, bodies of opened leaves to another, children of opened cells back onto the
// stack. Whenever a list holds 32 entries, the lanes load one each, and all of them sum over the 32; their sum is added
// to the total at the end, so that thousands of small terms are not lost in it.
//
// Lanes and targets: with more than 32 bodies, each lane has kPerLane. With fewer, each lane has one. If the bodies
// fill half of the warp or less, several lanes, span_ lanes apart, share a body, and each takes a slice of the sources.
// So a small group costs about as much a body as a large one.
#pragma once

#include "sims/nbody/tree/warp.h"

namespace simscope::nbody::tree {

// The field in the order of the sources.
struct FieldOfSources {
  const std::uint32_t* index;
  Vec4* field;
  SIMSCOPE_HD Vec4& operator()(std::uint32_t i) const { return field[index[i]]; }
};

// kPotential: whether φ is wanted.
template <int kPerLane, class Team, bool kPotential = true>
class WarpWalk : WarpTraversal<kPerLane, Team> {
  using Base = WarpTraversal<kPerLane, Team>;
  using Base::a_, Base::m_, Base::team_;

 public:
  using Lane = WarpLane<kPerLane>;

  SIMSCOPE_HD WarpWalk(Team& team, const Arrays& a, float eps2) : Base(team, a), eps2_(eps2) {}

  // The field of the group of bodies [begin, end), at most kPerLane · 32 of them. field(i): destination of the field of
  // body i of the curve.
  template <class Field>
  SIMSCOPE_HD void group(std::uint32_t begin, std::uint32_t end, const Field& field) {
    targets_ = end - begin;
    span_ = kWarp;
    while (targets_ <= span_ / 2) span_ /= 2;
    if (targets_ > kWarp) {
      sum<kPerLane>(begin, end, field);
    } else {
      sum<1>(begin, end, field);
    }
  }

  SIMSCOPE_HD const Interactions& counted() const { return counted_; }

 private:
  // kTargets: bodies of a lane.
  template <int kTargets, class Field>
  SIMSCOPE_HD void sum(std::uint32_t begin, std::uint32_t end, const Field& field) {
    const BoundingBox box = start<kTargets>(begin);
    walk<kTargets>(begin, end, box, openingOf(box));
    if (kTargets == 1) joinSlices();
    team_.each([&](Lane& lane) {
      for (int k = 0; k < kTargets; ++k) {
        const std::uint32_t at = k * kWarp + lane.id;
        const FieldSum<float>& sum = lane.sum[k];
        if (at < targets_) field(begin + at) = {sum.x, sum.y, sum.z, sum.phi};
      }
    });
  }

  template <int kTargets>
  SIMSCOPE_HD void walk(std::uint32_t begin, std::uint32_t end, const BoundingBox& box, const Opening& opening) {
    int height = Base::fromTheRoot(), cells = 0, bodies = 0;
    while (height > 0) {
      const int ready = Base::take(height);
      look(ready, box, opening);
      const std::uint32_t closed = team_.ballot([](const Lane& lane) { return lane.closed; });
      const auto opens = [](const Lane& lane, bool leaf) {
        return lane.taken && !lane.closed && ((lane.link.count & kLeafBit) != 0) == leaf;
      };
      const std::uint32_t inner = team_.ballot([&](const Lane& lane) { return opens(lane, false); });
      const std::uint32_t leaves = team_.ballot([&](const Lane& lane) { return opens(lane, true); });
      team_.each([&](Lane& lane) {
        if (lane.closed) m_.cells[cells + Base::before(closed, lane.id)] = lane.first;
      });
      height = Base::push(inner, height);
      cells += Base::bits(closed);
      if (leaves) bodies = addLeaves<kTargets>(leaves, bodies, begin, end);
      team_.sync();
      if (cells >= kWarp) {
        cells -= kWarp;
        addCells<kTargets>(cells, kWarp);
      }
      while (bodies >= kWarp) {
        bodies -= kWarp;
        addBodies<kTargets>(bodies, kWarp);
      }
    }
    addCells<kTargets>(0, cells);
    addBodies<kTargets>(0, bodies);
  }

  // The first source of a lane's slice, and how many further the next one is.
  template <int kTargets>
  SIMSCOPE_HD int slice(const Lane& lane) const {
    return kTargets == 1 ? lane.id / static_cast<int>(span_) : 0;
  }
  template <int kTargets>
  SIMSCOPE_HD int stride() const {
    return kTargets == 1 ? kWarp / static_cast<int>(span_) : 1;
  }

  // Loads the targets, sums over their own group, and returns its box.
  template <int kTargets>
  SIMSCOPE_HD BoundingBox start(std::uint32_t begin) {
    const auto own = [this](const Lane& lane, int k) {
      return kTargets == 1 ? static_cast<std::uint32_t>(lane.id) % span_
                           : static_cast<std::uint32_t>(k * kWarp + lane.id);
    };
    team_.each([&](Lane& lane) {
      for (int k = 0; k < kTargets; ++k) {
        const std::uint32_t at = own(lane, k);
        lane.target[k] = a_.bodies[at < targets_ ? begin + at : begin];
        lane.sum[k] = {0, 0, 0, 0};
        if (kTargets > 1 || static_cast<std::uint32_t>(lane.id) < span_) m_.tile[k][lane.id] = lane.target[k];
      }
    });
    team_.sync();
    team_.each([&](Lane& lane) {
      FieldSum<float> recent[kTargets] = {};
      for (int j = slice<kTargets>(lane); j < static_cast<int>(targets_); j += stride<kTargets>()) {
        const Vec4 body = m_.tile[j / kWarp][j % kWarp];
        for (int k = 0; k < kTargets; ++k) {
          add(lane.target[k], body, static_cast<std::uint32_t>(j) == own(lane, k) ? 0.0f : body.w, recent[k]);
        }
      }
      join<kTargets>(lane, recent);
    });
    team_.sync();
    counted_.bodies += static_cast<unsigned long long>(targets_) * (targets_ - 1);
    BoundingBox box;
    for (int axis = 0; axis < 3; ++axis) {
      const auto coordinate = [axis](const Vec4& v) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; };
      box.lo[axis] = team_.least([&](const Lane& lane) {
        float value = coordinate(lane.target[0]);
        for (int k = 1; k < kTargets; ++k) value = lesser(value, coordinate(lane.target[k]));
        return value;
      });
      box.hi[axis] = team_.most([&](const Lane& lane) {
        float value = coordinate(lane.target[0]);
        for (int k = 1; k < kTargets; ++k) value = greater(value, coordinate(lane.target[k]));
        return value;
      });
    }
    return box;
  }

  SIMSCOPE_HD Opening openingOf(const BoundingBox& box) {
    if (a_.frame->mixed) return openingFor(*a_.frame, 0);
    const Vec4 middle = box.middle();
    team_.each([](Lane& lane) { lane.g = {0, 0, 0, 0}; });
    int height = Base::fromTheRoot();
    while (height > 0) {
      const int ready = Base::take(height);
      team_.each([&](Lane& lane) {
        lane.taken = lane.id < ready;
        if (!lane.taken) return;
        const std::uint32_t cell = m_.batch[lane.id];
        lane.taken = !addCoarse(a_.cells[cell], middle, eps2_, lane.g);
        if (lane.taken) lane.link = a_.link[cell];
      });
      const std::uint32_t inner =
          team_.ballot([](const Lane& lane) { return lane.taken && !(lane.link.count & kLeafBit); });
      height = Base::push(inner, height);
      team_.sync();
    }
    team_.each([&](Lane& lane) { m_.tile[0][lane.id] = lane.g; });
    team_.sync();
    Vec4 g;
    for (int i = 0; i < kWarp; ++i) {
      const Vec4 part = m_.tile[0][i];
      g.x += part.x;
      g.y += part.y;
      g.z += part.z;
    }
    team_.sync();
    return openingFor(*a_.frame, g.x * g.x + g.y * g.y + g.z * g.z);
  }

  template <int kTargets>
  SIMSCOPE_HD static void join(Lane& lane, const FieldSum<float> (&recent)[kTargets]) {
    for (int k = 0; k < kTargets; ++k) {
      lane.sum[k].x += recent[k].x;
      lane.sum[k].y += recent[k].y;
      lane.sum[k].z += recent[k].z;
      lane.sum[k].phi += recent[k].phi;
    }
  }

  // The first `span_` lanes get the sums of all slices, added in their order.
  SIMSCOPE_HD void joinSlices() {
    if (span_ == kWarp) return;
    team_.each([&](Lane& lane) {
      const FieldSum<float>& sum = lane.sum[0];
      m_.tile[0][lane.id] = {sum.x, sum.y, sum.z, sum.phi};
    });
    team_.sync();
    team_.each([&](Lane& lane) {
      for (std::uint32_t from = lane.id + span_; from < kWarp; from += span_) {
        const Vec4 part = m_.tile[0][from];
        lane.sum[0].x += part.x;
        lane.sum[0].y += part.y;
        lane.sum[0].z += part.z;
        lane.sum[0].phi += part.w;
      }
    });
    team_.sync();
  }

  SIMSCOPE_HD void look(int ready, const BoundingBox& box, const Opening& opening) {
    team_.each([&](Lane& lane) {
      lane.taken = lane.id < ready;
      lane.closed = false;
      if (!lane.taken) return;
      lane.first = m_.batch[lane.id];
      lane.link = a_.link[lane.first];
      lane.closed = staysClosed(box, a_.cells[lane.first], opening);
    });
  }

  // Puts the bodies of opened leaves on their list; those of the last level, of any number, are summed at once.
  template <int kTargets>
  SIMSCOPE_HD int addLeaves(std::uint32_t leaves, int bodies, std::uint32_t begin, std::uint32_t end) {
    const auto countOf = [&](const Lane& lane) { return leaves >> lane.id & 1u ? lane.link.count & ~kLeafBit : 0u; };
    std::uint32_t large = team_.ballot([&](const Lane& lane) { return countOf(lane) > kLeafBodies; });
    const std::uint32_t total = team_.prefix(&Lane::offset, [&](const Lane& lane) {
      const std::uint32_t count = countOf(lane);
      return count > kLeafBodies ? 0u : OtherBodies(lane.link.first, count, begin, end).count;
    });
    team_.each([&](Lane& lane) {
      const std::uint32_t count = countOf(lane);
      if (count == 0 || count > kLeafBodies) return;
      const OtherBodies others(lane.link.first, count, begin, end);
      for (std::uint32_t k = 0; k < others.count; ++k) m_.bodies[bodies + lane.offset + k] = others(k);
    });
    for (; large; large &= large - 1) {
      const int id = static_cast<int>(Base::lowestBit(large));
      const std::uint32_t first = team_.from(id, [](const Lane& lane) { return lane.link.first; });
      const std::uint32_t count = team_.from(id, [](const Lane& lane) { return lane.link.count & ~kLeafBit; });
      const OtherBodies others(first, count, begin, end);
      for (std::uint32_t from = 0; from < others.count; from += kWarp) {
        const std::uint32_t left = others.count - from;
        sumBodies<kTargets>(left < kWarp ? static_cast<int>(left) : kWarp, [&](int i) { return others(from + i); });
      }
    }
    return bodies + static_cast<int>(total);
  }

  SIMSCOPE_HD void add(const Vec4& target, const Vec4& body, float s, FieldSum<float>& sum) const {
    addBody<ScalarMath, kPotential>(body.x - target.x, body.y - target.y, body.z - target.z, s, eps2_, sum);
  }

  template <int kTargets>
  SIMSCOPE_HD void addBodies(int from, int count) {
    sumBodies<kTargets>(count, [&](int i) { return m_.bodies[from + i]; });
  }

  // bodyOf(i): the i-th of up to 32 bodies.
  template <int kTargets, class BodyOf>
  SIMSCOPE_HD void sumBodies(int count, const BodyOf& bodyOf) {
    team_.each([&](Lane& lane) {
      if (lane.id < count) m_.tile[0][lane.id] = a_.bodies[bodyOf(lane.id)];
    });
    team_.sync();
    team_.each([&](Lane& lane) {
      FieldSum<float> recent[kTargets] = {};
#if defined(__CUDA_ARCH__)
#pragma unroll 4
#endif
      for (int j = slice<kTargets>(lane); j < count; j += stride<kTargets>()) {
        const Vec4 body = m_.tile[0][j];
        for (int k = 0; k < kTargets; ++k) add(lane.target[k], body, body.w, recent[k]);
      }
      join<kTargets>(lane, recent);
    });
    team_.sync();
    counted_.bodies += static_cast<unsigned long long>(targets_) * count;
  }

  template <int kTargets>
  SIMSCOPE_HD void addCells(int from, int count) {
    if (a_.frame->mixed) {
      sumCells<kTargets, true>(from, count);
    } else {
      sumCells<kTargets, false>(from, count);
    }
  }

  template <int kTargets, bool kDipole>
  SIMSCOPE_HD void sumCells(int from, int count) {
    team_.each([&](Lane& lane) {
      if (lane.id >= count) return;
      const Cell& cell = a_.cells[m_.cells[from + lane.id]];
      m_.tile[0][lane.id] = cell.reach;
      m_.tile[1][lane.id] = cell.mass;
      m_.tile[2][lane.id] = cell.tensor;
      if (kDipole) m_.tile[3][lane.id] = cell.dipole;
    });
    team_.sync();
    team_.each([&](Lane& lane) {
      FieldSum<float> recent[kTargets] = {};
#if defined(__CUDA_ARCH__)
#pragma unroll 2
#endif
      for (int j = slice<kTargets>(lane); j < count; j += stride<kTargets>()) {
        const Vec4 c = m_.tile[0][j], q = m_.tile[1][j], r = m_.tile[2][j];
        const CellMoments<float> moments = {q.x, q.y, q.z, q.w, r.x, r.y, r.z, r.w};
        Dipole<float> dipole = {0, 0, 0};
        if (kDipole) dipole = {m_.tile[3][j].x, m_.tile[3][j].y, m_.tile[3][j].z};
        for (int k = 0; k < kTargets; ++k) {
          const Vec4& t = lane.target[k];
          addCell<ScalarMath, kDipole, kPotential>(c.x - t.x, c.y - t.y, c.z - t.z, moments, dipole, eps2_, recent[k]);
        }
      }
      join<kTargets>(lane, recent);
    });
    team_.sync();
    counted_.cells += static_cast<unsigned long long>(targets_) * count;
  }

  float eps2_;
  std::uint32_t targets_ = 0;
  std::uint32_t span_ = kWarp;  // lanes with different targets, where each lane has one: a power of two
  Interactions counted_{};
};

}  // namespace simscope::nbody::tree
