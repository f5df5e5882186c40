#include <algorithm>
#include <cmath>

#include "sims/eigenstates/potential.h"
#include "sims/eigenstates/simulation.h"

namespace simscope::eigenstates {

// The level whose energy is nearest.
bool EigenstatesSimulation::takeLevel(double energy, bool alone) {
  solve();
  const std::vector<double>& energies = problem_.energies();
  std::size_t nearest = 0;
  for (std::size_t n = 1; n < count(); ++n) {
    if (std::abs(energies[n] - energy) < std::abs(energies[nearest] - energy)) nearest = n;
  }
  superposition::take(coefficients_, nearest, alone);
  by_hand_ = true;
  carpet_time_ = 0;
  psi_steps_ = -1;
  return true;
}

// V becomes the height of the mouse on its way since the last event, or what it was before anything was drawn.
bool EigenstatesSimulation::draw(const Brush& brush, bool erases) {
  const Grid& grid = problem_.grid();
  // So wide at least that a click can be seen.
  const double margin = std::max(0.5 * grid.h, 0.005 * grid.length);
  const double from = brush.x - brush.dx, left = std::min(from, brush.x) - margin;
  const double right = std::max(from, brush.x) + margin;
  std::vector<double> drawn = problem_.drawn();
  bool touched = false;
  for (int i = 0; i < grid.points; ++i) {
    const double x = grid.x(i);
    if (x < left || x > right) continue;
    const double share = brush.dx != 0 ? std::clamp((x - from) / brush.dx, 0.0, 1.0) : 1;
    const double height = std::clamp(brush.y - brush.dy * (1 - share), -kHighest, kHighest);
    const auto at = static_cast<std::size_t>(i);
    drawn[at] = erases ? 0 : height - problem_.base()[at];
    touched = true;
  }
  if (!touched) return false;
  problem_.setDrawn(std::move(drawn));
  if (!problem_.solved()) superposed_ = false;
  carpet_time_ = 0;
  psi_steps_ = -1;
  return true;
}

bool EigenstatesSimulation::stroke(const Brush& brush) {
  const bool click = brush.begins || (brush.dx == 0 && brush.dy == 0);
  if (brush.tool == "take") return takeLevel(brush.y, true);
  if (brush.tool == "add") return click && takeLevel(brush.y, false);
  if (brush.tool == "draw") return draw(brush, false);
  if (brush.tool == "erase") return draw(brush, true);
  return false;
}

}  // namespace simscope::eigenstates
