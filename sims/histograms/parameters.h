// Pairs of leptons in a detector at a collider: production, measurement, cuts, and fit. Masses, momenta, and energies
// in GeV (c = 1), angles in radians.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>

#include "sims/core/describe.h"
#include "sims/core/simulation.h"

namespace simscope::histograms {

enum class Process { Resonance, Higgs, File };
enum class Decay { Isotropic, Polarised };
enum class Background { Exponential, Uncorrelated };
enum class FitOf { Width, Resolution, Both };

struct Parameters {
  Process process = Process::Resonance;
  double mass = 91.1876, width = 2.4952;  // M and Γ of the resonance
  Decay decay = Decay::Polarised;
  double boson_pt = 8, rapidity = 3;  // a of dN/dp² ∝ (1 + p²/a²)⁻²; |y| is uniform below it
  double higgs_mass = 125.25;
  double background_fraction = 0;
  Background background = Background::Exponential;
  double background_scale = 40;               // of exp(-m/λ), or the mean pt of uncorrelated leptons
  double extra_leptons = 0, extra_pt = 12;    // probability of each of two more; their mean pt
  double pt_resolution = 0.015;               // of ln pt
  double angular_resolution = 5e-4;           // of η and of φ
  double efficiency = 0.95, charge_flip = 0;  // probabilities that a lepton is found, and that its charge is wrong
  double pt_min = 20, lead_pt = 25, eta_max = 2.5;
  int bins = 120;
  double mass_low = 60, mass_high = 120, pt_high = 100;
  FitOf fit = FitOf::Width;
  bool fit_background = false;
  int events_per_step = 20000;
  std::string data_file;

  bool resonance() const { return process == Process::Resonance; }
  // Whether every event is a pair from the resonance or of the exponential background: then the expected spectrum is
  // known.
  bool pure() const {
    const bool known = background_fraction <= 0 || background == Background::Exponential;
    return resonance() && extra_leptons <= 0 && known;
  }
  double etaAxis() const { return 1.25 * eta_max; }
  double binWidth() const { return (mass_high - mass_low) / bins; }
};

// The range of masses of the resonance and the exponential background.
struct Window {
  double low, high;
};
inline Window resonanceWindow(double mass, double width) {
  return {std::max(0.2 * mass, mass - 30 * width), mass + 30 * width};
}
inline Window backgroundWindow(double mass) {
  return {0.4 * mass, 2 * mass};
}

const Binding<Parameters>& binding();
const Description& description();
std::unique_ptr<Simulation> create(compute::DevicePtr device, const ParameterSet& parameters);

}  // namespace simscope::histograms
