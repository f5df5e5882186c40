#include "sims/heat/operations.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/rows.h"
#include "sims/compute/loops/whole.h"
#include "sims/heat/stencil.h"

namespace simscope::heat {
namespace functors {

struct LineValues {
  double* lines;
  ExactLine line;
  SIMSCOPE_HD void operator()(std::size_t i) const {
    const int at = static_cast<int>(i);
    lines[i] = at < line.n ? line.x(at) : line.y(at - line.n);
  }
};

struct Product {
  float* u;
  const double* lines;
  compute::Slab slab;
  Boundary boundary;
  SIMSCOPE_HD void operator()(int x, int y) const {
    const int n = slab.n;
    u[slab.at(x, y)] = isWall(boundary, x, y, n) ? 0.0f : static_cast<float>(lines[x] * lines[n + y]);
  }
};

struct Patches {
  float* u;
  compute::Slab slab;
  Boundary boundary;
  std::uint64_t seed;
  double patch, temperature;
  SIMSCOPE_HD void operator()(int x, int y) const {
    const auto column = static_cast<std::uint64_t>((x + 0.5) / patch),
               row = static_cast<std::uint64_t>((y + 0.5) / patch);
    const double drawn = patchShare(seed, column, row);
    u[slab.at(x, y)] = isWall(boundary, x, y, slab.n) ? 0.0f : static_cast<float>(temperature * drawn);
  }
};

struct Constant {
  float* u;
  float value;
  SIMSCOPE_HD void operator()(std::size_t i) const { u[i] = value; }
};

struct StatsOf {
  const float* u;
  const float* material;
  const double* lines;
  compute::Slab slab;
  SIMSCOPE_HD FieldStats operator()(int x, int y) const {
    const std::size_t at = slab.at(x, y);
    const double value = static_cast<double>(u[at]);
    if (material && material[at] == kInsulator) return {value, -INFINITY, INFINITY, 0, 0};
    if (!lines) return {value, value, value, 0, 0};
    const double exact = lines[x] * lines[slab.n + y], off = value - exact;
    return {value, value, value, off * off, exact * exact};
  }
};
struct JoinStats {
  SIMSCOPE_HD FieldStats operator()(const FieldStats& a, const FieldStats& b) const {
    return {a.sum + b.sum, a.maximum > b.maximum ? a.maximum : b.maximum, a.minimum < b.minimum ? a.minimum : b.minimum,
            a.error2 + b.error2, a.exact2 + b.exact2};
  }
};

// Of every `every`-th row, from the first of `from` on, cells as far apart; in each row they begin elsewhere.
struct RoundingAt {
  DoubleStep wanted;
  int from, every;
  SIMSCOPE_HD float beside(int x, int y, float own) const {
    const std::size_t at = placeOf(wanted.slab, wanted.boundary, x, y);
    return at == kNowhere ? own : wanted.u[at];
  }
  // As diffused() rounds.
  SIMSCOPE_HD float plain(int x, int y, float own, float r) const {
    const float across = beside(x - 1, y, own) + beside(x + 1, y, own);
    const float sum = across + (beside(x, y - 1, own) + beside(x, y + 1, own));
    const double change = static_cast<double>(r) * (static_cast<double>(sum) - 4 * static_cast<double>(own));
    return static_cast<float>(static_cast<double>(own) + change);
  }
  SIMSCOPE_HD RoundingSums operator()(int column, int row) const {
    const compute::Slab& slab = wanted.slab;
    const int x = column * every + row * 7 % every, y = from + row * every;
    const double change = wanted.change(x, y);
    if (change == 0) return {1, 0, 0};
    const float own = wanted.u[slab.at(x, y)];
    const auto r = static_cast<float>(wanted.r);
    const MaterialStep mapped{wanted.u, wanted.material, nullptr, slab, wanted.boundary, r};
    const float next = wanted.material ? mapped.after(x, y) : plain(x, y, own, r);
    const double made = static_cast<double>(next) - static_cast<double>(own);
    return {1, change < 0 ? -change : change, change < 0 ? -made : made};
  }
};
struct Gather {
  const float* u;
  Probes probes;
  float* values;
  SIMSCOPE_HD void operator()(std::size_t i) const { values[i] = u[probes.cell[i]]; }
};

// The brush over columns from `left` on.
struct Brushed {
  float* u;
  float* material;
  compute::Slab slab;
  int left;
  Boundary boundary;
  Dab stroke;

  SIMSCOPE_HD bool touches(int x, int y) const { return !isWall(boundary, x, y, slab.n) && stroke.holds(x, y); }
  SIMSCOPE_HD float newTemperature(float old) const {
    switch (stroke.paint) {
      case Paint::Heat:
        return old > stroke.temperature ? old : stroke.temperature;
      case Paint::Cold:
        return old < -stroke.temperature ? old : -stroke.temperature;
      case Paint::Source:
        return stroke.temperature;
      default:
        return old;
    }
  }
  SIMSCOPE_HD float newMaterial(float old) const {
    switch (stroke.paint) {
      case Paint::Source:
        return kHeld;
      case Paint::Insulator:
        return kInsulator;
      case Paint::Conductor:
        return kConductor;
      case Paint::Erase:
        return kPlain;
      default:
        return old;
    }
  }
};

SIMSCOPE_HD inline MaterialCount kindOf(float material) {
  return {material < 0 ? 1.0 : 0.0, material == 0 ? 1.0 : 0.0, material > 1 ? 1.0 : 0.0};
}

struct EffectOf {
  Brushed brush;
  SIMSCOPE_HD PaintEffect operator()(int column, int y) const {
    const int x = brush.left + column;
    if (!brush.touches(x, y)) return {0, 0, {0, 0, 0}};
    const std::size_t at = brush.slab.at(x, y);
    const float old = brush.u[at];
    PaintEffect effect{1, static_cast<double>(brush.newTemperature(old)) - static_cast<double>(old), {0, 0, 0}};
    if (brush.material) {
      const MaterialCount before = kindOf(brush.material[at]), after = kindOf(brush.newMaterial(brush.material[at]));
      effect.material = {after.held - before.held, after.insulators - before.insulators,
                         after.conductors - before.conductors};
    }
    return effect;
  }
};
struct Apply {
  Brushed brush;
  SIMSCOPE_HD void operator()(int column, int y) const {
    const int x = brush.left + column;
    if (!brush.touches(x, y)) return;
    const std::size_t at = brush.slab.at(x, y);
    brush.u[at] = brush.newTemperature(brush.u[at]);
    if (brush.material) brush.material[at] = brush.newMaterial(brush.material[at]);
  }
};

struct ThinAt {
  const float* material;
  compute::Slab slab;
  Boundary boundary;
  SIMSCOPE_HD static int kind(float factor) { return factor == kInsulator ? 0 : factor > 1 ? 2 : 1; }
  SIMSCOPE_HD bool differs(int own, int x, int y) const {
    const std::size_t at = placeOf(slab, boundary, x, y);
    return at != kNowhere && kind(material[at]) != own;
  }
  SIMSCOPE_HD double operator()(int x, int y) const {
    const int own = kind(material[slab.at(x, y)]);
    const bool across = differs(own, x - 1, y) && differs(own, x + 1, y);
    const bool along = differs(own, x, y - 1) && differs(own, x, y + 1);
    return across || along ? 1.0 : 0.0;
  }
};

struct KindAt {
  const float* material;
  compute::Slab slab;
  SIMSCOPE_HD MaterialCount operator()(int x, int y) const { return kindOf(material[slab.at(x, y)]); }
};
}  // namespace functors

void fillLines(compute::Device& device, double* lines, const ExactLine& line) {
  constexpr std::size_t kCostly = 256;  // elements a task, because of error functions
  compute::parallelFor(device, 2 * static_cast<std::size_t>(line.n), functors::LineValues{lines, line}, kCostly);
}

void fillProduct(compute::Device& device, float* u, const compute::Slab& slab, Boundary boundary, const double* lines) {
  compute::forRows(device, slab.n, slab.first, slab.count, functors::Product{u, lines, slab, boundary});
}

void fillPatches(compute::Device& device, float* u, const compute::Slab& slab, Boundary boundary, std::uint64_t seed,
                 double patch, double temperature) {
  compute::forRows(device, slab.n, slab.first, slab.count,
                   functors::Patches{u, slab, boundary, seed, patch, temperature});
}

void fillConstant(compute::Device& device, float* u, const compute::Slab& slab, float value) {
  compute::parallelFor(device, slab.cells(), functors::Constant{u, value});
}

FieldStats measure(compute::Device& device, const float* u, const float* material, const compute::Slab& slab,
                   const double* lines) {
  const FieldStats nothing{0, -INFINITY, INFINITY, 0, 0};
  return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, nothing,
                             functors::StatsOf{u, material, lines, slab}, functors::JoinStats{});
}

// In double the sum of so few floats does not overflow: it is finite if all of them are.
bool allFinite(compute::Device& device, const float* u, const compute::Slab& slab) {
  const FieldStats nothing{0, -INFINITY, INFINITY, 0, 0};
  const FieldStats own = compute::reduce2d(device, slab.n, slab.count, nothing,
                                           functors::StatsOf{u, nullptr, nullptr, {slab.n, 0, slab.count, slab.halo}},
                                           functors::JoinStats{});
  return compute::trueOnAll(device, std::isfinite(own.sum));
}

RoundingSums measureRounding(compute::Device& device, const float* u, const float* material, const compute::Slab& slab,
                             Boundary boundary, float mesh_ratio) {
  constexpr int kAcross = 128;  // cells at most, along each side
  const int n = slab.n, every = (n + kAcross - 1) / kAcross, from = every / 2;
  const DoubleStep wanted{u, nullptr, material, nullptr, nullptr, slab, boundary, static_cast<double>(mesh_ratio)};
  return compute::reduceRows(device, compute::cutsOf(device, n, from, n, every), n / every, 0, RoundingSums{0, 0, 0},
                             functors::RoundingAt{wanted, from, every}, compute::Plus{});
}

void readCells(compute::Device& device, const float* u, const compute::Slab& slab, const Probes& probes, float* scratch,
               float* values) {
  if (probes.count == 0) return;
  const auto count = static_cast<std::size_t>(probes.count);
  const auto owns = [&](std::size_t i) { return slab.owns(static_cast<int>(probes.cell[i] / slab.n)); };
  Probes local = probes;
  for (std::size_t i = 0; i < count; ++i) {
    local.cell[i] = owns(i) ? static_cast<std::int64_t>(slab.local(static_cast<std::size_t>(probes.cell[i]))) : 0;
  }
  compute::parallelFor(device, count, functors::Gather{u, local, scratch});
  device.download(values, scratch, count * sizeof(float));
  for (std::size_t i = 0; i < count; ++i) {
    if (!owns(i)) values[i] = 0;
  }
  compute::shareValues(device, {values, count});
}

PaintEffect paint(compute::Device& device, float* u, float* material, const compute::Slab& slab, Boundary boundary,
                  const Dab& stroke) {
  const int n = slab.n;
  const auto cell = [n](double at) { return compute::wholeWithin(at, -1, n); };
  const int left = std::max(0, cell(std::floor(std::min(stroke.x0, stroke.x1) - stroke.radius)));
  const int top = std::max(0, cell(std::floor(std::min(stroke.y0, stroke.y1) - stroke.radius)));
  const int right = std::min(n, cell(std::ceil(std::max(stroke.x0, stroke.x1) + stroke.radius)) + 1);
  const int bottom = std::min(n, cell(std::ceil(std::max(stroke.y0, stroke.y1) + stroke.radius)) + 1);
  const functors::Brushed brush{u, material, slab, left, boundary, stroke};
  const PaintEffect none{0, 0, {0, 0, 0}};
  const std::vector<int> cuts = compute::cutsOf(device, n, top, bottom);
  const PaintEffect effect =
      compute::reduceRows(device, cuts, right - left, top, none, functors::EffectOf{brush}, compute::Plus{});
  const compute::Cut own = compute::ownCut(device, cuts);
  compute::forRows(device, right - left, top + own.first, own.count, functors::Apply{brush});
  return effect;
}

MaterialCount countMaterial(compute::Device& device, const float* material, const compute::Slab& slab) {
  return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, MaterialCount{0, 0, 0},
                             functors::KindAt{material, slab}, compute::Plus{});
}

double countThin(compute::Device& device, const float* material, const compute::Slab& slab, Boundary boundary) {
  return compute::reduceRows(device, compute::cutsOf(device, slab.n, 0, slab.n), slab.n, 0, 0.0,
                             functors::ThinAt{material, slab, boundary}, compute::Plus{});
}

void stepMaterial(compute::Device& device, const float* u, const float* material, float* next,
                  const compute::Slab& slab, Boundary boundary, float mesh_ratio) {
  compute::forRows(device, slab.n, slab.first, slab.count, MaterialStep{u, material, next, slab, boundary, mesh_ratio});
}

void stepDouble(compute::Device& device, const TwoFloats<const float>& from, const float* material,
                const TwoFloats<float>& to, const compute::Slab& slab, Boundary boundary, double mesh_ratio) {
  compute::forRows(device, slab.n, slab.first, slab.count,
                   DoubleStep{from.high, from.remainder, material, to.high, to.remainder, slab, boundary, mesh_ratio});
}

}  // namespace simscope::heat
