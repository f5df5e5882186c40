// One eigenproblem: a potential on a grid, its lowest states, their closed forms, and their errors. Results are
// computed at the first request, and kept until another potential is posed.
//
// Owns its device memory. Thread: the simulation's, inside Device::run. Calls that return numbers wait.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/eigenstates/dense.h"
#include "sims/eigenstates/potential.h"
#include "sims/eigenstates/solver.h"
#include "sims/superposition/settling.h"

namespace simscope::eigenstates {

class Problem {
 public:
  Problem(compute::DevicePtr device, const Parameters& parameters);

  // Sets the potential of these parameters, to which the drawn one is added; the number of points and of states, the
  // method, and the basis are those of the constructor. Solved at the first request. UsageError for a bad formula;
  // nothing has changed then.
  void pose(const Parameters& parameters);
  // N values, added to the potential.
  void setDrawn(std::vector<double> drawn);
  void solve();
  bool solved() const noexcept { return solved_; }
  // Takes states and energies of a saved run.
  void take(std::vector<double> energies);

  const Parameters& parameters() const noexcept { return p_; }
  const Grid& grid() const noexcept { return grid_; }
  // V, including the drawn one, and without it.
  const std::vector<double>& potential() const noexcept { return v_; }
  const std::vector<double>& base() const noexcept { return base_.v; }
  // What H has of V, with the drawn one (potential.h).
  const std::vector<double>& diagonal() const noexcept { return diagonal_; }
  const std::vector<double>& drawn() const noexcept { return drawn_; }
  bool altered() const noexcept { return altered_; }  // whether anything is drawn
  const compute::Buffer<double>& devicePotential() const noexcept { return potential_; }
  Operator hamiltonian() const;

  const std::vector<double>& energies() const noexcept { return energies_; }
  compute::Buffer<double>& phi() noexcept { return states_.phi; }
  const States& states() const noexcept { return states_; }
  // From the lowest on, as many as are known; none where the mouse has changed the potential.
  const std::vector<double>& exactLevels();
  // As many states as exactLevels(); null where they have no closed form.
  const States* exactStates();

  double orthonormality();
  const std::vector<double>& residuals();
  // E₁ - E₀. NaN where it is below the rounding error of the levels and V is not symmetric.
  double splitting();
  // The levels that are drawn, on grids with half and with a quarter of the points; empty unless V is typed
  // and nothing is drawn.
  const std::vector<superposition::Coarser>& coarser();
  // By how much each level is too low, to first order in h²; three points only, else empty.
  const std::vector<double>& estimates();
  double largestValue();  // max |φ| over the states that are drawn
  int drawnStates() const;

  std::string method() const;  // with the milliseconds that it took

 private:
  void upload();
  void forget();
  void solveTridiagonal();
  void solveDense();
  void separatePairs();    // of a symmetric V: one even, one odd
  bool symmetric() const;  // V, to the bit
  double levelsRounding() const;

  compute::DevicePtr device_;
  Parameters p_;
  Grid grid_;
  OnGrid base_;
  std::vector<double> drawn_, v_, diagonal_, energies_;
  compute::Buffer<double> potential_, diagonal_held_, table_;
  States states_, exact_states_;
  std::unique_ptr<DenseSolver> dense_;
  bool solved_ = false, altered_ = false;
  double milliseconds_ = 0;
  std::optional<std::vector<double>> exact_levels_, residuals_, estimates_;
  std::optional<double> orthonormality_, largest_, splitting_;
  std::optional<std::vector<superposition::Coarser>> coarser_;
};

}  // namespace simscope::eigenstates
