// Diffraction as a simulation: an aperture in a plane wave, and its pattern at a distance. Parameters change by
// keyframes or by hand; a step computes the pattern of the present ones.
//
// The state is the step, the drawing over the aperture, and the probe; the pattern follows from them and is saved with
// them. Ranks hold slabs of rows of aperture, drawing, and pattern, and transform together.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/core/simulation.h"
#include "sims/diffraction/aperture.h"
#include "sims/diffraction/details.h"
#include "sims/diffraction/far_field.h"
#include "sims/diffraction/near_field.h"
#include "sims/diffraction/parameters.h"
#include "sims/diffraction/slab_waves.h"

namespace simscope::diffraction {

const Description& description();

// The order of description().diagnostics.
enum Diagnostic {
  kTotalPower,
  kTotalPowerError,
  kCentralIntensity,
  kFirstDarkRing,
  kFirstDarkRingExact,
  kEncircledEnergy,
  kProfileError,
  kFresnelNumber,
  kProbeIntensity,
  kDiagnosticCount
};

class Diffraction final : public Simulation {
 public:
  Diffraction(compute::DevicePtr device, const ParameterSet& parameters);

  double time() const override { return static_cast<double>(steps_) / kSweep; }
  void reset(std::uint64_t seed) override;
  void step(int n) override;
  void completeStep() override;
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
  void visitPattern(Archive& archive);
  void beforeSave() override;
  void loaded(const State& state) override;
  void change(const ParameterSet& parameters) override;
  bool stroke(const Brush& brush) override;

  struct Picture {
    std::string file;
    compute::Buffer<float> pixels;
    int width = 0, height = 0;
    PictureDetails details;
  };
  struct Probe {
    double x = 0, y = 0;  // [m]
    bool placed = false;
  };

  bool far() const { return p_.propagation == Propagation::Fraunhofer; }
  bool coloursApart() const { return !far() && p_.spectrum != Spectrum::Monochromatic; }
  bool isDrawn() const { return !drawn_.empty(); }
  void prepare(const Parameters& parameters);  // does all that may fail, before anything changes
  void makeAperture();
  std::vector<Dab> regionOf(const Brush& brush, float leaves);
  StraightSpectrum straightSpectrum();
  void propagate(const Transfer& transfer);  // without intensities yet
  void makePattern();
  void ensurePattern();
  void ensureField();
  const Sums& apertureSums();
  Transfer transferOf(const Parameters& parameters) const;  // with the present aperture
  Reach reachNow() const;                                   // drawings included
  Details detailsNow() const;
  // All ranks together.
  std::vector<float> rowOf(int row) const;
  double unit() const;  // the pattern's value that is shown as 1
  const float* unitOnDevice();

  Parameters p_;
  compute::Slab slab_;
  Picture picture_;
  compute::Buffer<float> transmission_, pattern_;      // slabs, as drawn_; presenting updates the halo
  compute::Buffer<Cover> drawn_;                       // empty while nothing is drawn
  compute::Buffer<float> light_;                       // near field in several colours; of a rank, its part of the sums
  compute::Buffer<float> unit_;                        // with ranks, for presenting
  compute::Buffer<compute::Complex<float>> straight_;  // StraightSpectrum's, of shape_ in a plane of straight_side_
  int straight_side_ = 0;
  // One of these exists: in a single process the first or the second.
  std::unique_ptr<FarField> far_;
  std::unique_ptr<NearField> near_;
  std::unique_ptr<SlabWaves> slabs_;

  Shape shape_;                // that transmission_ was made of
  CellRange box_, drawn_box_;  // where transmission_ is not zero; where the mouse has opened it
  std::optional<Sums> sums_;   // of transmission_, once they are asked for
  bool aperture_current_ = false, pattern_current_ = false, field_current_ = false;
  Probe probe_;
};

// Advice that follows from the parameters, from how far the aperture reaches, drawings included, and from the details
// of pictures and drawings.
std::vector<Finding> findingsFor(const Parameters& parameters, const Reach& reach, const Details& details = {});

// Description::upgrade: in scenes of former versions special parameters scan a parameter.
void upgradeScan(std::map<std::string, std::string>& former, const std::string& preset, const ParameterSet& parameters,
                 std::vector<Track>& tracks);

// Bytes of device memory at most.
double memoryBytes(const ParameterSet& set, compute::Backend backend);
// For Description::decomposition: the most ranks of a run, and the bytes that each takes.
int mostRanks(const ParameterSet& parameters);
double memoryOfRank(const ParameterSet& parameters, int ranks);

}  // namespace simscope::diffraction
