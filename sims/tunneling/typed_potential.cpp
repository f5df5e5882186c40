#include "sims/tunneling/typed_potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>

#include "sims/formula/formula.h"

namespace simscope::tunneling {
namespace {

constexpr double kFlat = 1e-4, kEdge = 1e-3, kSupport = 1e-9;  // of the range of V
constexpr int kPieces = 1024;                                  // of a smooth potential

// V at one place after the other. The samples are at odd numbers, the ends of their cells at even ones.
class TypedReader {
 public:
  explicit TypedReader(const std::string& text) : text_(text) {
    formula::requireSound(text, {"x"});
    reader_ = std::make_unique<formula::Formula>(text, std::vector<std::string>{"x"});
  }
  double operator()(double x) { return reader_->at({x}); }
  // Refuses what a figure, which has single precision, could not show.
  double finite(double x) {
    const double v = (*this)(x);
    if (std::isfinite(static_cast<float>(v))) return v;
    throw UsageError(
        fmt::format("formula = {}: the value at x = {:g} is {}; expected a finite number at every point of the domain "
                    "(to soften a pole, write 1/sqrt(x^2 + 0.01))",
                    formula::shown(text_), x, v));
  }

 private:
  const std::string& text_;
  std::unique_ptr<formula::Formula> reader_;
};

struct TypedJump {
  double x, before, after;  // V on either side
};

// Halves the interval towards the larger change of V. Of a smooth V the change falls with the interval; across a jump
// it stays.
std::optional<TypedJump> jumpBetween(TypedReader& v, double a, double va, double b, double vb, double least) {
  constexpr int kHalvings = 24, kFirst = 6;
  const double all = std::fabs(vb - va);
  if (!(all > least)) return std::nullopt;
  for (int i = 1; i <= kHalvings; ++i) {
    const double middle = 0.5 * (a + b), vm = v(middle);
    if (!std::isfinite(vm) || !(middle > a) || !(middle < b)) return std::nullopt;
    const bool before = std::fabs(vm - va) >= std::fabs(vb - vm);
    (before ? b : a) = middle;
    (before ? vb : va) = vm;
    if (i % kFirst == 0 && std::fabs(vb - va) < 0.25 * all) return std::nullopt;
  }
  return TypedJump{0.5 * (a + b), va, vb};
}

// V at 2N + 1 places half a cell apart, from the left end of the domain on, and the jumps between them.
struct TypedScan {
  std::vector<double> x, v;
  double lowest = 0, highest = 0;
  std::vector<std::optional<TypedJump>> jumps;  // jumps[i] between the places i and i + 1
};

TypedScan scanned(TypedReader& reader, const Grid& grid) {
  TypedScan scan;
  const int places = 2 * grid.points + 1;
  for (int i = 0; i < places; ++i) {
    // The samples exactly where the grid has them; half a cell before the first one is the domain's end.
    const double x = i % 2 ? grid.x(i / 2) : std::max(grid.x(i / 2) - 0.5 * grid.dx, grid.x(0));
    scan.x.push_back(x);
    scan.v.push_back(reader.finite(x));
  }
  const auto [lowest, highest] = std::minmax_element(scan.v.begin(), scan.v.end());
  scan.lowest = *lowest;
  scan.highest = *highest;
  // What rounding makes of a constant does not count.
  const double least =
      std::max(kSupport * (*highest - *lowest), 1e-12 * std::max(std::fabs(*highest), std::fabs(*lowest)));
  for (int i = 0; i + 1 < places; ++i) {
    scan.jumps.push_back(jumpBetween(reader, scan.x[i], scan.v[i], scan.x[i + 1], scan.v[i + 1], least));
  }
  return scan;
}

// ∫V dx between the places i and i + 1.
double halfCell(const TypedScan& scan, std::size_t i) {
  const double a = scan.x[i], b = scan.x[i + 1];
  const std::optional<TypedJump>& jump = scan.jumps[i];
  if (!jump) return 0.5 * (b - a) * (scan.v[i] + scan.v[i + 1]);
  return 0.5 * ((jump->x - a) * (scan.v[i] + jump->before) + (b - jump->x) * (jump->after + scan.v[i + 1]));
}

// The first place at which V differs from `level` by more than `tolerance`, from the left or from the right; a jump
// there is where that begins. Nothing where V never does.
std::optional<double> departure(const TypedScan& scan, double level, double tolerance, bool from_right) {
  const std::size_t places = scan.x.size();
  for (std::size_t n = 0; n < places; ++n) {
    const std::size_t i = from_right ? places - 1 - n : n;
    if (!(std::fabs(scan.v[i] - level) > tolerance)) continue;
    if (n > 0) {
      const auto& jump = scan.jumps[from_right ? i : i - 1];
      if (jump) return jump->x;
    }
    return scan.x[i];
  }
  return std::nullopt;
}

double narrowestOf(const TypedScan& scan, const TypedPotential& typed) {
  double narrowest = typed.grid.length, bend = 0.0;
  std::optional<double> last;
  for (const auto& jump : scan.jumps) {
    if (!jump) continue;
    if (last) narrowest = std::min(narrowest, jump->x - *last);
    last = jump->x;
  }
  // Rounding bends a straight line, too.
  if (!(typed.highest - typed.lowest > 1e-9 * std::max(std::fabs(typed.highest), std::fabs(typed.lowest)))) {
    return narrowest;
  }
  for (std::size_t i = 2; i + 1 < scan.v.size(); ++i) {
    if (scan.jumps[i - 1] || scan.jumps[i]) continue;
    bend = std::max(bend, std::fabs(scan.v[i - 1] - 2.0 * scan.v[i] + scan.v[i + 1]));
  }
  bend /= 0.25 * typed.grid.dx * typed.grid.dx;
  const double range = typed.highest - typed.lowest;
  if (bend * typed.grid.length * typed.grid.length > range)
    narrowest = std::min(narrowest, std::sqrt(8.0 * range / bend));
  return narrowest;
}

// Pieces of V from `from` to `to`, between two jumps of equal widths; neighbours of the same constant V are one.
std::vector<Segment> piecesOf(TypedReader& reader, const TypedScan& scan, double from, double to) {
  std::vector<double> bounds = {from};
  for (const auto& jump : scan.jumps) {
    if (jump && jump->x > from && jump->x < to) bounds.push_back(jump->x);
  }
  bounds.push_back(to);
  std::vector<Segment> pieces;
  for (std::size_t b = 0; b + 1 < bounds.size(); ++b) {
    const double width = bounds[b + 1] - bounds[b];
    const int count = std::max(1, static_cast<int>(std::ceil(kPieces * width / (to - from))));
    const double h = width / count, off = std::sqrt(3.0) / 6.0 * h;
    for (int i = 0; i < count; ++i) {
      const double middle = bounds[b] + (i + 0.5) * h, v1 = reader(middle - off), v2 = reader(middle + off);
      if (i > 0 && v1 == v2 && pieces.back().height == v1 && pieces.back().lean == 0.0) {
        pieces.back().width += h;
      } else {
        pieces.push_back({0.5 * (v1 + v2), h, off * h * (v1 - v2)});
      }
    }
  }
  return pieces;
}

void findEnds(TypedPotential& typed, TypedReader& reader, const TypedScan& scan) {
  const double range = typed.highest - typed.lowest;
  typed.left = typed.samples.front();
  typed.right = typed.samples.back();
  typed.edges = {0.0, 0.0};
  const double open = (0.5 - kAbsorbingShare) * typed.grid.length;
  typed.flat = true;
  for (std::size_t i = 0; i < scan.x.size(); ++i) {
    const double level = scan.x[i] < 0.0 ? typed.left : typed.right;
    if (std::fabs(scan.x[i]) >= open && std::fabs(scan.v[i] - level) > kFlat * range) typed.flat = false;
  }
  if (!typed.flat || !(range > 0.0)) return;
  const auto between = [&](double tolerance) {
    const double first = departure(scan, typed.left, tolerance * range, false).value_or(0.0);
    return Edges{first, std::max(first, departure(scan, typed.right, tolerance * range, true).value_or(0.0))};
  };
  typed.edges = between(kEdge);
  const Edges support = between(kSupport);
  const double from = std::max(support.left, -open), to = std::min(support.right, open);
  typed.segments_from = from;
  if (to > from) typed.segments = piecesOf(reader, scan, from, to);
}

}  // namespace

double TypedPotential::at(double x) const {
  return samples[grid.nearest(x)];
}

std::shared_ptr<const TypedPotential> typedOf(const Parameters& p, std::shared_ptr<const TypedPotential> former) {
  if (p.potential != Potential::Formula) return nullptr;
  const Grid grid = gridOf(p);
  if (former && former->formula == p.formula && former->grid.points == grid.points &&
      former->grid.length == grid.length) {
    return former;
  }
  TypedReader reader(p.formula);
  const TypedScan scan = scanned(reader, grid);
  auto typed = std::make_shared<TypedPotential>();
  typed->formula = p.formula;
  typed->grid = grid;
  typed->jumps = std::any_of(scan.jumps.begin(), scan.jumps.end(), [](const auto& jump) { return jump.has_value(); });
  typed->lowest = scan.lowest;
  typed->highest = scan.highest;
  for (std::size_t i = 0; i < static_cast<std::size_t>(grid.points); ++i) {
    const std::size_t before = 2 * i, after = before + 1;
    const bool jumps = scan.jumps[before] || scan.jumps[after];
    typed->samples.push_back(jumps ? (halfCell(scan, before) + halfCell(scan, after)) /
                                         (scan.x[after + 1] - scan.x[before])
                                   : scan.v[after]);
  }
  findEnds(*typed, reader, scan);
  typed->narrowest = narrowestOf(scan, *typed);
  return typed;
}

std::vector<double> potentialTable(const Parameters& p, const TypedPotential* typed) {
  if (typed) return typed->samples;
  const Grid grid = gridOf(p);
  std::vector<double> table;
  table.reserve(static_cast<std::size_t>(grid.points));
  for (int i = 0; i < grid.points; ++i) table.push_back(potentialAt(p, grid.x(i)));
  return table;
}

Edges edgesOf(const Parameters& p, const TypedPotential* typed) {
  return typed ? typed->edges : edgesOf(p);
}

}  // namespace simscope::tunneling
