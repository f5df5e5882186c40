#include "sims/histograms/spectrum.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::histograms {
namespace {

double normalBelow(double z) {
  return 0.5 * std::erfc(-z * std::numbers::sqrt2 / 2);
}

}  // namespace

double resonanceBelow(double m, double mass, double width) {
  const Window window = resonanceWindow(mass, width);
  const auto angle = [&](double at) { return std::atan((at * at - mass * mass) / (mass * width)); };
  const double low = angle(window.low);
  return (angle(std::clamp(m, window.low, window.high)) - low) / (angle(window.high) - low);
}

Part resonancePart(double from, double to, double mass, double width) {
  const Window window = resonanceWindow(mass, width);
  from = std::clamp(from, window.low, window.high);
  to = std::clamp(to, window.low, window.high);
  if (!(from < to)) return {0, std::log(from), 0};
  // t = (m² - M²)/MΓ has the density 1/(1 + t²).
  const double m2 = mass * mass, scale = mass * width;
  const double t1 = (from * from - m2) / scale, t2 = (to * to - m2) / scale, angle = std::atan(t2) - std::atan(t1);
  const double span =
      std::atan((window.high * window.high - m2) / scale) - std::atan((window.low * window.low - m2) / scale);
  if (!(angle > 0)) return {0, std::log(from), 0};
  const double mean = std::clamp(0.5 * std::log((1 + t2 * t2) / (1 + t1 * t1)) / angle, t1, t2);
  const double longest = 0.25 * (t2 - t1) * (t2 - t1);
  const double variance = std::clamp((t2 - t1) / angle - 1 - mean * mean, 0.0, longest);
  const double square = m2 + scale * mean, of_log = variance * scale * scale / (4 * square * square);
  return {angle / span, 0.5 * std::log(square) - of_log, of_log};
}

double backgroundBelow(double m, double mass, double scale) {
  const Window window = backgroundWindow(mass);
  const double at = std::clamp(m, window.low, window.high);
  return std::expm1(-(at - window.low) / scale) / std::expm1(-(window.high - window.low) / scale);
}

SpectrumModel::SpectrumModel(std::vector<double> edges, Acceptance acceptance)
    : edges_(std::move(edges)), acceptance_(std::move(acceptance)) {
  for (const double edge : edges_) logs_.push_back(std::log(edge));
  const double first = logs_.front(), last = logs_.back();
  const double error = std::sqrt(acceptance_.at(std::exp(0.5 * (first + last))).variance);
  // Cells much finer than the error and the bins' range; beyond the range what may be measured within it.
  constexpr double kLeast = 192, kMost = 1536;
  const double margin = std::min(8 * error, 1.5), range = last - first + 2 * margin;
  const double cells = std::ceil(std::clamp(4 * range / std::max(error, 1e-9), kLeast, kMost));
  cells_low_ = first - margin;
  cell_width_ = range / cells;
  for (std::size_t i = 0; i < static_cast<std::size_t>(cells); ++i) {
    responses_.push_back(acceptance_.at(std::exp(middle(i))));
  }
}

void SpectrumModel::smear(const Part& part, const Response& response, double stretch, std::vector<double>& to) const {
  const double weight = part.share * response.found;
  if (!(weight > 0)) return;
  const double mean = part.mean + stretch * stretch * response.shift;
  const double error = std::sqrt(std::max(stretch * stretch * response.variance + part.variance, 1e-18));
  constexpr double kReach = 8;
  const auto end = logs_.end();
  auto edge = std::upper_bound(logs_.begin(), end, mean - kReach * error);
  // What lies left of the edge is in the bin before it.
  double below = edge == logs_.begin() ? normalBelow((*edge - mean) / error) : 0;
  if (edge == logs_.begin()) ++edge;
  for (; edge != end; ++edge) {
    const double here = normalBelow((*edge - mean) / error);
    to[static_cast<std::size_t>(edge - logs_.begin()) - 1] += weight * (here - below);
    if (*edge > mean + kReach * error) break;
    below = here;
  }
}

std::vector<double> SpectrumModel::resonance(double mass, double width, double stretch) const {
  std::vector<double> to(edges_.size() - 1);
  double from = std::exp(cells_low_);
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const double until = std::exp(middle(i) + 0.5 * cell_width_);
    smear(resonancePart(from, until, mass, width), responses_[i], stretch, to);
    from = until;
  }
  return to;
}

std::vector<double> SpectrumModel::background(double slope, double stretch) const {
  std::vector<double> to(edges_.size() - 1);
  const double low = edges_.front(), range = edges_.back() - low;
  const auto integral = [&](double m) {
    return std::abs(slope * range) < 1e-9 ? (m - low) / range
                                          : std::expm1(-slope * (m - low)) / std::expm1(-slope * range);
  };
  const double variance = cell_width_ * cell_width_ / 12;
  double from = integral(std::exp(cells_low_));
  for (std::size_t i = 0; i < responses_.size(); ++i) {
    const double until = integral(std::exp(middle(i) + 0.5 * cell_width_));
    smear({until - from, middle(i), variance}, responses_[i], stretch, to);
    from = until;
  }
  return to;
}

std::vector<double> equalEdges(double low, double high, int count) {
  std::vector<double> edges;
  for (int i = 0; i <= count; ++i) edges.push_back(low + (high - low) * i / count);
  return edges;
}

std::vector<double> madeShares(const Parameters& p, const std::vector<double>& edges) {
  const double f = p.background_fraction;
  const auto below = [&](double m) {
    const double background =
        p.background == Background::Exponential ? backgroundBelow(m, p.mass, p.background_scale) : 0;
    return (1 - f) * resonanceBelow(m, p.mass, p.width) + f * background;
  };
  std::vector<double> shares;
  for (std::size_t i = 0; i + 1 < edges.size(); ++i) shares.push_back(below(edges[i + 1]) - below(edges[i]));
  return shares;
}

double oppositeShare(const Parameters& p) {
  return 1 - 2 * p.charge_flip * (1 - p.charge_flip);
}

double foundShare(const Parameters& p, const Acceptance& acceptance) {
  const Window around = resonanceWindow(p.mass, p.width), wide = backgroundWindow(p.mass);
  constexpr int kParts = 600;
  double found = 0, before_resonance = 0, before_background = 0;
  const double low = std::log(std::min(around.low, wide.low)), high = std::log(std::max(around.high, wide.high));
  for (int i = 0; i < kParts; ++i) {
    const double until = std::exp(low + (high - low) * (i + 1) / kParts);
    const double response = acceptance.at(std::exp(low + (high - low) * (i + 0.5) / kParts)).found;
    const double resonance = resonanceBelow(until, p.mass, p.width);
    const double background = backgroundBelow(until, p.mass, p.background_scale);
    found += response * ((1 - p.background_fraction) * (resonance - before_resonance) +
                         p.background_fraction * (background - before_background));
    before_resonance = resonance;
    before_background = background;
  }
  return found;
}

std::vector<double> expectedShares(const Parameters& p, const Acceptance& acceptance,
                                   const std::vector<double>& edges) {
  const SpectrumModel model(edges, acceptance);
  std::vector<double> shares = model.resonance(p.mass, p.width, 1);
  const double opposite = oppositeShare(p);
  for (double& each : shares) each *= opposite * (1 - p.background_fraction);
  if (p.background_fraction <= 0) return shares;
  const std::vector<double> background = model.background(1 / p.background_scale, 1);
  // Normalised over the edges; the model ignores a window that ends within them.
  const double scale = p.background_scale, low = backgroundWindow(p.mass).low, high = backgroundWindow(p.mass).high;
  const double range = std::exp(-(edges.front() - low) / scale) - std::exp(-(edges.back() - low) / scale);
  const double norm = p.background_fraction * opposite * range / -std::expm1(-(high - low) / scale);
  for (std::size_t i = 0; i < shares.size(); ++i) shares[i] += norm * background[i];
  return shares;
}

}  // namespace simscope::histograms
