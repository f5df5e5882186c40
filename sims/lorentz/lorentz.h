// Charges in electric and magnetic fields as a simulation: pushed by Boris's scheme (or Euler's, or Runge and Kutta's),
// measured against exact motion, drifts, and adiabatic invariants. They do not interact.
//
// Thread: as Simulation. Places and u = γv are single precision, each with the carry of a compensated sum.
#pragma once

#include <memory>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/simulation.h"
#include "sims/lorentz/advance.h"
#include "sims/lorentz/exact.h"
#include "sims/lorentz/long_past.h"
#include "sims/lorentz/measure.h"
#include "sims/lorentz/orbit.h"

namespace simscope::lorentz {

const Description& description();
// Speed and kinetic energy of a particle that is launched.
std::vector<LaunchReading> launchReadings(const ParameterSet& parameters, const Brush& brush, const Frame& frame);

// The order of description().diagnostics.
enum Diagnostic {
  kKineticEnergy,
  kEnergyError,
  kTracerEnergyError,
  kMomentumError,
  kGyration,
  kGyrationExact,
  kFrequency,
  kFrequencyExact,
  kPhaseError,
  kPhaseErrorExact,
  kRadius,
  kRadiusExact,
  kSpread,
  kSpreadExact,
  kDrift,
  kDriftExact,
  kLost,
  kLostExact,
  kBounce,
  kBounceExact,
  kLongitude,
  kLongitudeExact,
  kBanana,
  kBananaExact,
  kMomentVariation,
  kMomentDrift,
  kCoarseShare,
  kDiagnosticCount
};

// How the particles turn, from the fields and the speeds where they are.
struct Gyration {
  double turn = 0;          // the largest angle of a step of those that move
  double wide = 0;          // the share of them with a gyroradius of more than kWide lengths B/|∇B|
  double met = 0;           // the largest angle of a step in the first one's recorded past
  std::int64_t met_at = 0;  // at this step
  double turns = 0;         // since the start, in the field B₀
};

class Lorentz final : public Simulation {
 public:
  Lorentz(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(steps_) * p_.time_step; }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
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
  bool stroke(const Brush& brush) override;

  Particles particles();
  Totals totals();
  History history();
  struct Tracer {
    double x[3], u[3];
  };
  std::vector<Tracer> tracers() const;
  std::vector<Sample> pastOfFirst() const;
  void startHistory();
  void takeReferences();
  void takeInvariants(const std::vector<Tracer>& tracers);
  double energyOf(const Tracer& tracer, int index) const;

  Parameters p_;
  Setup setup_;
  compute::Buffer<float> x_, x_carry_, u_, u_carry_;  // 3 · N
  compute::Buffer<float> past_;                       // 6 · kTracers · kSamples
  LongPast long_past_;
  int next_ = 0, stride_ = 1, since_ = 0, samples_ = 0;
  int launched_ = 0;
  double energy_reference_ = 0;  // Σ of energies without errors
  double energy_scale_ = 1;      // Σ of kinetic energies at the start
  double gyration_start_ = 0, guide_start_ = 0;
  std::vector<double> invariants_;  // energy and canonical momentum of each tracer, kTracers each
  bool untouched_ = true;           // only steps have changed the particles since the reset
  Gyration gyration_;               // as of the last diagnostics()
};

// Advice that follows from parameters, diagnostics, and the gyration alone.
std::vector<Finding> findingsFor(const Parameters& parameters, std::span<const double> values,
                                 const Gyration& gyration);

// Steps between two samples of a tracer's past.
int strideOf(const Parameters& parameters);
// How many of the newest samples the pictures show.
int shownSamples(const Parameters& parameters);
// How many of them the curves show.
int plottedSamples(const Parameters& parameters);
// Where a beam starts, along y.
double startLine(const Parameters& parameters);
// Bytes that a simulation of these parameters takes.
double memoryOf(const ParameterSet& parameters, compute::Backend backend);
std::vector<Preset> presets();

}  // namespace simscope::lorentz
