// The heat equation as a simulation: a field on a device, advanced explicitly or by alternating directions, painted
// with the mouse, measured against its exact solution. Each rank holds a slab of its rows.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/ranks/slab.h"
#include "sims/core/clock.h"
#include "sims/core/simulation.h"
#include "sims/heat/adi/adi.h"
#include "sims/heat/operations.h"
#include "sims/heat/parameters.h"
#include "sims/heat/present.h"

namespace simscope::heat {

const Description& description();

// The order of description().diagnostics.
enum Diagnostic {
  kTotalHeat,
  kMaximum,
  kMinimum,
  kMean,
  kCenter,
  kCenterExact,
  kErrorL2,
  kHeatDrift,
  kThermometer1,
  kDiagnosticCount = kThermometer1 + kThermometers
};

// How many rows beside its own a rank holds: at least the steps of a pass, the height of a channel's element in cells,
// and the rows that ADI's windows read on CUDA.
int haloOf(const Parameters& parameters, bool cuda);

class Heat final : public Simulation {
 public:
  Heat(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return clock_.at(steps_, p_.timeStep()); }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  std::vector<double> observers() const override;
  void setObservers(std::span<const double> placed) override;
  Throughput throughput() const override;
  std::string method() const override;

 private:
  void visit(Archive& archive) override;
  void takeTemperature(std::span<const std::byte> rows);
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

  double sinceClock() const { return static_cast<double>(steps_ - clock_.step); }
  double tau() const { return clock_tau_ + sinceClock() * p_.meshRatio() * p_.spacing * p_.spacing; }
  bool exactNow() const;
  bool hasMaterial() const { return material_count_.any(); }
  bool isDouble() const { return p_.precision == Precision::Double; }
  const float* materialOrNull() const { return hasMaterial() ? material_.data() : nullptr; }
  int substeps() const;
  int stepsPerPass() const;
  void advance(int steps);  // explicit, without a map
  void advanceInParts();    // one step, explicit, with a map or in double precision
  void advanceAdi(int steps);
  void prepareAdi();
  const double* exactOnDevice();
  void exchange(compute::Buffer<float>& field, int depth,
                compute::Device::Order order = compute::Device::Order::Stream);
  void exchangeMaterial();
  void placeThermometer(int which, double x, double y);
  void takeThermometersAway();
  void paintMaterial();  // of the start
  void paintAlong(const Brush& brush, Paint paint);
  void paintRegion(const Brush& brush, Paint paint);
  void paintShape(const compute::Capsule& cells, Paint paint, double strength);

  Parameters p_;
  compute::Slab slab_;
  compute::Buffer<float> u_, next_;                    // the slab's rows; the halo of u_ is updated when needed
  compute::Buffer<float> remainder_, next_remainder_;  // in double precision: what u_ and next_ lack; else empty
  compute::Buffer<float> material_;                    // factors on α; empty until something is painted
  compute::Buffer<double> lines_;                      // x and y of the initial or the exact field
  compute::Buffer<float> probed_;
  AdiFactors adi_factors_;    // on the CPU
  int adi_depth_ = 0;         // rows of the halo that the windows read
  AdiWindows adi_windows_{};  // on CUDA

  Clock clock_;                // a live change of dt or α starts a new count
  double clock_tau_ = 0;       // diffusion time τ = ∫ α dt at the clock's step
  double heat_reference_ = 0;  // Σ u that a closed field would keep
  bool untouched_ = true;      // no stroke has changed the field since the reset
  RoundingSums rounding_{};    // of the next step, when the diagnostics were measured; zeros in double precision
  MaterialCount material_count_{0, 0, 0};
  bool material_halo_ = false;                                          // whether material_'s halo is up to date
  std::optional<double> thin_;                                          // cells of countThin(), once they are asked for
  double thermometer_x_[kThermometers], thermometer_y_[kThermometers];  // cells, or kNotPlaced
  int last_thermometer_ = kThermometers - 1;  // the one set down last; the next comes after it
};

// Advice that follows from parameters alone.
std::vector<Finding> findingsFor(const Parameters& parameters);
// Whether single precision loses changes that matter. r: the mesh ratio of a step, or of its parts; maximum, minimum:
// of the temperatures.
std::optional<Finding> roundingFinding(const Parameters& parameters, const RoundingSums& rounding, double r,
                                       double maximum, double minimum);
// What is promised of the centre, of the spot's temperature, and of the field, of itself.
inline constexpr double kCentreError = 5e-4, kFieldError = 0.06;
// Whether cells or steps make centre or field worse than that; NaN where nothing exact is known.
std::optional<Finding> coarseFinding(const Parameters& parameters, double centre_off, double error_l2);

}  // namespace simscope::heat
