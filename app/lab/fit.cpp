#include "app/lab/fit.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/lab/phrases.h"
#include "app/render/figure/ticks.h"

namespace simscope::lab {

std::vector<double> sizesBetween(double low, double high, int per_decade) {
  std::vector<double> all;
  const double decades = std::log10(high / low);
  const int steps = std::max(1, static_cast<int>(std::lround(decades * per_decade)));
  for (int i = 0; i <= steps; ++i) {
    double each = std::round(low * std::pow(10, decades * i / steps));
    if (each > 16) each = 2 * std::round(each / 2);
    if (all.empty() || each > all.back()) all.push_back(each);
  }
  return all;
}

TransferLaw transferLaw(std::span<const double> bytes, std::span<const double> seconds) {
  // Weights 1/t² make the residuals relative: normal equations of two unknowns.
  double s = 0, sx = 0, sxx = 0, sy = 0, sxy = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const double w = 1 / (seconds[i] * seconds[i]), x = bytes[i], y = seconds[i];
    s += w;
    sx += w * x;
    sxx += w * x * x;
    sy += w * y;
    sxy += w * x * y;
  }
  const double determinant = s * sxx - sx * sx;
  if (!(determinant > 0)) return {bytes.empty() ? 0 : sy / s, std::numeric_limits<double>::infinity()};
  const double slope = (s * sxy - sx * sy) / determinant, latency = (sxx * sy - sx * sxy) / determinant;
  if (latency < 0) return {0, sxx / sxy};  // through the origin
  return {latency, slope > 0 ? 1 / slope : std::numeric_limits<double>::infinity()};
}

std::optional<double> crossing(std::span<const double> x, std::span<const double> a, std::span<const double> b) {
  std::size_t from = x.size();
  while (from > 0 && a[from - 1] < b[from - 1]) --from;
  if (from == x.size()) return std::nullopt;
  if (from == 0) return x[0];
  const double before = std::log(a[from - 1] / b[from - 1]), after = std::log(a[from] / b[from]);
  const double share = before / (before - after);
  return x[from - 1] * std::pow(x[from] / x[from - 1], share);
}

double serialShare(std::span<const double> threads, std::span<const double> faster) {
  // 1/faster − 1/threads = share · (1 − 1/threads)
  double above = 0, below = 0;
  for (std::size_t i = 0; i < threads.size(); ++i) {
    const double divided = 1 / threads[i];
    above += (1 / faster[i] - divided) * (1 - divided);
    below += (1 - divided) * (1 - divided);
  }
  return std::clamp(above / below, 0.0, 1.0);
}

std::string sizeText(double value) {
  if (value < 1e4) return render::countText(std::llround(value));
  return roundText(value);
}

}  // namespace simscope::lab
