// The simulation behind eigenstates.h: a Problem, the superposition of its states, and their picture.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sims/eigenstates/eigenstates.h"
#include "sims/eigenstates/problem.h"
#include "sims/eigenstates/wave.h"

namespace simscope::eigenstates {

class EigenstatesSimulation final : public Simulation {
 public:
  EigenstatesSimulation(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(steps_) * problem_.parameters().time_step; }
  void reset(std::uint64_t seed) override;
  void step(int count) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override { return problem_.method(); }

 protected:
  void visit(Archive& archive) override;
  void beforeSave() override { solve(); }
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

 private:
  // The energy range of the levels' picture, and the height of a curve of φ.
  struct Heights {
    double low, high, unit;
  };
  // A channel over x, or over the states, if it is needed.
  float* curve(Frame& frame, const char* key, double low, double high);

  const Parameters& p() const { return problem_.parameters(); }
  std::size_t count() const { return static_cast<std::size_t>(p().states); }
  void solve();   // also coefficients, unless they were chosen by hand
  void evolve();  // ψ at the present time
  bool packetHolds() const;
  // ψ(x, t) of the closed forms; null unless all of its states have one.
  const Wave* exactWave();
  double meanPositionExact();
  double autocorrelation() const;
  Heights heights();
  void prepareCarpet();

  bool takeLevel(double energy, bool alone);
  bool draw(const Brush& brush, bool erases);

  void presentWave(Frame& frame);
  void presentLevels(Frame& frame);
  void presentSpectrum(Frame& frame);
  void presentErrors(Frame& frame);
  void presentCarpet(Frame& frame);

  Problem problem_;
  std::vector<Complex<double>> coefficients_;  // at t = 0
  bool by_hand_ = false;                       // a tool has chosen them
  bool superposed_ = false;                    // whether coefficients_ belong to the present states
  double packet_kept_ = 1;
  Wave psi_, exact_psi_;
  std::int64_t psi_steps_ = -1;  // the steps of psi_
  compute::Buffer<float> carpet_;
  double carpet_time_ = 0, carpet_high_ = 0;  // 0: not made yet
  std::vector<Finding> findings_;             // of the last diagnostics
};

}  // namespace simscope::eigenstates
