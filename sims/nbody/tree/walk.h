// Shared by both walks: the box of a group of bodies, the test whether a cell stays closed, and the cutting of a
// stretch of the curve into groups.
#pragma once

#include "sims/nbody/tree/build.h"

namespace simscope::nbody::tree {

struct BoundingBox {
  float lo[3] = {FLT_MAX, FLT_MAX, FLT_MAX};
  float hi[3] = {-FLT_MAX, -FLT_MAX, -FLT_MAX};

  SIMSCOPE_HD void add(const Vec4& v) {
    lo[0] = lesser(lo[0], v.x), hi[0] = greater(hi[0], v.x);
    lo[1] = lesser(lo[1], v.y), hi[1] = greater(hi[1], v.y);
    lo[2] = lesser(lo[2], v.z), hi[2] = greater(hi[2], v.z);
  }
  SIMSCOPE_HD Vec4 middle() const {
    return {0.5f * lo[0] + 0.5f * hi[0], 0.5f * lo[1] + 0.5f * hi[1], 0.5f * lo[2] + 0.5f * hi[2], 0};
  }
  SIMSCOPE_HD float edge() const {
    return greater(greater(hi[0] - lo[0], hi[1] - lo[1]), greater(hi[2] - lo[2], 0.0f));
  }
};

// When a cell stays closed for a group.
//
// Geometry: where the group's box is further from the centre than l/θ + δ. Error: where all strengths have one sign,
// also where the quadrupoles' error is negligible beside the field g at the group, Σ|s| l³/d⁵ < 8·10⁻⁴ θ³ |g|, if it is
// also far enough for the expansion. |g| is the field of the cells that look smaller than twice the opening angle, so
// it is usually less than the whole field. Bodies near a heavy one, or in a dense nucleus, therefore need not open
// every faint cell around them.
struct Opening {
  float closest2;  // of (l/θ + δ)²
  float scale2;    // (8·10⁻⁴ θ³ |g|)^{-2/5}; infinite where only geometry decides
};

// g2: |g|².
SIMSCOPE_HD inline Opening openingFor(const TreeHeader& frame, float g2) {
  const bool known = !frame.mixed && frame.tolerance > 0 && g2 > 0 && g2 <= FLT_MAX;
  return {frame.closest2, known ? std::pow(frame.tolerance * std::sqrt(g2), -0.4f) : HUGE_VALF};
}

SIMSCOPE_HD inline float distance2(const BoundingBox& box, const Vec4& from) {
  const float x = greater(greater(box.lo[0] - from.x, from.x - box.hi[0]), 0.0f);
  const float y = greater(greater(box.lo[1] - from.y, from.y - box.hi[1]), 0.0f);
  const float z = greater(greater(box.lo[2] - from.z, from.z - box.hi[2]), 0.0f);
  return x * x + y * y + z * z;
}

// Whether no target in the box has to open the cell. False where a number is NaN.
SIMSCOPE_HD inline bool staysClosed(const BoundingBox& box, const Cell& cell, const Opening& opening) {
  const Vec4 reach = cell.reach;
  const float away = distance2(box, reach), size = cell.dipole.w;
  return away > reach.w || (away > opening.closest2 * reach.w && away > size * size * opening.scale2);
}

// A leaf's bodies without those of the group [begin, end): how many, and which is the k-th.
struct OtherBodies {
  std::uint32_t first, count, skip_from, skip;

  SIMSCOPE_HD OtherBodies(std::uint32_t leaf_first, std::uint32_t leaf_count, std::uint32_t begin, std::uint32_t end)
      : first(leaf_first), skip_from(begin) {
    const std::uint32_t leaf_end = leaf_first + leaf_count;
    const std::uint32_t from = begin > leaf_first ? begin : leaf_first, to = end < leaf_end ? end : leaf_end;
    skip = to > from ? to - from : 0;
    count = leaf_count - skip;
  }
  SIMSCOPE_HD std::uint32_t operator()(std::uint32_t k) const {
    const std::uint32_t body = first + k;
    return body >= skip_from ? body + skip : body;
  }
};

SIMSCOPE_HD inline float distance2(const Vec4& a, const Vec4& b) {
  const float x = a.x - b.x, y = a.y - b.y, z = a.z - b.z;
  return x * x + y * y + z * z;
}

// Adds a cell's field at a place, for Opening; false where the cell must be opened for that.
SIMSCOPE_HD inline bool addCoarse(const Cell& cell, const Vec4& place, float eps2, Vec4& g) {
  const Vec4 centre = cell.reach;
  const float away = distance2(place, centre);
  if (!(4 * away > centre.w)) return false;
  const float u = 1.0f / std::sqrt(away + eps2), pull = cell.mass.x * u * u * u;
  g.x += pull * (centre.x - place.x);
  g.y += pull * (centre.y - place.y);
  g.z += pull * (centre.z - place.z);
  return true;
}

// Bodies that follow each other along the curve may still lie far apart: at the edge of a cluster, or in front of an
// outlier. The box of such a group would meet everything in between. A stretch is cut at its widest gap where both
// parts together are under half as long as the whole.
SIMSCOPE_HD inline bool isLoose(float left_edge, float right_edge, float edge) {
  return left_edge + right_edge < 0.5f * edge;
}

// Where many gaps are wide, in a halo or a tail, no single cut helps, and the box may still enclose a dense region: 64
// such bodies have interacted with a million others each. A group whose box holds more than kCrowd bodies, those of
// other groups included, is cut wherever two consecutive bodies share no cell of at most kCrowd bodies; then no box can
// hold more.
inline constexpr std::uint32_t kCrowd = 512;
inline constexpr float kMargin = 1.0f / 32;  // of the box's edge: bodies along a face cost as much as those inside

// Whether the bodies i < j have a cell of at most kCrowd bodies in common, or have equal keys.
SIMSCOPE_HD inline bool shareSmallCell(const Arrays& a, std::uint32_t i, std::uint32_t j) {
  const std::uint64_t key = a.keys[i];
  const int level = sharedLevels(key, a.keys[j]);
  if (level == kLevels) return true;
  // The bodies of the cell from body i on, by bisection; then those before it.
  const auto inside = [&](std::uint32_t body) { return sharedLevels(key, a.keys[body]) >= level; };
  const std::uint32_t behind = static_cast<std::uint32_t>(a.n) - 1 - i;
  std::uint32_t after = 0, before = 0;
  for (std::uint32_t step = kCrowd; step > 0; step /= 2) {
    if (after + step <= behind && inside(i + after + step)) after += step;
    if (before + step <= i && inside(i - before - step)) before += step;
  }
  return before + 1 + after <= kCrowd;
}

// Whether bodies of the cell may lie in the box or along its faces.
SIMSCOPE_HD inline bool reaches(const Arrays& a, std::uint32_t cell, const BoundingBox& box, float margin) {
  const Vec4 low = a.low[cell], high = a.high[cell];
  return low.x <= box.hi[0] + margin && high.x >= box.lo[0] - margin && low.y <= box.hi[1] + margin &&
         high.y >= box.lo[1] - margin && low.z <= box.hi[2] + margin && high.z >= box.lo[2] - margin;
}

}  // namespace simscope::nbody::tree
