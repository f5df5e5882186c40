// Gradient descent of thousands of starts at once on a surface f(x, y), as a simulation: a step is one iteration of all
// of them. Losses, factors, and means, compared with closed forms where the surface is quadratic; basins of the minima.
//
// Thread: as Simulation. Positions and the methods' memories are double precision.
#pragma once

#include <optional>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/simulation.h"
#include "sims/descent/exact.h"
#include "sims/descent/measure.h"
#include "sims/descent/paths.h"
#include "sims/descent/present.h"

namespace simscope::descent {

const Description& description();
std::vector<Preset> presets();

// The order of description().diagnostics.
enum Diagnostic {
  kBest,
  kBestExact,
  kArrived,
  kArrivedLowest,
  kDistance,
  kMedianLoss,
  kMeanLoss,
  kMeanLossExact,
  kFactor,
  kFactorExact,
  kFactorLeast,
  kLastArrival,
  kLastArrivalExact,
  kDivergedShare,
  kWatchedLoss,
  kWatchedLossExact,
  kDiagnosticCount
};

class Descent final : public Simulation {
 public:
  Descent(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(steps_); }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  std::vector<double> observers() const override { return {watched_x_, watched_y_}; }
  void setObservers(std::span<const double> placed) override;
  Throughput throughput() const override;
  std::string method() const override;

 private:
  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

  Advance work();
  std::size_t all() const { return p_.count() + kWitnesses; }
  std::vector<double> startPlaces() const;  // x of all, then y
  void takeModes(const std::vector<double>& places);
  void placeWatched(double x, double y);
  const Watched& watched();
  int samples() const { return static_cast<int>(steps_ / stride_) + 1; }
  void summariseNew();
  bool closedFormHolds() const { return exact_ && p_.is(Surface::Bowl) && isLinear(p_.method); }
  double measuredFactor() const;

  void presentSurface(Frame& frame);
  void presentStarts(Frame& frame);
  void presentCurves(Frame& frame);

  Parameters p_;
  SurfaceData surface_;
  Minima minima_;
  int lowest_count_ = 0;   // minima as low as the lowest
  double top_ = 0;         // logarithm of the largest loss at the start
  Curvature curvature_{};  // at the lowest minimum
  compute::Buffer<double> x_, y_, memory_;
  compute::Buffer<int> since_;
  compute::Buffer<float> losses_, places_;  // kSamples · kWitnesses; kTracers · kSamples · 2
  compute::Buffer<int> table_;
  compute::Buffer<double> minimum_places_;
  Nearest nearest_;
  std::int64_t stride_ = 1, began_ = 0;
  double watched_x_ = 0, watched_y_ = 0;
  bool exact_ = true;  // no parameter has changed since the reset
  Modes modes_{}, witness_modes_{};

  // Derived values, cached between pictures.
  std::optional<Picture> picture_;
  std::vector<float> contours_;
  Watched watched_;
  compute::Buffer<float> summary_;  // kCurves · kSamples
  int summarised_ = 0;
};

// Advice that follows from parameters and diagnostics alone.
std::vector<Finding> findingsFor(const Parameters& p, const Curvature& curvature, bool has_minimum,
                                 std::span<const double> values);
// Bytes that a simulation of these parameters takes.
double memoryOf(const ParameterSet& parameters, compute::Backend backend);
// The spacing, in starts, of those drawn along each side.
int everyDrawn(int starts);

}  // namespace simscope::descent
