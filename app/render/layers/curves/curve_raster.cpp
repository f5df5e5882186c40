#include "app/render/layers/curves/curve_raster.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace simscope::render {
namespace {

// As in shaders/columns.comp and common.glsl.
constexpr int kMostSamples = 8192;
constexpr float kLargestHeight = 1e6f, kLowest = 3.0f;
constexpr float kWideBar = 4;  // pixels: from here on bars stand apart
constexpr float kChord = 0, kTurn = 1, kEdge = 2;

struct Phasor {
  float x = 0, y = 0;
  void add(float weight, const Phasor& other) {
    x += weight * other.x;
    y += weight * other.y;
  }
};

float mixed(float a, float b, float part) {
  return a + part * (b - a);
}

class Reduction {
 public:
  explicit Reduction(const RasterCurve& curve) : curve_(curve) {}

  void column(int column, std::array<float, 4>& span, std::array<float, 4>& kind) const {
    span = {0, 0, 1, 0};
    kind = {0, kChord, 0.5f, 0};
    const RasterCurve& c = curve_;
    if (c.bars) return bars(column, span);
    // Positions relative to base: small numbers, so that floats stay exact when zoomed in.
    const auto first = static_cast<float>(-c.base), last = static_cast<float>(c.count - 1 - c.base);
    const float from = std::max(c.offset + static_cast<float>(column) * c.per_pixel, first);
    const float to = std::min(c.offset + static_cast<float>(column + 1) * c.per_pixel, last);
    if (!(from <= to)) return;
    const int from_cell = static_cast<int>(std::floor(from)), to_cell = static_cast<int>(std::floor(to));
    const float from_part = from - static_cast<float>(from_cell), to_part = to - static_cast<float>(to_cell);
    float a = between(from_cell, from_part), b = between(to_cell, to_part);
    float low = 1, high = -1;
    bool any = false;
    const auto include = [&](float value) {
      low = any ? std::min(low, value) : value;
      high = any ? std::max(high, value) : value;
      any = true;
    };
    if (std::isfinite(a)) include(a);
    if (std::isfinite(b)) include(b);
    Phasor sum;
    if (c.phases) {
      sum.add(std::isfinite(a) ? std::abs(a) : 0.0f, phasorBetween(from_cell, from_part));
      sum.add(std::isfinite(b) ? std::abs(b) : 0.0f, phasorBetween(to_cell, to_part));
    }
    const int begin = static_cast<int>(std::ceil(from)), end = to_cell;
    const int hop = std::max(1, (end - begin) / kMostSamples);
    float before = a, before_at = from;
    float steepest_at = from, steepest_from = a, steepest_to = a;
    const auto compare = [&](float at, float value) {
      if (!(std::abs(value - before) > std::abs(steepest_to - steepest_from))) return;
      steepest_at = 0.5f * (at + before_at);
      steepest_from = before;
      steepest_to = value;
    };
    for (int k = begin; k <= end; k += hop) {
      const float value = valueAt(k);
      if (!std::isfinite(value)) continue;
      compare(static_cast<float>(k), value);
      before = value;
      before_at = static_cast<float>(k);
      include(value);
      if (c.phases) sum.add(std::abs(value), phasorAt(k));
    }
    if (any) {
      if (!std::isfinite(a)) a = std::isfinite(b) ? b : low;
      if (!std::isfinite(b)) b = a;
      compare(to, b);
      const auto height = [&](float value) {
        return std::clamp(c.zero + c.per_value * value, -kLargestHeight, kLargestHeight);
      };
      span = {height(a), height(b), height(high), height(low)};
      if (span[2] < std::min(span[0], span[1]) - 0.01f || span[3] > std::max(span[0], span[1]) + 0.01f) kind[1] = kTurn;
      const float extent = high - low;
      if (c.per_pixel >= 2 && -c.per_value * extent > kLowest &&
          std::abs(steepest_to - steepest_from) > 0.7f * extent) {
        kind[1] = kEdge;
        kind[2] = std::clamp((steepest_at - c.offset) / c.per_pixel - static_cast<float>(column), 0.0f, 1.0f);
      }
    }
    if (c.phases && sum.x * sum.x + sum.y * sum.y > 0) {
      const float turns = std::atan2(sum.y, sum.x) / (2 * std::numbers::pi_v<float>);
      const float entry = std::floor((turns - std::floor(turns)) * c.phase_colours + 0.5f);
      kind[0] = entry >= c.phase_colours ? entry - c.phase_colours : entry;
    }
  }

 private:
  // The tallest and the lowest of the bars in the column; none in the gap before a wide one.
  void bars(int column, std::array<float, 4>& span) const {
    const RasterCurve& c = curve_;
    const auto first = static_cast<float>(-c.base), end = static_cast<float>(c.count - c.base);
    const float from = std::max(c.offset + static_cast<float>(column) * c.per_pixel, first);
    const float to = std::min(c.offset + static_cast<float>(column + 1) * c.per_pixel, end);
    if (!(from < to)) return;
    if (c.per_pixel * kWideBar <= 1 && std::ceil(from) < to) return;
    const int begin = static_cast<int>(std::floor(from)), last = static_cast<int>(std::ceil(to)) - 1;
    const int hop = std::max(1, (last - begin) / kMostSamples);
    float low = 0, high = 0;
    for (int k = begin; k <= last; k += hop) {
      const float value = valueAt(k);
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
    const auto height = [&](float value) {
      return std::clamp(c.zero + c.per_value * value, -kLargestHeight, kLargestHeight);
    };
    span = {height(high), height(high), height(high), height(low)};
  }

  int index(int k) const { return std::clamp(curve_.base + k, 0, curve_.count - 1); }
  float valueAt(int k) const {
    return curve_.values[static_cast<std::size_t>(index(k)) * static_cast<std::size_t>(curve_.stride)];
  }
  Phasor phasorAt(int k) const {
    const float phase =
        curve_.phases[static_cast<std::size_t>(index(k)) * static_cast<std::size_t>(curve_.phase_stride)];
    return {std::cos(phase), std::sin(phase)};
  }
  // A weight of zero must not spread a NaN of the neighbour.
  float between(int k, float part) const { return part > 0 ? mixed(valueAt(k), valueAt(k + 1), part) : valueAt(k); }
  Phasor phasorBetween(int k, float part) const {
    const Phasor here = phasorAt(k), next = phasorAt(k + 1);
    return {mixed(here.x, next.x, part), mixed(here.y, next.y, part)};
  }

  const RasterCurve& curve_;
};

}  // namespace

void rasterColumns(const RasterCurve& curve, int columns, CurveColumns& out) {
  out.resize(2 * static_cast<std::size_t>(columns));
  const Reduction reduction(curve);
  for (int i = 0; i < columns; ++i) {
    const std::size_t at = 2 * static_cast<std::size_t>(i);
    reduction.column(i, out[at], out[at + 1]);
  }
}

}  // namespace simscope::render
