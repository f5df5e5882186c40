// The simulation: a step adds a batch of events to the counts. Only the counts of generated events are kept. They are a
// pure function of seed, number of events, and parameters, so that a live change counts all events so far again. A
// user's own events stay in device memory. Thread and errors: as Simulation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/histograms/counting.h"
#include "sims/histograms/fit.h"
#include "sims/histograms/parameters.h"

namespace simscope::histograms {

// The order of Description::diagnostics.
enum class Diagnostic {
  Events,
  Pairs,
  SameSign,
  More,
  Efficiency,
  EfficiencyExact,
  EfficiencyPull,
  SameSignShare,
  SameSignExact,
  Mass,
  MassError,
  MassExact,
  MassPull,
  Width,
  WidthError,
  WidthExact,
  WidthPull,
  Resolution,
  ResolutionError,
  ResolutionExact,
  ResolutionPull,
  Resonances,
  Chi2,
  Excess,
  MadeExcess,
  Below,
  Above,
  SameSignOff,
  PtAbove,
  Count,
};

// A run of more events is refused: counting them again would take too long.
inline constexpr std::uint64_t kMostEvents = std::uint64_t{1} << 44;
inline constexpr std::size_t kMostShown = std::size_t{1} << 19;  // events of the view of the newest ones

class Histograms final : public Simulation {
 public:
  Histograms(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(events()); }
  void reset(std::uint64_t seed) override;
  void step(int count) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override { return true; }  // counts are whole numbers
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override;

 protected:
  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;

 private:
  // A user's own events, and the masses of H → ZZ, on the device.
  struct Data {
    std::string file;
    std::uint64_t events = 0;
    double mass = 0;  // typicalMass()
    compute::Buffer<std::uint32_t> first;
    compute::Buffer<float> pt, eta, phi;
    compute::Buffer<std::int8_t> charge;
  };
  // Expected values under the present parameters; computed at the first request.
  struct Expected {
    Acceptance acceptance;
    std::vector<double> edges, made;   // of the bins of the mass; produced shares per bin
    std::vector<std::uint64_t> pilot;  // counts of some events, for the axes' ranges
    std::uint64_t pilot_events = 0;
  };

  std::shared_ptr<const Data> dataFor(const Parameters& p) const;
  std::shared_ptr<const compute::Buffer<float>> tableFor(const Parameters& p) const;
  Source sourceOf() const;
  std::uint64_t eventsAfter(std::int64_t steps) const;
  std::uint64_t events() const { return eventsAfter(steps_); }
  void addCounts(Counts& counts, std::uint64_t first, std::uint64_t added);  // over all ranks
  void setBelow(std::uint64_t count);
  void recount();
  void forget();  // drops values cached from parameters or counts

  void addOffAxis(std::span<const double> values, std::vector<Finding>& findings) const;

  const Expected& expected();
  const std::vector<std::uint64_t>& counted();  // on the host; waits
  const FitResult& fitted();
  FitStart fitStart() const;
  Parameters fitParameters() const;
  Acceptance fitResponse();

  // Shares per GeV on a fine grid of masses.
  std::vector<double> expectedCurve();
  std::vector<double> fittedCurve();
  void presentMasses(Frame& frame);
  void presentSpectra(Frame& frame);
  void presentPlanes(Frame& frame);
  void presentNewest(Frame& frame);
  double pilotHigh(int from, int count);  // the largest share of an event in one of these bins
  double pilotPeak(int from);             // likewise in a plane, over nine cells at a time

  Parameters p_;
  std::shared_ptr<const Data> data_;
  std::shared_ptr<const compute::Buffer<float>> higgs_;
  Counts counts_;
  std::optional<Expected> expected_;
  std::optional<std::vector<std::uint64_t>> counted_;
  std::optional<FitResult> fitted_;
  bool below_missing_ = false;  // the state that is being loaded does not have it
};

}  // namespace simscope::histograms
