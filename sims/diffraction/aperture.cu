#include "sims/diffraction/aperture.h"

#include <algorithm>
#include <cmath>

#include "sims/compute/loops/plus.h"
#include "sims/compute/loops/rows.h"
#include "sims/compute/loops/whole.h"

namespace simscope::diffraction {
namespace functors {

// The cells of a box, by column and row within it.
struct Cells {
  compute::Slab slab;
  CellRange box;
  SIMSCOPE_HD int width() const { return box.x_last - box.x_first; }
  SIMSCOPE_HD int height() const { return box.y_last - box.y_first; }
  SIMSCOPE_HD int x(int column) const { return box.x_first + column; }
  SIMSCOPE_HD int y(int row) const { return box.y_first + row; }
  SIMSCOPE_HD std::size_t at(int column, int row) const { return slab.at(x(column), y(row)); }
};

struct Fill {
  Cells cells;
  Shape shape;
  const Cover* drawn;
  float* transmission;
  SIMSCOPE_HD void operator()(int column, int row) const {
    const std::size_t at = cells.at(column, row);
    const float plain = shape.at(cells.x(column), cells.y(row));
    transmission[at] = drawn ? (1 - drawn[at].share) * plain + drawn[at].light : plain;
  }
};

struct Draw {
  Cells cells;
  Dab stroke;
  Cover* drawn;
  SIMSCOPE_HD void operator()(int column, int row) const {
    const double x = cells.x(column) - cells.slab.n / 2, y = cells.y(row) - cells.slab.n / 2;
    const double inside = stroke.depth(x, y) + 0.5;
    const float share = inside > 1 ? 1.0f : inside > 0 ? static_cast<float>(inside) : 0.0f;
    Cover& cover = drawn[cells.at(column, row)];
    cover.share += share * (1 - cover.share);
    cover.light += share * (stroke.to - cover.light);
  }
};

struct SumsAt {
  Cells cells;
  Shape shape;
  const Cover* drawn;
  const float* transmission;
  SIMSCOPE_HD Sums of(int x, int y) const {
    const std::size_t at = cells.slab.at(x, y);
    const double t = static_cast<double>(transmission[at]);
    double power = t;  // open or closed, so that the mean is the share that is open
    if (shape.kind == Aperture::Image) {
      power = shape.imagePower(x, y);
      if (drawn) power = (1 - static_cast<double>(drawn[at].share)) * power + static_cast<double>(drawn[at].light);
    }
    return {t, t * t, power};
  }
  SIMSCOPE_HD Sums operator()(std::size_t i) const {
    const auto place = static_cast<unsigned>(i), width = static_cast<unsigned>(cells.width());
    return of(cells.x(static_cast<int>(place % width)), cells.y(static_cast<int>(place / width)));
  }
};
// By column in the box and row of the plane.
struct RowSumsAt {
  SumsAt sums;
  SIMSCOPE_HD Sums operator()(int column, int y) const { return sums.of(sums.cells.x(column), y); }
};

}  // namespace functors

namespace {

constexpr std::size_t kCostlyShape = 2048;  // a cell's shape is some dozens of operations

std::size_t count(const CellRange& box) {
  return isEmpty(box)
             ? 0
             : static_cast<std::size_t>(box.x_last - box.x_first) * static_cast<std::size_t>(box.y_last - box.y_first);
}

CellRange ownPart(const compute::Slab& slab, const CellRange& box) {
  const CellRange part{box.x_first, box.x_last, std::max(box.y_first, slab.first), std::min(box.y_last, slab.end())};
  return isEmpty(part) ? CellRange{} : part;
}

}  // namespace

CellRange joined(const CellRange& a, const CellRange& b) {
  if (isEmpty(a)) return b;
  if (isEmpty(b)) return a;
  return {std::min(a.x_first, b.x_first), std::max(a.x_last, b.x_last), std::min(a.y_first, b.y_first),
          std::max(a.y_last, b.y_last)};
}

CellRange boxAround(int n, double x, double y, double half_x, double half_y) {
  const auto cell = [n](double at) { return compute::wholeWithin(at + n / 2, 0, n); };
  const CellRange box{cell(std::floor(x - half_x)), cell(std::ceil(x + half_x) + 1), cell(std::floor(y - half_y)),
                      cell(std::ceil(y + half_y) + 1)};
  return isEmpty(box) ? CellRange{} : box;
}

CellRange boxOf(int n, const Dab& s) {
  return boxAround(n, 0.5 * (s.x0 + s.x1), 0.5 * (s.y0 + s.y1), 0.5 * std::abs(s.x1 - s.x0) + s.radius + 1,
                   0.5 * std::abs(s.y1 - s.y0) + s.radius + 1);
}

void fillTransmission(compute::Device& device, const Shape& shape, const Cover* drawn, const CellRange& box,
                      const compute::Slab& slab, float* transmission) {
  const functors::Cells cells{slab, ownPart(slab, box)};
  compute::parallelFor2d(device, cells.width(), cells.height(), functors::Fill{cells, shape, drawn, transmission},
                         kCostlyShape);
}

void paintDab(compute::Device& device, Cover* drawn, const compute::Slab& slab, const Dab& stroke) {
  const functors::Cells cells{slab, ownPart(slab, boxOf(slab.n, stroke))};
  compute::parallelFor2d(device, cells.width(), cells.height(), functors::Draw{cells, stroke, drawn});
}

Sums sumsOf(compute::Device& device, const Shape& shape, const Cover* drawn, const float* transmission,
            const compute::Slab& slab, const CellRange& box) {
  const functors::SumsAt at{{slab, box}, shape, drawn, transmission};
  if (!device.ranks()) return compute::reduce(device, count(box), Sums{0, 0, 0}, at, compute::Plus{});
  const std::vector<int> cuts = compute::cutsOf(device, slab.n, box.y_first, box.y_last);
  return compute::reduceRows(device, cuts, box.x_last - box.x_first, box.y_first, Sums{0, 0, 0},
                             functors::RowSumsAt{at}, compute::Plus{});
}

}  // namespace simscope::diffraction
