// π from darts thrown at the unit square: the share h/n of those within the quarter circle x² + y² < 1 is π/4.
//
// C chains throw n darts each. Dart i of a chain is a pure function of (method, seed, chain, i), a hit is decided in
// whole numbers, and hits are counted in 64 bits: the counts are the same on both backends, for any number of threads,
// and for any division of the darts among steps. The time of a run is n. README.md has the derivations.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "sims/core/describe.h"
#include "sims/core/simulation.h"
#include "sims/monte_carlo_pi/observe.h"

namespace simscope::monte_carlo_pi {

inline constexpr double kMostInAStep = 2147483648.0;   // darts of all chains
inline constexpr std::uint64_t kMostShown = 1u << 17;  // darts of a picture

struct Parameters {
  Method method = Method::Independent;
  int chains = 1;              // C
  int darts_per_step = 10000;  // of each chain
  double band = 1;             // standard deviations on either side of π in the view of the estimate

  double inAStep() const { return static_cast<double>(chains) * darts_per_step; }
};
const Binding<Parameters>& binding();
const Description& description();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);

// In the order of the description.
enum class Diagnostic { Darts, Hits, Estimate, Exact, Error, Sigma, Z, Digits, Rms, RmsExact, RmsZ, ChiSquare };

class MonteCarloPi final : public Simulation {
 public:
  MonteCarloPi(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(darts_); }
  void reset(std::uint64_t seed) override;
  void step(int count) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override { return true; }
  std::string likelyCauseOfNaN() const override { return "Counts are whole numbers and cannot be NaN."; }
  Throughput throughput() const override;
  std::string method() const override;

 private:
  // Records `first` to `end` form a logarithmic axis.
  struct Span {
    int first, end;
    int count() const { return end - first; }
  };

  void visit(Archive& archive) override;
  void loaded(const State&) override {}
  void change(const ParameterSet& parameters) override;

  std::size_t chains() const { return static_cast<std::size_t>(p_.chains); }
  // For one chain now: the standard deviation of its estimate, and the distribution of its hits.
  double spread();
  const HitDistribution& distribution();
  // The histogram's bins, and the expected hits in each; the first and the last include all hits beyond.
  Bins bins();
  std::vector<double> expectedIn(const Bins& bins);
  double chiSquareNow();

  // All records made, at least two (their sums are 0 before they are made); and the last two decades of them.
  Span allRecords() const;
  Span lastRecords() const;
  void readCurve(Frame& frame, const char* key, Span span, double low, double high, Quantity quantity);
  void presentDarts(Frame& frame);
  void presentEstimate(Frame& frame);
  void presentConvergence(Frame& frame);
  void presentChains(Frame& frame);

  Parameters p_;
  std::uint64_t darts_ = 0;  // n, of each chain
  HitsOfChains hits_;
  compute::Buffer<Sums> sums_;             // of each record that the run has passed
  compute::Buffer<Expected> expected_;     // at each record
  compute::Buffer<std::uint32_t> counts_;  // of the histogram
  double spread_ = 0;
  std::optional<HitDistribution> distribution_;
  std::uint64_t spread_of_ = 0, distribution_of_ = 0;  // darts that they are for; 0: none yet
};

// χ² of counts against the expected ones, less its mean, over its standard deviation. Neighbouring bins are merged
// until 8 are expected. NaN where fewer than two bins remain. Both have the same sum.
double chiSquare(const std::vector<double>& counts, const std::vector<double>& expected);

}  // namespace simscope::monte_carlo_pi
