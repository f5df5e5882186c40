// The lowest K states of H in the plane by subspace iteration with Chebyshev's filter: Y. Zhou, Y. Saad, M. L. Tiago,
// J. R. Chelikowsky, J. Comput. Phys. 219 (2006) 172. Each iteration multiplies a block of K states and some guards by
// a polynomial of H that is small between the highest Ritz value and the top of the spectrum and grows fast below, and
// diagonalises H within the block (Rayleigh and Ritz). README.md says why not LOBPCG.
//
// Owns its device memory: two blocks. Thread: the simulation's, inside Device::run; iterate() waits for the device,
// because the host solves the small problem. ParameterError for a billiard with too few points; OutOfMemory.
#pragma once

#include <string>
#include <vector>

#include "sims/eigenstates2d/block.h"
#include "sims/eigenstates2d/potential.h"

namespace simscope::eigenstates2d {

inline constexpr int kRemembered = 96;  // iterations whose residuals are kept

class Solver {
 public:
  Solver(compute::DevicePtr device, const Parameters& parameters);

  // The potential of these parameters; size, K, and stencil are those of the constructor. Iteration continues from the
  // present states, with new guards. False where H has not changed.
  bool pose(const Parameters& parameters);
  void setDrawn(std::vector<double> drawn);  // N² values, added to V
  // Random states, made orthonormal.
  void start(std::uint64_t seed);
  // One iteration; nothing where all K states are within the tolerance.
  void iterate();
  bool converged() const noexcept { return progress_.converged; }
  int convergedStates() const;  // how many of the lowest

  const Landscape& landscape() const noexcept { return landscape_; }
  const std::vector<double>& drawn() const noexcept { return drawn_; }
  bool altered() const noexcept { return altered_; }  // whether anything is drawn
  Operator hamiltonian() const;
  const compute::Buffer<double>& devicePotential() const noexcept { return potential_; }
  const Grid& grid() const noexcept { return landscape_.grid; }

  // State by state, Σφ² = 1 without the cell's area h²; the first K of block() are the wanted ones.
  compute::Buffer<double>& states() noexcept { return states_; }
  const compute::Buffer<double>& states() const noexcept { return states_; }
  int count() const noexcept { return states_wanted_; }
  int block() const noexcept { return block_; }
  const std::vector<double>& energies() const noexcept { return energies_; }    // of the block
  const std::vector<double>& residuals() const noexcept { return residuals_; }  // ‖Hφ - Eφ‖ of the K
  double orthonormality() const;                                                // max |⟨a|b⟩ - δ| of the K; waits
  int iterations() const noexcept { return progress_.iterations; }
  int degree() const noexcept { return progress_.degree; }  // of the last filter, or the next
  double usedTolerance() const;
  double rounding() const { return 4e-15 * landscape_.bound; }  // of residuals and levels
  // Residuals of the K, and their energies, after each of the first kRemembered iterations since V was posed.
  const std::vector<double>& residualHistory() const noexcept { return residual_history_; }
  const std::vector<double>& energyHistory() const noexcept { return energy_history_; }
  int remembered() const { return static_cast<int>(residual_history_.size()) / states_wanted_; }
  // Counts changes of the states; a picture with another number is out of date.
  std::uint64_t version() const noexcept { return version_; }

  // The saved state besides states and drawing.
  struct Progress {
    bool fresh = true, converged = false;
    int iterations = 0, restarts = 0, degree = 0;
  };
  Progress& progress() noexcept { return progress_; }
  void takeEnergies(std::vector<double> energies) { energies_ = std::move(energies); }
  void takeResiduals(std::vector<double> residuals) { residuals_ = std::move(residuals); }
  // Residuals, then energies, of kRemembered iterations each; 0 for iterations not yet made.
  std::vector<double> history() const;
  void takeHistory(const std::vector<double>& history);
  // Takes a drawing that belongs to the present states.
  void takeDrawn(std::vector<double> drawn);
  void setSeed(std::uint64_t seed) noexcept { seed_ = seed; }
  double milliseconds() const noexcept { return milliseconds_; }

 private:
  void upload();
  void restart(bool with_guards);
  int chosenDegree(double low, double edge) const;
  void filter(double low, double edge);
  void rayleighRitz();
  void measure();
  void settle();  // makes states of degenerate levels of one parity each, and fixes all signs

  compute::DevicePtr device_;
  Parameters p_;
  int states_wanted_, block_;
  Landscape landscape_;
  Base base_;
  std::vector<double> drawn_, energies_, residuals_, residual_history_, energy_history_;
  compute::Buffer<double> states_, other_, diagonal_, potential_;
  Progress progress_;
  bool altered_ = false;
  std::uint64_t seed_ = 0, version_ = 1;
  double milliseconds_ = 0;
};

}  // namespace simscope::eigenstates2d
