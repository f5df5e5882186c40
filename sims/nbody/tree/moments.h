// Boxes and moments of the cells of one level, from their bodies or from their finished children.
//
// Moments are about the rounded centre of |s|, so that its rounding causes no error. A cell need not be opened for a
// target further from that centre than l/θ + δ: l is the longest edge of the box of its bodies, δ the distance of the
// centre from the middle of the box (J. E. Barnes 1994, in Computational Astrophysics, eds. Barnes et al.; the box of
// the bodies in place of the octree's cube as J. Bédorf, E. Gaburov, S. Portegies Zwart, J. Comput. Phys. 231 (2012)
// 2825).
//
// Where strengths have both signs, fields cancel each other and the errors of the moments do not: l is then multiplied
// by kMixed, so that one opening angle gives about the same accuracy.
#pragma once

#include "sims/nbody/tree/build.h"

namespace simscope::nbody::tree {

struct MakeMoments {
  Arrays a;
  float edges;  // reachOf(θ)
  int level;
  std::uint32_t stride;  // cells processed at a time

  SIMSCOPE_HD void operator()(std::size_t first) const {
    const std::uint32_t end = a.frame->level_start[level + 1];
    for (std::uint32_t cell = a.frame->level_start[level] + static_cast<std::uint32_t>(first); cell < end;
         cell += stride) {
      const Link link = a.link[cell];
      if (link.count & kLeafBit) {
        fromBodies(cell, link.first, link.count & ~kLeafBit);
      } else {
        fromChildren(cell, link.first, link.count);
      }
    }
  }

 private:
  // Leaves of so few bodies are cheaper, and exact, body by body.
  static constexpr std::uint32_t kFewBodies = 3;
  static constexpr float kMixed = 1.7f;

  struct Sum {
    float m = 0, px = 0, py = 0, pz = 0, qxx = 0, qxy = 0, qxz = 0, qyy = 0, qyz = 0, qzz = 0;

    // Adds the moments of a point, or the change of the moments by a shift d.
    SIMSCOPE_HD void addPoint(float s, float dx, float dy, float dz) {
      m += s;
      px += s * dx;
      py += s * dy;
      pz += s * dz;
      qxx += 3 * s * dx * dx;
      qxy += 3 * s * dx * dy;
      qxz += 3 * s * dx * dz;
      qyy += 3 * s * dy * dy;
      qyz += 3 * s * dy * dz;
      qzz += 3 * s * dz * dz;
    }
  };

  struct Extent {
    Vec4 low = {FLT_MAX, FLT_MAX, FLT_MAX, 0}, high = {-FLT_MAX, -FLT_MAX, -FLT_MAX, 0};
    double weight = 0, x = 0, y = 0, z = 0;

    SIMSCOPE_HD void add(const Vec4& lo, const Vec4& hi, double w, const Vec4& centre) {
      low = {lesser(low.x, lo.x), lesser(low.y, lo.y), lesser(low.z, lo.z), 0};
      high = {greater(high.x, hi.x), greater(high.y, hi.y), greater(high.z, hi.z), 0};
      weight += w;
      x += w * centre.x;
      y += w * centre.y;
      z += w * centre.z;
    }
  };

  // The centre is weighted by |s|; where all strengths are 0, it is the middle of the box.
  SIMSCOPE_HD Vec4 place(std::uint32_t cell, const Extent& e, bool always_open) const {
    const Vec4 middle = {0.5f * e.low.x + 0.5f * e.high.x, 0.5f * e.low.y + 0.5f * e.high.y,
                         0.5f * e.low.z + 0.5f * e.high.z, 0};
    Vec4 centre = middle;
    if (e.weight > 0) {
      centre.x = static_cast<float>(e.x / e.weight);
      centre.y = static_cast<float>(e.y / e.weight);
      centre.z = static_cast<float>(e.z / e.weight);
    }
    const float edge = greater(greater(e.high.x - e.low.x, e.high.y - e.low.y), e.high.z - e.low.z);
    const float dx = centre.x - middle.x, dy = centre.y - middle.y, dz = centre.z - middle.z;
    const float counted = a.frame->mixed ? kMixed * edges : edges;
    const float distance = counted * edge + std::sqrt(dx * dx + dy * dy + dz * dz);
    centre.w = always_open ? HUGE_VALF : distance * distance;
    a.cells[cell].reach = centre;
    const double l = edge;
    a.cells[cell].dipole.w = static_cast<float>(std::pow(e.weight * l * l * l, 0.2));
    a.low[cell] = {e.low.x, e.low.y, e.low.z, static_cast<float>(e.weight)};
    a.high[cell] = e.high;
    return centre;
  }

  SIMSCOPE_HD void store(std::uint32_t cell, const Sum& s) const {
    Cell& to = a.cells[cell];
    to.mass = {s.m, s.qxx, s.qxy, s.qxz};
    to.tensor = {s.qyy, s.qyz, s.qzz, 0.5f * (s.qxx + s.qyy + s.qzz)};
    to.dipole = {s.px, s.py, s.pz, to.dipole.w};
  }

  SIMSCOPE_HD void fromBodies(std::uint32_t cell, std::uint32_t first, std::uint32_t count) const {
    Extent extent;
    for (std::uint32_t j = first; j < first + count; ++j) {
      const Vec4 body = a.bodies[j];
      extent.add(body, body, std::fabs(body.w), body);
    }
    const Vec4 centre = place(cell, extent, count <= kFewBodies);
    Sum sum;
    for (std::uint32_t j = first; j < first + count; ++j) {
      const Vec4 body = a.bodies[j];
      sum.addPoint(body.w, body.x - centre.x, body.y - centre.y, body.z - centre.z);
    }
    store(cell, sum);
  }

  SIMSCOPE_HD void fromChildren(std::uint32_t cell, std::uint32_t first, std::uint32_t count) const {
    Extent extent;
    for (std::uint32_t child = first; child < first + count; ++child) {
      extent.add(a.low[child], a.high[child], a.low[child].w, a.cells[child].reach);
    }
    const Vec4 centre = place(cell, extent, false);
    Sum sum;
    for (std::uint32_t child = first; child < first + count; ++child) {
      const Cell from = a.cells[child];
      const Vec4 &p = from.dipole, &q = from.mass, &r = from.tensor;
      const float dx = from.reach.x - centre.x, dy = from.reach.y - centre.y, dz = from.reach.z - centre.z;
      sum.addPoint(q.x, dx, dy, dz);
      sum.px += p.x;
      sum.py += p.y;
      sum.pz += p.z;
      sum.qxx += q.y + 6 * p.x * dx;
      sum.qxy += q.z + 3 * (p.x * dy + p.y * dx);
      sum.qxz += q.w + 3 * (p.x * dz + p.z * dx);
      sum.qyy += r.x + 6 * p.y * dy;
      sum.qyz += r.y + 3 * (p.y * dz + p.z * dy);
      sum.qzz += r.z + 6 * p.z * dz;
    }
    store(cell, sum);
  }
};

}  // namespace simscope::nbody::tree
