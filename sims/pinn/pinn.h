// Physics-informed neural networks: u(x) or u(x, t) as a small network of tanh units, trained until it satisfies a
// differential equation and its conditions, and compared with the exact solution.
//
// A step is one iteration of the optimiser for all networks; they train side by side and independently. The time of a
// run is the number of iterations. Both backends give the same bits (jets.h, pass.h). README.md has the formulas.
#pragma once

#include <memory>
#include <vector>

#include "sims/core/describe.h"
#include "sims/core/simulation.h"
#include "sims/pinn/observe.h"
#include "sims/pinn/problem.h"

namespace simscope::pinn {

inline constexpr int kMostPoints = 4096;                   // at which the equation is evaluated
inline constexpr int kCurve = 256;                         // places along x that a view shows
inline constexpr int kPerDecade = 20, kRecords = 140 + 1;  // iterations 1 to 10⁷ at which scores are noted
inline constexpr int kBins = 48;                           // of the histogram of errors, 8 a decade
inline constexpr double kLowest = -9, kHighest = 3;        // decades that curves of scores cover

enum class Sampling { Grid, Random };
enum class Varies { Weights, Rate };

struct Parameters {
  Problem problem = Problem::Decay;
  double rate = 1, frequency = 3, diffusivity = 0.1, viscosity = 0.03, length = 2;
  int layers = 1, units = 16;
  double initial_scale = 1;
  int points = 32;
  Sampling sampling = Sampling::Grid;
  double condition_weight = 1;
  Optimizer optimizer = Optimizer::Adam;
  double learning_rate = 0.02, decay = 0.4;
  int networks = 1;
  Varies varies = Varies::Weights;
  double highest_rate = 0.3;
  double slice = 0.5;

  Physics physics() const { return {problem, rate, frequency, diffusivity, viscosity, length}; }
  Architecture net() const { return {physics().partial() ? 2 : 1, layers, units}; }
  bool sweeps() const { return networks > 1 && varies == Varies::Rate; }
  double rateOf(int network) const;  // before it decays
};
const Binding<Parameters>& binding();
const Description& description();
std::vector<Preset> presets();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);

// In the order of the description. All but the last two are of the best network, which has the smallest loss.
enum class Diagnostic {
  Loss,
  Equation,
  Initial,
  Boundary,
  StartLoss,
  Error,
  ErrorExact,
  Farthest,
  Value,
  ValueExact,
  Gradient,
  BestRate,
  Diverged
};

// The initial weights of a network, one after the other as network.h has them: uniform within ±√(6/(inputs + outputs))
// of each layer (Glorot and Bengio), hidden biases within ±1/√inputs, the output's 0, all times `scale`.
std::vector<float> initialWeights(const Architecture& net, double scale, std::uint64_t seed, std::uint32_t network);

// The iteration of a record, and how many there are up to one.
std::int64_t iterationOf(int record);
int recordsUpTo(std::int64_t iteration);

class Pinn final : public Simulation {
 public:
  Pinn(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override;
  void step(int count) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override;

  // The gradient of a network's loss at its weights.
  std::vector<float> gradientOf(int network);

 private:
  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;

  std::size_t networks() const { return static_cast<std::size_t>(p_.networks); }
  // What follows from live parameters.
  void takeLive();
  Training<float> job(int steps);
  // The scores of all networks, and the best of them, at the present weights; curve_ of the best one. Enqueued.
  void measure();
  void evaluateCurve();
  void evaluateField();
  void presentCurves(Frame& frame);
  void presentScores(Frame& frame);
  void presentField(Frame& frame);
  void presentWeights(Frame& frame);

  Parameters p_;
  Physics physics_;
  Architecture net_;
  Loss<float> loss_{};
  int components_ = 2;
  compute::Buffer<float> weights_, mean_, variance_, gradient_, parts_, rates_;
  compute::Buffer<Place<float>> places_;  // of the equation's points
  compute::Buffer<ConditionAt<float>> conditions_;
  compute::Buffer<Place<float>> measured_at_, curve_at_, field_at_;
  compute::Buffer<float> measured_exact_, curve_exact_, field_exact_;
  compute::Buffer<float> measured_values_, curve_, field_;
  float exact_norm_ = 1;
  double value_exact_ = 0;
  compute::Buffer<Score> scores_, start_, history_;
  compute::Buffer<int> best_, map_;
  compute::Buffer<std::uint32_t> counts_;  // of the histogram of errors
  int field_width_ = 1, field_height_ = 1, map_width_ = 1;
  bool scored_ = false, curve_done_ = false;
};

}  // namespace simscope::pinn
