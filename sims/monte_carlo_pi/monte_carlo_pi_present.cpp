// What the views are drawn from.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "sims/monte_carlo_pi/monte_carlo_pi.h"

namespace simscope::monte_carlo_pi {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr int kArcPoints = 129;

Channel& curve(Frame& frame, const char* key, int first, int end, double low, double high) {
  Channel& made = frame.channel(key, end - first);
  made.x_min = decadesOf(first), made.x_max = decadesOf(end);
  made.low = low, made.high = high;
  return made;
}
template <class Value>
void uploadCurve(Frame& frame, const char* key, int first, int end, double low, double high, const Value& value) {
  if (!frame.wants(key)) return;
  std::vector<float> values;
  for (int record = first; record < end; ++record) values.push_back(static_cast<float>(value(record)));
  curve(frame, key, first, end, low, high).data.upload(values);
}

}  // namespace

void MonteCarloPi::present(Frame& frame) {
  presentDarts(frame);
  presentEstimate(frame);
  presentConvergence(frame);
  presentChains(frame);
}

// Both are constant while nothing is thrown: a picture then has one invisible dart.
void MonteCarloPi::presentDarts(Frame& frame) {
  const auto count = static_cast<int>(std::clamp<std::uint64_t>(darts_, 1, kMostShown));
  const float size = static_cast<float>(std::clamp(30 / std::cbrt(count), 0.9, 2.0));
  const Shown shown{p_.method, seed_, darts_ == 0 ? 0 : darts_ - static_cast<std::uint64_t>(count),
                    darts_ == 0 ? 0 : size};
  if (frame.wants("darts")) {
    Channel& made = frame.channel("darts", count, 1, 4);
    made.of = static_cast<std::int64_t>(darts_);
    placeDarts(shown, made.data);
  }
  if (frame.wants("hit")) {
    Channel& made = frame.channel("hit", count);
    made.kinds = 2, made.kind_names = {"miss", "hit"};
    judgeDarts(shown, made.data);
  }
  if (!frame.wants("arc")) return;
  std::vector<float> arc;
  for (std::size_t i = 0; i < kArcPoints; ++i) {
    const double angle = kPi / 2 * static_cast<double>(i) / (kArcPoints - 1);
    arc.push_back(static_cast<float>(std::cos(angle)));
    arc.push_back(static_cast<float>(std::sin(angle)));
  }
  frame.channel("arc", kArcPoints, 1, 2).data.upload(arc);
}

MonteCarloPi::Span MonteCarloPi::allRecords() const {
  return {0, std::max(recordsUpTo(darts_), 2)};
}
MonteCarloPi::Span MonteCarloPi::lastRecords() const {
  const int end = allRecords().end;
  return {std::max(0, end - 2 * kPerDecade - 1), end};
}

void MonteCarloPi::readCurve(Frame& frame, const char* key, Span span, double low, double high, Quantity quantity) {
  if (!frame.wants(key)) return;
  Channel& made = curve(frame, key, span.first, span.end, low, high);
  // Off the axis.
  const bool any = recordsUpTo(darts_) >= 2;
  const float before = static_cast<float>(2 * low - high);
  readRecords({sums_.data(), expected_.data(), chains(), span.first, any, before}, quantity, made.data);
}

void MonteCarloPi::presentEstimate(Frame& frame) {
  const Span span = lastRecords();
  const auto own = [&](int record) { return spreadAtRecord(p_.method, record) / std::sqrt(p_.chains); };
  const double reach = std::max(3.5, 1.2 * p_.band) * own(span.first), low = kPi - reach, high = kPi + reach;
  readCurve(frame, "estimate", span, low, high, Quantity::Estimate);
  uploadCurve(frame, "pi", span.first, span.end, low, high, [](int) { return kPi; });
  uploadCurve(frame, "above", span.first, span.end, low, high, [&](int record) { return kPi + p_.band * own(record); });
  uploadCurve(frame, "below", span.first, span.end, low, high, [&](int record) { return kPi - p_.band * own(record); });
}

void MonteCarloPi::presentConvergence(Frame& frame) {
  const Span span = allRecords();
  const double least = std::log10(spreadAtRecord(p_.method, span.end - 1)) - 1, high = 0.5;
  const double low = std::min(std::floor(2 * least) / 2, -1.0);
  readCurve(frame, "error", span, low, high, Quantity::FirstError);
  readCurve(frame, "rms", span, low, high, Quantity::Rms);
  const auto law = [](Method method) {
    return [method](int record) { return std::log10(spreadAtRecord(method, record)); };
  };
  uploadCurve(frame, "law", span.first, span.end, low, high, law(p_.method));
  if (frame.wants("law")) frame.channel("law", span.count()).form = spreadIsExact(p_.method) ? 0 : 1;
  uploadCurve(frame, "independent", span.first, span.end, low, high, law(Method::Independent));
}

void MonteCarloPi::presentChains(Frame& frame) {
  if (!frame.wants("chains") && !frame.wants("expected")) return;
  const bool any = darts_ > 0;
  const Bins bins = any ? this->bins() : Bins{0, 1, 33};
  const std::vector<double> expected = any ? expectedIn(bins) : std::vector<double>(33, 0.0);
  const double wide = any ? spread() * static_cast<double>(darts_) / 4 : 4;
  const auto channel = [&](const char* key, int each) -> Channel& {
    Channel& made = frame.channel(key, each * bins.count);
    const Expected middle = expectedHits(darts_);
    // Bin i is of hits first + i·width and so on, each of them a unit wide.
    made.x_min = (static_cast<double>(bins.first - middle.whole) - 0.5 - middle.rest) / wide;
    made.x_max = made.x_min + static_cast<double>(bins.count * bins.width) / wide;
    made.high = 1.35 * std::max(1.0, *std::max_element(expected.begin(), expected.end()));
    return made;
  };
  if (frame.wants("chains")) {
    Channel& made = channel("chains", 1);
    if (any) {
      countChains(hits_, bins, counts_);
      copyCounts(counts_, made.data);
    } else {
      made.data.zero();
    }
  }
  if (!frame.wants("expected")) return;
  // Bars fill the way to the next element: the curve has one for each end of a bar, and one for its middle.
  std::vector<float> line;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    line.push_back(static_cast<float>((expected[i > 0 ? i - 1 : 0] + expected[i]) / 2));
    line.push_back(static_cast<float>(expected[i]));
  }
  Channel& made = channel("expected", 2);
  made.data.upload(line);
  made.form = any && distribution().binomial() ? 0 : 1;
}

}  // namespace simscope::monte_carlo_pi
