// The lowest K states of H in the plane by subspace iteration with Chebyshev's filter: Y. Zhou, Y. Saad, M. L. Tiago,
// J. R. Chelikowsky, J. Comput. Phys. 219 (2006) 172. Each iteration multiplies a block of K states and some guards by
// a polynomial of H that is small between the highest Ritz value and the top of the spectrum and grows fast below, and
// diagonalises H within the block (Rayleigh and Ritz). README.md tells why this and not LOBPCG.
//
// Owns its device memory: two blocks. Thread: the simulation's, inside Device::run; iterate() waits for the device,
// which hands the small problem to the host. ParameterError of a billiard with too few points; OutOfMemory.
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

  // The potential of these parameters; size, K, and stencil are those of the constructor. What is iterated goes on from
  // the present states, with new guards. False where nothing of H has changed.
  bool pose(const Parameters& parameters);
  void setDrawn(std::vector<double> drawn);  // N² values, added to V
  // Random states, made orthonormal.
  void start(std::uint64_t seed);
  // One iteration; nothing where all K states are within the tolerance.
  void iterate();
  bool converged() const noexcept { return progress_.converged; }
  int convergedStates() const;  // the lowest so many

  const Landscape& landscape() const noexcept { return landscape_; }
  const std::vector<double>& drawn() const noexcept { return drawn_; }
  bool altered() const noexcept { return altered_; }  // anything is drawn
  Operator hamiltonian() const;
  const compute::Buffer<double>& devicePotential() const noexcept { return potential_; }
  const Grid& grid() const noexcept { return landscape_.grid; }

  // State by state, Σφ² = 1 without the cell's area h²; the first K of block() are those that are wanted.
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
  // Residuals of the K, and their energies, after each of the first kRemembered iterations since V was posed.
  const std::vector<double>& residualHistory() const noexcept { return residual_history_; }
  const std::vector<double>& energyHistory() const noexcept { return energy_history_; }
  int remembered() const { return static_cast<int>(residual_history_.size()) / states_wanted_; }
  // Counts what the states have been; a picture of another number is old.
  std::uint64_t version() const noexcept { return version_; }

  // What save() has of it besides states and drawing.
  struct Progress {
    bool fresh = true, converged = false;
    int iterations = 0, restarts = 0, degree = 0;
  };
  Progress& progress() noexcept { return progress_; }
  void takeEnergies(std::vector<double> energies) { energies_ = std::move(energies); }
  void takeResiduals(std::vector<double> residuals) { residuals_ = std::move(residuals); }
  // Residuals, then energies, of kRemembered iterations each, those that have not been as 0.
  std::vector<double> history() const;
  void takeHistory(const std::vector<double>& history);
  // A drawing that comes with states that were solved for it.
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
  void settle();  // states of degenerate levels by parity, all with a sign of their own

  compute::DevicePtr device_;
  Parameters p_;
  int states_wanted_, block_;
  Landscape landscape_;
  std::vector<double> base_, drawn_, energies_, residuals_, residual_history_, energy_history_;
  compute::Buffer<double> states_, other_, diagonal_, potential_;
  Progress progress_;
  bool altered_ = false;
  std::uint64_t seed_ = 0, version_ = 1;
  double milliseconds_ = 0;
};

}  // namespace simscope::eigenstates2d
