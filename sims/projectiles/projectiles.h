// Launches of projectiles whose speeds and angles are drawn at random, all at once, as a simulation: their flight, and
// where they land.
//
// Without drag nothing is integrated or stored: the state at a time follows from the time, the seed, and the
// parameters. A step only moves the clock, and readers evaluate the state (evaluation.h), once for each time. With drag
// a step is one of Runge and Kutta's for every launch that has not landed (flights.h).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sims/core/clock.h"
#include "sims/core/simulation.h"
#include "sims/projectiles/evaluation.h"
#include "sims/projectiles/exact.h"
#include "sims/projectiles/flights.h"
#include "sims/projectiles/parameters.h"

namespace simscope::projectiles {

const Description& description();

// The order of description().diagnostics.
enum Diagnostic {
  kInFlight,
  kLanded,
  kLandedExact,
  kMeanRange,
  kMeanRangeExact,
  kMeanRangeError,
  kLargestRange,
  kLargestRangeExact,
  kLargestHeight,
  kLargestHeightExact,
  kMeanDuration,
  kMeanDurationExact,
  kEnergyLost,
  kRk4Error,
  kTerminalSpeed,
  kDiagnosticCount
};

struct Presented;

class Projectiles final : public Simulation {
 public:
  Projectiles(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return clock_.at(steps_, p_.time_step); }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void completeStep() override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override;

 private:
  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;

  bool drags() const { return p_.drag != Drag::None; }
  bool single() const { return p_.precision == Precision::Single; }
  LaunchLaw law() const { return launchLaw(p_, seed_); }
  // Calls f with the flights in their precision.
  template <class F>
  decltype(auto) withFlights(F&& f) {
    return single() ? f(single_flights_) : f(double_flights_);
  }
  void setScales();
  void ensureLandings();
  Presented presented();

  Parameters p_;
  Clock clock_;
  Extremes extremes_{};
  Means means_{};
  Extent extent_{};    // of the counts, and the picture's width
  double height_ = 1;  // of the picture [m]
  double density_ = 1;
  std::vector<float> envelope_;

  Flights<float> single_flights_;  // with drag, one of the two
  Flights<double> double_flights_;
  Landings landings_;
  compute::Buffer<double> edges_;  // kExactPoints + 1: the law's shares
  bool landings_current_ = false;  // whether landings_ is of the present time
  double edges_time_ = -1;         // time of edges_
};

// Advice that follows from the parameters alone. longest: the time that the longest flight takes [s].
std::vector<Finding> findingsFor(const Parameters& parameters, double longest);
// The longest step that drag allows [s]: a fifth of the time in which drag stops the fastest launch.
double longestStep(const Parameters& parameters);

}  // namespace simscope::projectiles
