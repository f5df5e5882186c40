// N bodies that attract each other, or charges, as a simulation: integrated by leapfrog or Yoshida's scheme, forces
// from all pairs or from a tree, compared with conserved values and exact orbits.
//
// Places and velocities are double precision. More than kFew bodies get their forces in single precision from a
// FieldSolver (field.h); fewer get theirs directly in double precision (few.h).
//
// Among ranks (Device::ranks) all have all bodies, with the same bits: the solvers divide the forces among ranks and
// exchange them; all else is O(n), and every rank computes it.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sims/core/clock.h"
#include "sims/core/simulation.h"
#include "sims/nbody/bodies.h"
#include "sims/nbody/exact.h"
#include "sims/nbody/field.h"
#include "sims/nbody/operations.h"
#include "sims/nbody/present.h"

namespace simscope::nbody {

const Description& description();
// The speed of a body that is launched.
std::vector<LaunchReading> launchReadings(const ParameterSet& parameters, const Brush& brush, const Frame& frame);

// The order of description().diagnostics.
enum Diagnostic {
  kKineticEnergy,
  kPotentialEnergy,
  kTotalEnergy,
  kEnergyDrift,
  kMomentum,
  kMomentumDrift,
  kAngularMomentum,
  kVirialRatio,
  kHalfMassRadius,
  kHalfMassRadiusExact,
  kOrbitError,
  kReturnError,
  kLargestAcceleration,
  kBodies,
  kDiagnosticCount
};

// A step beside the time of the closest encounter: of a few bodies √(r³/(G m)), of many √(ε/a).
struct LongestSteps {
  double now = 0;         // dt/τ of the bodies where they are
  double met = 0;         // the largest of the steps that were made
  std::int64_t step = 0;  // its number; the first one is 1
};

class NBody final : public Simulation {
 public:
  NBody(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return clock_.at(steps_, p_.time_step); }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void present(Frame& frame) override;
  void diagnostics(std::span<double> values) override;
  std::vector<Finding> check(std::span<const double> values) const override;
  bool finite() override;
  std::string likelyCauseOfNaN() const override;
  Throughput throughput() const override;
  std::string method() const override;

  int bodies() const noexcept { return bodies_.count(); }

 private:
  void visit(Archive& archive) override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

  struct Trail {
    int next = 0, stride = 1, since_last = 0;
    int samples = 0;  // recorded, up to kTrailSamples
  };

  struct Conserved {
    double energy = 0;
    std::array<double, 3> momentum{};
  };

  void takeSolver(const Parameters& parameters);
  // The field at the places of these bodies, φ included.
  void solve(Bodies& bodies);
  void compareStrengths(Bodies& bodies);
  // Steps leave φ out. The rest of the field keeps its bits.
  void findPotential();
  System system() { return bodies_.system(p_); }
  Conserved conserved();
  // What the integrator has lost so far; a change from outside is not a drift and leaves it unchanged.
  Conserved lost();
  void loseAsBefore(const Conserved& lost);
  void setScales();
  void beginAlike();
  void takeBodies();
  void startTrails();
  std::vector<float> trailsInOrder() const;
  void putTrails(const std::vector<float>& places, int samples);
  double launchRate() const;
  void launch(const double (&x)[3], const double (&v)[3], double mass, double charge);
  // Sets an existing body's velocity; false: there is no such body.
  bool setVelocity(std::int64_t body, const std::array<double, 3>& v);
  bool setMass(std::int64_t body, double mass);
  std::optional<ExactProfile> exactNow() const;
  double halfMassRadius();
  double orbitError();
  LongestSteps longestSteps(double largest_acceleration) const;
  TrailRing trailRing();

  Parameters p_;
  Bodies bodies_;
  std::optional<Bodies> incoming_;  // bodies of a state with another number of them, until all of it has passed
  std::unique_ptr<FieldSolver> solver_;
  TreeSolver* tree_ = nullptr;              // solver_, if it is a tree
  compute::Buffer<std::uint64_t> shells_;   // kBins
  compute::Buffer<float> initial_profile_;  // kBins

  bool potential_known_ = false;  // φ in the bodies' field is that of the present places
  Clock clock_;
  Trail trail_;
  Scales scales_;
  double total_mass_ = 1;
  Conserved reference_;                          // the conserved values of a perfect integrator
  bool untouched_ = true;                        // only steps have changed the bodies since the reset
  compute::Buffer<std::uint64_t> longest_step_;  // LongestStep::kept
  LongestSteps steps_met_;                       // as of the last diagnostics()
};

// Advice. energy_reference: the energy of a perfect integrator. What is found of a step that was made says its number
// (Finding::last_step).
std::vector<Finding> findingsFor(const Parameters& parameters, std::span<const double> values, double energy_reference,
                                 bool cuda, const LongestSteps& steps);

// Bytes that a simulation of these parameters takes.
double memoryOf(const ParameterSet& parameters, compute::Backend backend);

}  // namespace simscope::nbody
