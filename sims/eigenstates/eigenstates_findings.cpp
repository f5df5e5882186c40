#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sims/eigenstates/eigenstates.h"
#include "sims/eigenstates/potential.h"

namespace simscope::eigenstates {
namespace {

// Of fadingTo(): with less a state feels the wall (its level rises by about e^-9 of the distance to the next), and what
// it should have instead.
constexpr double kFelt = 9, kWanted = 14;
constexpr double kKept = 0.999;

// Where the phase from point to point is so large, levels are about a hundredth wrong (the kinetic energy by (kh)²/12,
// 4 (kh)⁴/720); sine waves know nothing beyond π.
double largestPhase(Basis basis) {
  return basis == Basis::ThreePoint ? 0.35 : basis == Basis::FivePoint ? 1.1 : 2.5;
}

// 2∫κ dx from where a particle of this energy turns back to a wall: what is left of |ψ|² there is exp of minus that.
double fadingTo(const Solved& s, double energy, double h, bool right) {
  double sum = 0;
  const std::size_t points = s.potential.size();
  for (std::size_t i = 0; i < points; ++i) {
    const double above = s.potential[right ? points - 1 - i : i] - energy;
    if (!(above > 0)) break;
    sum += 2 * h * std::sqrt(2 * above);
  }
  return sum;
}

// How much longer the box must be for a state to end before the walls; 0: it does, or the potential does not bind it.
double missingLength(const Parameters& p, const Grid& grid, const Solved& s, std::size_t n) {
  if (p.potential == Potential::Box || p.potential == Potential::KronigPenney || p.potential == Potential::Blank ||
      p.tilt != 0 || s.energies[n] >= continuumOf(p)) {
    return 0;
  }
  double most = 0;
  for (const bool right : {false, true}) {
    if (!right && p.potential == Potential::Hydrogen) continue;
    const double edge = right ? s.potential.back() : s.potential.front(), above = edge - s.energies[n];
    if (above < 1e-3) {  // so close below the edge there is no end worth waiting for
      const bool rises = p.potential == Potential::Harmonic || p.potential == Potential::DoubleWell;
      if (rises) most = std::max(most, 0.2 * p.length);
      continue;
    }
    const double fading = fadingTo(s, s.energies[n], grid.h, right);
    if (fading < kFelt) most = std::max(most, (kWanted - fading) / (2 * std::sqrt(2 * above)));
  }
  // Of the part that is added, hydrogen has all on the right, Morse four fifths, the others half.
  return most * (p.potential == Potential::Hydrogen ? 1 : p.potential == Potential::Morse ? 1.25 : 2);
}

Finding tooSmall(const std::string& what, double wanted) {
  if (wanted > kLongest) {
    return {Finding::Level::Warning, "box_too_small",
            fmt::format("{}: a length of {:g} would be enough, and {:g} is the largest.", what, wanted, kLongest)};
  }
  return {Finding::Level::Warning, "box_too_small", fmt::format("{}: choose a length of {:g}.", what, wanted), "length",
          fmt::format("{:g}", wanted)};
}

void adviseOnLength(std::vector<Finding>& all, const Parameters& p, const Grid& grid, const Solved& s) {
  std::size_t worst = 0;
  double most = 0;
  for (std::size_t n = 0; n < s.drawn; ++n) {
    const double more = missingLength(p, grid, s, n);
    if (more > most) most = more, worst = n;
  }
  if (!(most > 0)) return;
  const double wanted = std::ceil(p.length + std::max(most, 0.1 * p.length));
  all.push_back(tooSmall(fmt::format("State {} has not decayed at the walls, which raise its level", worst), wanted));
}

void adviseOnContinuum(std::vector<Finding>& all, const Parameters& p, const Solved& s) {
  const double edge = continuumOf(p);
  std::size_t bound = 0;
  while (bound < s.energies.size() && s.energies[bound] < edge) ++bound;
  if (bound >= s.drawn) return;
  // Walls too near lift the highest ones above the edge; how far those would reach beyond them, the closed form tells.
  const auto binds = static_cast<std::size_t>(std::lower_bound(s.exact.begin(), s.exact.end(), edge) - s.exact.begin());
  if (binds > bound && std::isfinite(edge)) {
    const double wanted = std::ceil(p.length + kWanted / std::sqrt(2 * (edge - s.exact[bound])));
    const std::string what =
        fmt::format("The potential binds state {} at {:.5g}, but the walls raise its level to {:.5g}", bound,
                    s.exact[bound], s.energies[bound]);
    const bool said = std::any_of(all.begin(), all.end(), [](const Finding& f) { return f.code == "box_too_small"; });
    if (!said) all.push_back(tooSmall(what, wanted));
    return;
  }
  all.push_back(
      {Finding::Level::Note, "continuum",
       fmt::format("The potential binds {} states here; the states from {} on are discrete only because of the walls.",
                   bound, bound)});
}

// Singular wells are deep in a few points only, where little of the state is: the hundredth deepest counts.
double bottomOf(const Solved& s) {
  std::vector<double> v(s.potential.begin(), s.potential.end());
  const auto low = v.begin() + static_cast<std::ptrdiff_t>(v.size() / 100);
  std::nth_element(v.begin(), low, v.end());
  return *low;
}

void offerPoints(Finding& finding, const Parameters& p, double points) {
  const double largest = p.method == Method::Dense ? kLargestDense : 65536;
  if (points <= largest) finding.key = "grid_points", finding.value = fmt::format("{:g}", points);
}

void adviseOnGrid(std::vector<Finding>& all, const Parameters& p, const Grid& grid, const Solved& s) {
  std::size_t top = s.drawn - 1;
  for (std::size_t n = 0; n < s.coefficients.size(); ++n) {
    if (norm2(s.coefficients[n]) > 1e-3) top = std::max(top, n);
  }
  const double above = s.energies[top] - bottomOf(s);
  const double phase = std::sqrt(2 * std::max(above, 0.0)) * grid.h, most = largestPhase(p.usedBasis());
  if (!(phase > most)) return;
  const double enough = std::ceil(grid.points * phase / (0.8 * most));
  const double points = enough + std::fmod(enough + grid.points, 2);  // as even or odd: no point comes onto a pole
  Finding finding{Finding::Level::Warning, "grid_too_coarse",
                  fmt::format("Where it varies fastest, the phase of state {} changes by {:.2g} from point to point; "
                              "above {:g} its level is wrong by one per cent or more. {:g} points are enough.",
                              top, phase, most, points)};
  offerPoints(finding, p, points);
  all.push_back(finding);
}

void adviseOnSettling(std::vector<Finding>& all, const Parameters& p, const Solved& s) {
  auto unsettled = superposition::unsettledOf(s.energies, s.drawn, bottomOf(s), p.grid_points, s.coarser);
  if (!unsettled) return;
  if (unsettled->points) offerPoints(unsettled->finding, p, *unsettled->points);
  all.push_back(unsettled->finding);
}

// A splitting may be far from its limit where both levels are near theirs. Of one that falls with the square of h, a
// third of its last change is left.
void adviseOnSettledSplitting(std::vector<Finding>& all, const Parameters& p, const Grid& grid, const Solved& s) {
  constexpr double kMoves = 0.3, kFalls = 0.6, kDigits = 100;
  if (s.coarser.empty() || s.coarser[0].energies.size() < 2) return;
  const superposition::Coarser& half = s.coarser[0];
  const double before = half.energies[1] - half.energies[0];
  const double rounding = std::numeric_limits<double>::epsilon() / (2 * grid.h * grid.h);  // of its levels
  if (!(before > kDigits * rounding) || !(std::abs(s.splitting - before) > kMoves * s.splitting)) return;
  const bool vanishes = s.splitting < kFalls * before;
  Finding finding{Finding::Level::Warning, "splitting_unsettled",
                  fmt::format("E₁ - E₀ is {:.3g} with {} points and {:.3g} with {}. {}", s.splitting, p.grid_points,
                              before, half.points,
                              vanishes ? "It falls with every finer grid, and may be 0: a pole of V parts both sides."
                                       : "It is not settled.")};
  if (!vanishes) offerPoints(finding, p, 2.0 * grid.points);
  all.push_back(finding);
}

void adviseOnSplitting(std::vector<Finding>& all, const Solved& s) {
  if (!std::isnan(s.splitting)) return;
  all.push_back({Finding::Level::Note, "splitting_below_rounding",
                 "E₁ - E₀ is smaller than the rounding error of the two levels and has no value. Fewer grid points "
                 "round less; for V(-x) = V(x) the method tridiagonal takes it from the states instead."});
}

void adviseOnPacket(std::vector<Finding>& all, const Parameters& p, const Solved& s) {
  if (!p.packet() || s.packet_kept >= kKept) return;
  const int more = std::min(kMostStates, 2 * p.states);
  Finding finding{
      Finding::Level::Warning, "packet_cut",
      fmt::format("The {} lowest states represent {:.3g} of the packet; only that part is shown, normalised.", p.states,
                  s.packet_kept)};
  if (more > p.states) {
    finding.message += fmt::format(" {} states represent more.", more);
    finding.key = "states";
    finding.value = std::to_string(more);
  }
  all.push_back(finding);
}

}  // namespace

std::vector<Finding> findingsFor(const Parameters& p, const Grid& grid, const Solved& s) {
  std::vector<Finding> all;
  if (s.drawn == 0 || s.energies.size() < s.drawn) return all;
  adviseOnLength(all, p, grid, s);
  adviseOnContinuum(all, p, s);
  const std::size_t before = all.size();
  adviseOnGrid(all, p, grid, s);
  if (all.size() == before) adviseOnSettling(all, p, s);
  if (p.potential == Potential::DoubleWell || p.potential == Potential::Formula || p.potential == Potential::Blank) {
    adviseOnSplitting(all, s);
    if (all.size() == before) adviseOnSettledSplitting(all, p, grid, s);
  }
  adviseOnPacket(all, p, s);
  return all;
}

}  // namespace simscope::eigenstates
