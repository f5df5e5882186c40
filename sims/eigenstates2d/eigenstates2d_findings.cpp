#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sims/eigenstates2d/eigenstates2d.h"

namespace simscope::eigenstates2d {
namespace {

// Of 2∫κ ds to a wall along an axis: with less a state feels it; and what it should have instead.
constexpr double kFeltBelow = 9, kEnough = 14;

// Where the phase from point to point is so large, the kinetic energy is a hundredth wrong or so.
double mostPhase(const Landscape& l) {
  return l.nine ? 1.1 : 0.45;
}

// 2∫κ ds along an axis from where a particle of this energy turns back last to the wall.
double fadingAlong(const Landscape& l, double energy, bool vertical, bool far) {
  const int n = l.grid.points, middle = n / 2;
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const int along = far ? n - 1 - i : i, x = vertical ? middle : along, y = vertical ? along : middle;
    const double above =
        l.v[static_cast<std::size_t>(y) * static_cast<std::size_t>(n) + static_cast<std::size_t>(x)] - energy;
    if (!(above > 0)) break;
    sum += 2 * l.grid.h * std::sqrt(2 * above);
  }
  return sum;
}

void adviseOnRoom(std::vector<Finding>& all, const Parameters& p, const Solver& solver) {
  if (p.potential != Potential::Harmonic && p.potential != Potential::DoubleWell &&
      p.potential != Potential::Hydrogen && p.potential != Potential::HenonHeiles) {
    return;
  }
  const Landscape& l = solver.landscape();
  const double top = solver.energies()[static_cast<std::size_t>(p.states - 1)];
  if (top >= continuumOf(p)) return;
  double least = INFINITY;
  for (const bool vertical : {false, true}) {
    for (const bool far : {false, true}) least = std::min(least, fadingAlong(l, top, vertical, far));
  }
  if (least >= kFeltBelow) return;
  // In a bowl the way out grows as the square of what is added, elsewhere in proportion to it.
  const double wanted = std::ceil(p.length * (1.1 + 0.5 * (kEnough - least) / kEnough));
  Finding finding{Finding::Level::Warning, "box_too_small",
                  fmt::format("State {} has not decayed at the walls, which raise its level: choose a length of {:g}.",
                              p.states - 1, wanted)};
  if (wanted <= 500) finding.key = "length", finding.value = fmt::format("{:g}", wanted);
  all.push_back(finding);
}

void adviseOnContinuum(std::vector<Finding>& all, const Parameters& p, const Solver& solver) {
  const double edge = continuumOf(p);
  int bound = 0;
  while (bound < p.states && solver.energies()[static_cast<std::size_t>(bound)] < edge) ++bound;
  if (bound >= p.states) return;
  all.push_back(
      {Finding::Level::Note, "continuum",
       fmt::format("The potential binds {} states here; the states from {} on are discrete only because of the walls.",
                   bound, bound)});
}

// Narrow wells are deep in few points, where little of a state is: the hundredth deepest counts.
double bottomInside(const Landscape& l) {
  std::vector<double> v;
  for (std::size_t i = 0; i < l.v.size(); ++i) {
    if (l.diagonal[i] < kOutside) v.push_back(l.v[i]);
  }
  const auto low = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 100);
  std::nth_element(v.begin(), low, v.end());
  return *low;
}

void offerSide(Finding& finding, double points) {
  if (points <= 4096) finding.key = "grid_points", finding.value = fmt::format("{:g}", points);
}

void adviseOnThinWalls(std::vector<Finding>& all, const Landscape& l) {
  if (!(l.thin > 0)) return;
  constexpr double kSamples = 4;
  const double points = std::ceil(kSamples * l.grid.length / l.thin);
  Finding finding{Finding::Level::Note, "potential_unresolved",
                  fmt::format("A wall or a gap of the formula is some {:.2g} wide and lies between the points (h = "
                              "{:.2g}): they have the mean of V over their cells. {:g} points per side resolve it.",
                              l.thin, l.grid.h, points)};
  offerSide(finding, points);
  all.push_back(finding);
}

void adviseOnPoints(std::vector<Finding>& all, const Parameters& p, const Solver& solver,
                    std::span<const superposition::Coarser> coarser) {
  const Landscape& l = solver.landscape();
  const double bottom = bottomInside(l), above = solver.energies()[static_cast<std::size_t>(p.states - 1)] - bottom;
  const double phase = std::sqrt(2 * std::max(above, 0.0)) * l.grid.h, most = mostPhase(l);
  if (phase > most) {
    const double points = std::ceil(p.grid_points * phase / (0.8 * most));
    all.push_back({Finding::Level::Warning, "grid_too_coarse",
                   fmt::format("Where it varies fastest, the phase of state {} changes by {:.2g} from point to point; "
                               "above {:g} its level is wrong by one per cent or more. {:g} points per side are "
                               "enough.",
                               p.states - 1, phase, most, points)});
    offerSide(all.back(), points);
    return;
  }
  auto unsettled =
      superposition::unsettledOf(solver.energies(), static_cast<std::size_t>(p.states), bottom, p.grid_points, coarser);
  if (!unsettled) return;
  if (unsettled->points) offerSide(unsettled->finding, *unsettled->points);
  all.push_back(unsettled->finding);
}

void adviseOnGap(std::vector<Finding>& all, double gap) {
  if (!std::isnan(gap)) return;
  all.push_back({Finding::Level::Note, "gap_below_rounding",
                 "E₁ - E₀ is smaller than the rounding error of the two levels and has no value."});
}

void adviseOnPacketKept(std::vector<Finding>& all, const Parameters& p, double kept) {
  if (!(kept < 0.999)) return;
  const int more = std::min(kMostStates, 2 * p.states);
  Finding finding{
      Finding::Level::Warning, "packet_cut",
      fmt::format("The {} lowest states represent {:.3g} of the packet; only that part is shown, normalised.", p.states,
                  kept)};
  if (more > p.states) {
    finding.message += fmt::format(" {} states represent more.", more);
    finding.key = "states";
    finding.value = std::to_string(more);
  }
  all.push_back(finding);
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, const Solver& solver, double packet_kept, double gap,
                                 std::span<const superposition::Coarser> coarser) {
  std::vector<Finding> all;
  if (!solver.converged()) {
    all.push_back(
        {Finding::Level::Note, "converging",
         fmt::format(
             "{} of {} states are within the tolerance after {} iterations. Continue the run to converge the others.",
             solver.convergedStates(), p.states, solver.iterations())});
    return all;
  }
  if (solver.usedTolerance() > p.tolerance) {
    all.push_back({Finding::Level::Note, "tolerance_below_rounding",
                   fmt::format("The elements of H are as large as {:.2g}; rounding leaves residuals of {:.2g}, which "
                               "are used as the tolerance here.",
                               solver.landscape().bound, solver.usedTolerance())});
  }
  adviseOnRoom(all, p, solver);
  adviseOnContinuum(all, p, solver);
  adviseOnThinWalls(all, solver.landscape());
  adviseOnPoints(all, p, solver, coarser);
  adviseOnGap(all, gap);
  adviseOnPacketKept(all, p, packet_kept);
  return all;
}

}  // namespace simscope::eigenstates2d
