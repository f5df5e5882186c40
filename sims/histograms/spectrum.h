// The expected spectrum of masses: closed forms of the produced one, and by numerical integration, without random
// numbers, the one after the detector and the cuts. Host, double precision; plain functions, any thread.
#pragma once

#include <cstddef>
#include <vector>

#include "sims/histograms/parameters.h"

namespace simscope::histograms {

// Breit and Wigner's resonance dN/dm² ∝ 1/((m² - M²)² + M²Γ²) within its window, as shares of it: below m; and between
// two masses, with mean and variance of ln m there.
struct Part {
  double share, mean, variance;
};
double resonanceBelow(double m, double mass, double width);
Part resonancePart(double from, double to, double mass, double width);
// The same of exp(-m/scale) within its window.
double backgroundBelow(double m, double mass, double scale);

// The detector's response to pairs of mass m: the share that is found (0 … 1), and among those the mean and the spread
// of the error of ln m.
struct Response {
  double found, shift, variance;
  double angles = 0;  // the part of the variance that comes from the angles' errors
};

// The response at any mass between the ends of the windows: pt and η of both leptons within the cuts, integrated over
// the boson's momentum and the decay's direction (32768 of Hammersley's points at each of 24 masses: to 3·10⁻⁴),
// exactly over its rapidity and the errors of both momenta. The variance includes the effect of the angles' errors.
class Acceptance {
 public:
  Acceptance() = default;  // all pairs are found, without error
  explicit Acceptance(const Parameters& parameters);
  // All pairs are found, and ln m has this error.
  explicit Acceptance(double error);
  Response at(double mass) const;

 private:
  double low_ = 0, high_ = 1;  // of ln m
  std::vector<Response> nodes_;
};

// The expected counts of a histogram over ascending edges: shares of all produced resonances, and of a background
// exp(-slope m) that is normalised over the edges' range. The resolution counts as `stretch` times that of the
// response.
class SpectrumModel {
 public:
  SpectrumModel(std::vector<double> edges, Acceptance acceptance);
  std::vector<double> resonance(double mass, double width, double stretch) const;
  std::vector<double> background(double slope, double stretch) const;

 private:
  // Adds to each bin the share of a part that is measured within it.
  void smear(const Part& part, const Response& response, double stretch, std::vector<double>& to) const;
  double middle(std::size_t cell) const { return cells_low_ + (static_cast<double>(cell) + 0.5) * cell_width_; }

  std::vector<double> edges_, logs_;
  Acceptance acceptance_;
  double cells_low_ = 0, cell_width_ = 1;
  std::vector<Response> responses_;  // of each cell of ln m
};

std::vector<double> equalEdges(double low, double high, int count);

// Of the events of a resonance and its background: the share produced between edges (of uncorrelated leptons none).
std::vector<double> madeShares(const Parameters& parameters, const std::vector<double>& edges);
// Of a pure run: the share of events with a pair, that of opposite charges among those, and shares of all events whose
// pair of opposite charges is measured between edges.
double foundShare(const Parameters& parameters, const Acceptance& acceptance);
double oppositeShare(const Parameters& parameters);
std::vector<double> expectedShares(const Parameters& parameters, const Acceptance& acceptance,
                                   const std::vector<double>& edges);

}  // namespace simscope::histograms
