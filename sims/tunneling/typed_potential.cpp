#include "sims/tunneling/typed_potential.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <utility>

#include "sims/formula/bounds.h"
#include "sims/formula/cell_mean.h"
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
  double finite(double x) { return finite(x, (*this)(x)); }
  double finite(double x, double v) const {
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

// V at 2N + 1 places half a cell apart, from the left end of the domain on, and the jumps between them.
struct TypedScan {
  std::vector<double> x, v;
  double lowest = 0, highest = 0;
  std::vector<formula::Jump> jumps;  // in their order
  std::vector<std::size_t> first;    // of the jumps between the places i and i + 1, or after
  bool unresolved = false;           // there are more

  std::span<const formula::Jump> jumpsAfter(std::size_t i) const {
    return std::span(jumps).subspan(first[i], first[i + 1] - first[i]);
  }
};

TypedScan scanned(TypedReader& reader, const std::string& text, const Grid& grid) {
  TypedScan scan;
  const int places = 2 * grid.points + 1;
  for (int i = 0; i < places; ++i) {
    // The samples exactly where the grid has them; half a cell before the first one is the domain's end.
    const double x = i % 2 ? grid.x(i / 2) : std::max(grid.x(i / 2) - 0.5 * grid.dx, grid.x(0));
    scan.x.push_back(x);
    scan.v.push_back(reader.finite(x));
  }
  const formula::Bounds bounds(text, {"x"});
  std::size_t unresolved = 0;
  scan.jumps = formula::jumpsOf(std::ref(reader), scan.x, scan.v, &bounds, &unresolved);
  scan.unresolved = unresolved > 0;
  std::vector<double> all = scan.v;
  for (const formula::Jump& jump : scan.jumps) {
    all.push_back(reader.finite(jump.at, jump.before));
    all.push_back(reader.finite(jump.at, jump.after));
  }
  const auto [lowest, highest] = std::minmax_element(all.begin(), all.end());
  scan.lowest = *lowest;
  scan.highest = *highest;
  // What rounding makes of a constant does not count.
  const double least =
      std::max(kSupport * (*highest - *lowest), 1e-12 * std::max(std::fabs(*highest), std::fabs(*lowest)));
  std::erase_if(scan.jumps, [&](const formula::Jump& jump) { return !(std::fabs(jump.after - jump.before) > least); });
  std::size_t next = 0;
  for (std::size_t i = 0; i < scan.x.size(); ++i) {
    scan.first.push_back(next);
    while (next < scan.jumps.size() && scan.jumps[next].from == i) ++next;
  }
  return scan;
}

// ∫V dx between the places i and i + 1.
double halfCell(const TypedScan& scan, std::size_t i) {
  double sum = 0, from = scan.x[i], v = scan.v[i];
  for (const formula::Jump& jump : scan.jumpsAfter(i)) {
    sum += 0.5 * (jump.at - from) * (v + jump.before);
    from = jump.at, v = jump.after;
  }
  return sum + 0.5 * (scan.x[i + 1] - from) * (v + scan.v[i + 1]);
}

// The first place at which V differs from `level` by more than `tolerance`, from the left or from the right; a jump
// there is where that begins. Nothing where V never does.
std::optional<double> departure(const TypedScan& scan, double level, double tolerance, bool from_right) {
  const auto differs = [&](double v) { return std::fabs(v - level) > tolerance; };
  const std::size_t places = scan.x.size();
  for (std::size_t n = 0; n < places; ++n) {
    const std::size_t i = from_right ? places - 1 - n : n;
    if (differs(scan.v[i])) return scan.x[i];
    if (n + 1 == places) break;
    const auto between = scan.jumpsAfter(from_right ? i - 1 : i);
    const auto departs = [&](const formula::Jump& jump) { return differs(jump.before) || differs(jump.after); };
    if (from_right) {
      const auto found = std::find_if(between.rbegin(), between.rend(), departs);
      if (found != between.rend()) return found->at;
    } else {
      const auto found = std::find_if(between.begin(), between.end(), departs);
      if (found != between.end()) return found->at;
    }
  }
  return std::nullopt;
}

double narrowestOf(const TypedScan& scan, const TypedPotential& typed) {
  double narrowest = scan.unresolved ? typed.grid.dx : typed.grid.length, bend = 0.0;
  for (std::size_t i = 1; i < scan.jumps.size(); ++i) {
    narrowest = std::min(narrowest, scan.jumps[i].at - scan.jumps[i - 1].at);
  }
  // Rounding bends a straight line, too.
  if (!(typed.highest - typed.lowest > 1e-9 * std::max(std::fabs(typed.highest), std::fabs(typed.lowest)))) {
    return narrowest;
  }
  for (std::size_t i = 2; i + 1 < scan.v.size(); ++i) {
    if (scan.first[i - 1] < scan.first[i + 1]) continue;
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
  for (const formula::Jump& jump : scan.jumps) {
    if (jump.at > from && jump.at < to) bounds.push_back(jump.at);
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
  for (const formula::Jump& jump : scan.jumps) {
    const double level = jump.at < 0.0 ? typed.left : typed.right;
    const double off = std::max(std::fabs(jump.before - level), std::fabs(jump.after - level));
    if (std::fabs(jump.at) >= open && off > kFlat * range) typed.flat = false;
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
  const TypedScan scan = scanned(reader, p.formula, grid);
  auto typed = std::make_shared<TypedPotential>();
  typed->formula = p.formula;
  typed->grid = grid;
  typed->jumps = !scan.jumps.empty();
  typed->lowest = scan.lowest;
  typed->highest = scan.highest;
  for (std::size_t i = 0; i < static_cast<std::size_t>(grid.points); ++i) {
    const std::size_t before = 2 * i, after = before + 1;
    const bool jumps = scan.first[before] < scan.first[before + 2];
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
