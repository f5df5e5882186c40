// The simulation behind eigenstates2d.h: a Solver, the superposition of its states, and their picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sims/core/region.h"
#include "sims/eigenstates2d/eigenstates2d.h"
#include "sims/eigenstates2d/packet.h"
#include "sims/eigenstates2d/picture.h"

namespace simscope::eigenstates2d {

using compute::Complex;

class PlaneStates final : public Simulation {
 public:
  PlaneStates(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(steps_) * p_.time_step; }
  void reset(std::uint64_t seed) override;
  void step(int count) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override;

  const Solver& solver() const { return solver_; }

 protected:
  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

 private:
  std::size_t count() const { return static_cast<std::size_t>(p_.states); }
  int shownState() const;  // drawn large, with its values listed
  const std::vector<double>& exact();
  const std::vector<Complex<double>>& coefficients();  // at t = 0, of the present states
  const Wave& psi();
  const std::vector<double>& largest();  // max |φ| of each of the K
  double peakDensity();                  // for the range of pictures of ψ
  Walls walls() const;
  double meanEnergy();
  double gap() const;  // NaN below rounding
  // The levels on two coarser grids; empty unless V is typed, nothing is drawn, and the states have converged.
  const std::vector<superposition::Coarser>& coarser();
  bool take(int n, bool alone);
  bool draw(const Brush& brush, bool erases);
  std::vector<CellBlock> regionOf(const Brush& brush);
  bool fill(const Brush& brush, double value);

  void presentFields(Frame& frame);
  void presentGallery(Frame& frame);
  void presentLevels(Frame& frame);
  void presentConvergence(Frame& frame);
  void presentErrors(Frame& frame);

  Parameters p_;
  Solver solver_;
  std::vector<Complex<double>> by_hand_c_;  // K, set by a tool; used where by_hand_
  bool by_hand_ = false;
  int picked_ = -1;  // the shown state that a tool has picked; -1: that of the parameter

  // Values derived from the states, each with its version.
  std::vector<Complex<double>> coefficients_;
  std::uint64_t coefficients_version_ = 0, psi_version_ = 0, largest_version_ = 0, peak_version_ = 0;
  std::int64_t psi_steps_ = -1;
  double packet_kept_ = 1, peak_ = 0;
  Wave psi_, scratch_;
  std::vector<double> largest_;
  std::optional<std::vector<double>> exact_;
  std::vector<superposition::Coarser> coarser_;
  std::uint64_t coarser_version_ = 0;
};

}  // namespace simscope::eigenstates2d
