#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/histograms/histograms.h"

namespace simscope::histograms {

const std::vector<std::uint64_t>& Histograms::counted() {
  if (!counted_) counted_ = counts_.toHost();
  return *counted_;
}

const Histograms::Expected& Histograms::expected() {
  if (expected_) return *expected_;
  Expected made;
  if (p_.resonance()) made.acceptance = Acceptance(p_);
  made.edges = equalEdges(p_.mass_low, p_.mass_high, p_.bins);
  if (p_.resonance()) made.made = madeShares(p_, made.edges);
  constexpr std::uint64_t kPilot = 32768;
  made.pilot_events = data_ ? data_->events : kPilot;
  Counts pilot(device_, place::kPlaces);
  pilot.zero();
  addEvents(pilot, sourceOf(), selectionOf(p_), 0, made.pilot_events);
  made.pilot = pilot.toHost();
  expected_ = std::move(made);
  return *expected_;
}

double Histograms::pilotHigh(int from, int count) {
  const Expected& e = expected();
  const auto begin = e.pilot.begin() + from;
  const auto most = static_cast<double>(*std::max_element(begin, begin + count));
  return std::max(most, 1.0) / static_cast<double>(e.pilot_events);
}

double Histograms::pilotPeak(int from) {
  const Expected& e = expected();
  constexpr int kCells = place::kCells;
  double most = 1;
  for (int y = 0; y + 3 <= kCells; ++y) {
    for (int x = 0; x + 3 <= kCells; ++x) {
      double sum = 0;
      for (int k = 0; k < 9; ++k) {
        sum += static_cast<double>(e.pilot[static_cast<std::size_t>(from + (y + k / 3) * kCells + x + k % 3)]);
      }
      most = std::max(most, sum / 9);
    }
  }
  return most / static_cast<double>(e.pilot_events);
}

Parameters Histograms::fitParameters() const {
  Parameters p = p_;
  constexpr double kLeast = 1e-3;  // what a fitted resolution is a multiple of
  if (p.fit != FitOf::Width) p.pt_resolution = std::max(p.pt_resolution, kLeast);
  return p;
}
Acceptance Histograms::fitResponse() {
  const Parameters p = fitParameters();
  if (!p_.resonance()) return Acceptance(p.pt_resolution / std::numbers::sqrt2);
  return p.pt_resolution == p_.pt_resolution ? expected().acceptance : Acceptance(p);
}
FitStart Histograms::fitStart() const {
  return {p_.mass, p_.width, p_.fit, p_.fit_background};
}

const FitResult& Histograms::fitted() {
  if (fitted_) return *fitted_;
  fitted_ = FitResult{};
  if (p_.process == Process::Higgs) return *fitted_;
  const std::vector<std::uint64_t>& all = counted();
  const std::vector<double> counts(all.begin() + place::kMass, all.begin() + place::kMass + p_.bins);
  fitted_ = fitSpectrum(counts, expected().edges, SpectrumModel(expected().edges, fitResponse()), fitStart());
  return *fitted_;
}

}  // namespace simscope::histograms
