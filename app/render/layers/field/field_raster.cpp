#include "app/render/layers/field/field_raster.h"

#include <oneapi/tbb/blocked_range.h>
#include <oneapi/tbb/parallel_for.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>

namespace simscope::render {
namespace {

// As in shaders/field.comp; every expression below has its order, too.
constexpr float kSliver = 1e-3f;
constexpr int kMostCells = 1024;
constexpr float kLargestCoordinate = 1e6f;
constexpr float kLeastWeight = 1e-30f;
constexpr int kLogScale = 1;
constexpr std::size_t kPixelsAtOnce = 16384;  // of one thread

template <class Body>
void forRows(int width, int height, const Body& body) {
  const std::size_t grain = std::max<std::size_t>(1, kPixelsAtOnce / static_cast<std::size_t>(std::max(width, 1)));
  tbb::parallel_for(tbb::blocked_range<int>(0, height, grain),
                    [&](const tbb::blocked_range<int>& rows) { body(rows.begin(), rows.end()); });
}

std::size_t pixelsOf(const RasterField& field) {
  return static_cast<std::size_t>(field.x.pixels) * static_cast<std::size_t>(field.y.pixels);
}

// Cells and their weights of a pixel; empty where it lies outside the field.
struct Span {
  int first = 0, last = -1, hop = 1;
  float first_weight = 1, last_weight = 1;
  float sum_of_weights = 0;

  float weightOf(int i) const { return i == first ? first_weight : i == last ? last_weight : 1.0f; }
  bool empty() const { return last < first; }
};

Span spanOf(const RasterAxis& axis, int pixel, bool joined) {
  Span s;
  const int i = axis.first + pixel, origin = axis.base, count = axis.cells;
  float from = axis.offset + static_cast<float>(i) * axis.per_pixel;
  float to = axis.offset + static_cast<float>(i + 1) * axis.per_pixel;
  const float middle = 0.5f * (from + to);
  const float low = static_cast<float>(-origin), high = static_cast<float>(count - origin);
  const auto within = [&](int cell) { return std::clamp(cell, 0, count - 1); };
  if (!(middle >= low && middle < high)) return s;
  if (axis.per_pixel < 1.0f + kSliver) {
    if (!joined) {
      s.first = s.last = within(origin + static_cast<int>(std::floor(middle)));
      return s;
    }
    const float left = std::floor(middle - 0.5f);
    s.first = within(origin + static_cast<int>(left));
    s.last = within(origin + static_cast<int>(left) + 1);
    s.last_weight = middle - 0.5f - left;
    s.first_weight = 1.0f - s.last_weight;
    return s;
  }
  from = std::max(from, low);
  to = std::min(to, high);
  const int a = static_cast<int>(std::floor(from + kSliver)), b = static_cast<int>(std::ceil(to - kSliver)) - 1;
  s.first = within(origin + a);
  s.last = within(origin + std::max(a, b));
  if (s.last > s.first) {
    s.first_weight = static_cast<float>(a + 1) - std::max(from, static_cast<float>(a));
    s.last_weight = std::min(to, static_cast<float>(b + 1)) - static_cast<float>(b);
  }
  s.hop = 1 + (s.last - s.first) / kMostCells;
  return s;
}

std::vector<Span> spansOf(const RasterAxis& axis, bool joined) {
  std::vector<Span> spans;
  spans.reserve(static_cast<std::size_t>(axis.pixels));
  for (int i = 0; i < axis.pixels; ++i) {
    Span s = spanOf(axis, i, joined);
    const int ends = s.last - s.first;
    s.sum_of_weights = s.first_weight;
    for (int k = s.hop; k < ends; k += s.hop) s.sum_of_weights += 1.0f;
    if (ends > 0 && s.last_weight > 0) s.sum_of_weights += s.last_weight;
    spans.push_back(s);
  }
  return spans;
}

bool isNumber(float value) {
  return (std::bit_cast<std::uint32_t>(value) & 0x7f800000u) != 0x7f800000u;
}

float root(float x) {
  const float size = std::sqrt(std::abs(x));
  return x > 0 ? size : x < 0 ? -size : 0.0f;
}

template <int kScale>
float placeOf(float mean, const FieldPlace& place) {
  if (!isNumber(mean)) return kRasterMissing;
  if constexpr (kScale == kLogScale) return std::max(mean, 0.0f);  // what has no logarithm lies below them all
  float at = (mean - place.low) * place.inverse;
  if constexpr (kScale == 2) at = root(at);
  if constexpr (kScale == 3) at = 0.5f + 0.5f * root(2.0f * at - 1.0f);
  return std::min(std::max(at, -kLargestCoordinate), kLargestCoordinate);
}

// The means of a row of pixels, over the cells of `along`.
struct RowOfMeans {
  const RasterField& field;
  const std::vector<Span>& across;
  std::vector<float> sum, weights;

  void add(const Span& along) {
    const std::size_t width = across.size();
    sum.assign(width, 0.0f);
    weights.assign(width, 0.0f);
    const auto step = static_cast<std::ptrdiff_t>(field.components);
    for (int y = along.first; y <= along.last; y += along.hop) {
      const float weight = along.weightOf(y);
      if (!(weight > 0)) continue;
      const float* const line = field.values + static_cast<std::ptrdiff_t>(y) * field.x.cells * step;
      for (std::size_t i = 0; i < width; ++i) {
        const Span& s = across[i];
        const float* const cells = line + s.first * step;
        const int ends = s.last - s.first;
        float row = s.first_weight > 0 ? s.first_weight * cells[0] : 0.0f;
        for (int k = s.hop; k < ends; k += s.hop) row += cells[k * step];
        if (ends > 0 && s.last_weight > 0) row += s.last_weight * cells[ends * step];
        sum[i] += weight * row;
        weights[i] += weight * s.sum_of_weights;
      }
    }
  }
};

// Between cells of which some hold no number; see the shader.
float besideMissing(const RasterField& field, const Span& across, const Span& along) {
  float sum = 0, weights = 0;
  for (int i = 0; i < 4; ++i) {
    const bool left = i % 2 == 0, below = i / 2 == 0;
    const float weight =
        (left ? across.first_weight : across.last_weight) * (below ? along.first_weight : along.last_weight);
    const std::ptrdiff_t cell = static_cast<std::ptrdiff_t>(below ? along.first : along.last) * field.x.cells +
                                (left ? across.first : across.last);
    const float value = field.values[cell * field.components];
    const bool own =
        left == (across.first_weight >= across.last_weight) && below == (along.first_weight >= along.last_weight);
    if (isNumber(value)) {
      sum += weight * value;
      weights += weight;
    } else if (own) {
      return value;
    }
  }
  return sum / std::max(weights, kLeastWeight);
}

template <int kScale>
void scalar(const RasterField& field, const FieldPlace& place, std::vector<float>& out) {
  const int width = field.x.pixels, height = field.y.pixels;
  const std::vector<Span> across = spansOf(field.x, field.joined), along = spansOf(field.y, field.joined);
  const bool plain = std::all_of(across.begin(), across.end(), [](const Span& s) { return s.first >= s.last; }) &&
                     std::all_of(along.begin(), along.end(), [](const Span& s) { return s.first >= s.last; }) &&
                     !field.joined;
  const auto one = static_cast<std::size_t>(width);
  const bool between = field.joined && field.x.per_pixel < 1.0f + kSliver && field.y.per_pixel < 1.0f + kSliver;
  forRows(width, height, [&](int begin, int end) {
    RowOfMeans means{field, across, {}, {}};
    for (int y = begin; y < end; ++y) {
      const Span& rows = along[static_cast<std::size_t>(y)];
      float* const to = out.data() + static_cast<std::size_t>(y) * one;
      if (rows.empty()) {
        std::fill(to, to + one, kRasterOutside);
      } else if (plain) {
        // One cell a pixel, and often several rows of pixels a cell.
        if (y > begin && along[static_cast<std::size_t>(y) - 1].first == rows.first && !along[y - 1].empty()) {
          std::copy(to - one, to, to);
          continue;
        }
        const float* const line = field.values + static_cast<std::ptrdiff_t>(rows.first) * field.x.cells *
                                                     static_cast<std::ptrdiff_t>(field.components);
        for (std::size_t i = 0; i < one; ++i) {
          const Span& s = across[i];
          to[i] = s.empty() ? kRasterOutside
                            : placeOf<kScale>(line[s.first * static_cast<std::ptrdiff_t>(field.components)], place);
        }
      } else {
        means.add(rows);
        for (std::size_t i = 0; i < one; ++i) {
          float mean = means.sum[i] / std::max(means.weights[i], kLeastWeight);
          if (between && !across[i].empty() && !isNumber(mean)) mean = besideMissing(field, across[i], rows);
          to[i] = across[i].empty() ? kRasterOutside : placeOf<kScale>(mean, place);
        }
      }
    }
  });
}

// The extremes of a row within reach of each pixel; pixels without a value aside.
void extremesAlong(const float* row, int width, int reach, float* low, float* high) {
  for (int x = 0; x < width; ++x) {
    const bool any = row[x] >= kRasterNoValue;
    low[x] = any ? row[x] : 4e30f;
    high[x] = any ? row[x] : -4e30f;
  }
  for (int by = 1; by <= reach; ++by) {
    for (int x = 0; x < width; ++x) {
      // Beyond the edge the edge is meant, which is within reach anyhow.
      const float left = row[std::max(x - by, 0)], right = row[std::min(x + by, width - 1)];
      if (left >= kRasterNoValue) low[x] = std::min(low[x], left), high[x] = std::max(high[x], left);
      if (right >= kRasterNoValue) low[x] = std::min(low[x], right), high[x] = std::max(high[x], right);
    }
  }
}

float coverageAt(const RasterLines& lines, int width, int height, int x, int y, float low, float high) {
  const std::vector<float>& values = *lines.values;
  const auto index = [&](int column, int row) {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(width) + static_cast<std::size_t>(column);
  };
  const float value = values[index(x, y)];
  const auto awayAt = [&](int column, int row) {
    const float there = values[index(std::clamp(column, 0, width - 1), std::clamp(row, 0, height - 1))];
    return std::abs((there < kRasterNoValue ? value : there) - value);
  };
  const float across = std::max(awayAt(x + 1, y), awayAt(x - 1, y));
  const float along = std::max(awayAt(x, y + 1), awayAt(x, y - 1));
  const float slope = std::sqrt(across * across + along * along);
  if (!(slope > 0)) return 0;
  float most = 0;
  for (const float level : lines.levels) {
    if (low > level || high <= level) continue;
    const float covered = lines.half_width + 0.5f - std::abs(value - level) / slope;
    most = std::max(most, std::min(std::max(covered, 0.0f), 1.0f));
  }
  return most;
}

void coverOneKind(const RasterLines& lines, int width, int height, RasterScratch& along, std::vector<float>& out,
                  bool& any) {
  const std::vector<float>& values = *lines.values;
  const int reach = static_cast<int>(std::ceil(lines.half_width + 0.3f));
  const auto one = static_cast<std::size_t>(width);
  along.low.resize(values.size());
  along.high.resize(values.size());
  forRows(width, height, [&](int begin, int end) {
    for (int y = begin; y < end; ++y) {
      const std::size_t at = static_cast<std::size_t>(y) * one;
      extremesAlong(values.data() + at, width, reach, along.low.data() + at, along.high.data() + at);
    }
  });
  std::vector<std::uint8_t> covered(static_cast<std::size_t>(height));
  forRows(width, height, [&](int begin, int end) {
    std::vector<float> low(one), high(one);
    std::vector<std::uint8_t> below_low(one), below_high(one);
    for (int y = begin; y < end; ++y) {
      std::fill(low.begin(), low.end(), 4e30f);
      std::fill(high.begin(), high.end(), -4e30f);
      for (int row = std::max(y - reach, 0); row <= std::min(y + reach, height - 1); ++row) {
        const float* const lows = along.low.data() + static_cast<std::size_t>(row) * one;
        const float* const highs = along.high.data() + static_cast<std::size_t>(row) * one;
        for (std::size_t x = 0; x < one; ++x) {
          low[x] = std::min(low[x], lows[x]);
          high[x] = std::max(high[x], highs[x]);
        }
      }
      // A line runs near a pixel where there are levels from `low` to below `high`.
      std::fill(below_low.begin(), below_low.end(), std::uint8_t{0});
      std::fill(below_high.begin(), below_high.end(), std::uint8_t{0});
      for (const float level : lines.levels) {
        for (std::size_t x = 0; x < one; ++x) {
          below_low[x] = static_cast<std::uint8_t>(below_low[x] + (level < low[x]));
          below_high[x] = static_cast<std::uint8_t>(below_high[x] + (level < high[x]));
        }
      }
      const float* const row = values.data() + static_cast<std::size_t>(y) * one;
      float* const to = out.data() + static_cast<std::size_t>(y) * one;
      for (std::size_t x = 0; x < one; ++x) {
        if (below_high[x] <= below_low[x] || !(row[x] > kRasterNoValue)) continue;
        const float here = lines.weight * coverageAt(lines, width, height, static_cast<int>(x), y, low[x], high[x]);
        if (here > 0) covered[static_cast<std::size_t>(y)] = 1;
        to[x] = std::max(to[x], here);
      }
    }
  });
  any = any || std::find(covered.begin(), covered.end(), 1) != covered.end();
}

std::uint32_t packed(std::uint32_t rgb) {
  return 0xff000000u | (rgb & 0xff) << 16 | (rgb & 0xff00) | rgb >> 16;
}

// As software OpenGL reads a colour from a table, and as a uniform has it.
float fromTable(std::uint32_t channel) {
  return static_cast<float>(channel) * (1.0f / 255.0f);
}
float fromUniform(std::uint32_t channel) {
  return static_cast<float>(channel) / 255.0f;
}

std::array<float, 3> channelsOf(std::uint32_t rgb, float (*read)(std::uint32_t)) {
  return {read(rgb >> 16 & 0xff), read(rgb >> 8 & 0xff), read(rgb & 0xff)};
}

bool isBright(std::uint32_t rgb) {
  const std::array<float, 3> c = channelsOf(rgb, fromTable);
  const auto light = [](float v) { return std::pow(static_cast<double>(v), 2.2); };
  return light(c[0]) * 0.2126 + light(c[1]) * 0.7152 + light(c[2]) * 0.0722 >= 0.18;
}

}  // namespace

void rasterScalar(const RasterField& field, const FieldPlace& place, std::vector<float>& out) {
  out.resize(pixelsOf(field));
  switch (place.scale) {
    case 0:
      return scalar<0>(field, place, out);
    case kLogScale:
      return scalar<kLogScale>(field, place, out);
    case 2:
      return scalar<2>(field, place, out);
    default:
      return scalar<3>(field, place, out);
  }
}

void rasterMeans(const RasterField& field, FieldStyle style, std::vector<float>& out) {
  const int width = field.x.pixels, height = field.y.pixels;
  out.resize(4 * pixelsOf(field));
  const std::vector<Span> across = spansOf(field.x, field.joined), along = spansOf(field.y, field.joined);
  const bool complex = style == FieldStyle::Complex;
  const auto step = static_cast<std::ptrdiff_t>(field.components);
  forRows(width, height, [&](int begin, int end) {
    for (int row = begin; row < end; ++row) {
      const Span& rows = along[static_cast<std::size_t>(row)];
      for (int column = 0; column < width; ++column) {
        const Span& columns = across[static_cast<std::size_t>(column)];
        float* const to = out.data() + 4 * (static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                            static_cast<std::size_t>(column));
        if (rows.empty() || columns.empty()) {
          std::fill(to, to + 4, kRasterOutside);
          continue;
        }
        std::array<float, 4> sum{};  // the amplitude, or the third colour, comes last
        float weights = 0;
        for (int y = rows.first; y <= rows.last; y += rows.hop) {
          const float row_weight = rows.weightOf(y);
          const float* const line = field.values + static_cast<std::ptrdiff_t>(y) * field.x.cells * step;
          float a = 0, b = 0, c = 0, row_weights = 0;
          for (int x = columns.first; x <= columns.last; x += columns.hop) {
            const float weight = columns.weightOf(x);
            if (weight * row_weight == 0) continue;
            const float* const cell = line + x * step;
            a += weight * cell[0];
            b += weight * cell[1];
            c += weight * (complex ? std::sqrt(cell[0] * cell[0] + cell[1] * cell[1]) : cell[2]);
            row_weights += weight;
          }
          sum[0] += row_weight * a;
          sum[1] += row_weight * b;
          sum[2] += row_weight * c;
          weights += row_weight * row_weights;
        }
        const float all = std::max(weights, kLeastWeight);
        for (int i = 0; i < 3; ++i) sum[i] /= all;
        const bool numbers = isNumber(sum[0]) && isNumber(sum[1]) && (complex || isNumber(sum[2]));
        sum[3] = numbers ? 0.0f : kRasterMissing;
        std::copy(sum.begin(), sum.end(), to);
      }
    }
  });
}

bool rasterCrosses(const RasterField& field, int width, int height, float level) {
  constexpr float kRounding = 1e-3f;
  const std::size_t count = static_cast<std::size_t>(width) * static_cast<std::size_t>(height);
  const auto step = static_cast<std::size_t>(field.components);
  const float above = level + kRounding * (1 + std::abs(level)), below = level - kRounding * (1 + std::abs(level));
  std::size_t high = 0, low = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const float value = field.values[i * step];
    high += value > above;
    low += value < below;
  }
  return high < count && low < count;
}

void rasterCoverage(std::span<const RasterLines> lines, int width, int height, RasterScratch& scratch,
                    std::vector<float>& out) {
  bool any = false;
  for (const RasterLines& each : lines) {
    if (!any) out.assign(each.values->size(), 0.0f);
    coverOneKind(each, width, height, scratch, out, any);
  }
  if (!any) out.clear();
}

void rasterColours(const std::vector<float>& places, std::span<const std::uint32_t> table, const RasterColours& others,
                   const std::vector<float>& coverage, std::vector<std::uint32_t>& out) {
  out.resize(places.size());
  std::vector<std::uint32_t> colours(table.size());
  std::transform(table.begin(), table.end(), colours.begin(), packed);
  const std::uint32_t missing = packed(others.missing), outside = packed(others.outside);
  const auto entries = static_cast<float>(table.size());
  const int last = static_cast<int>(table.size()) - 1;
  const auto entryOf = [&](float place) { return std::clamp(static_cast<int>(std::floor(place * entries)), 0, last); };
  const auto blocks = static_cast<int>((places.size() + kPixelsAtOnce - 1) / kPixelsAtOnce);
  tbb::parallel_for(0, blocks, [&](int block) {
    const std::size_t begin = static_cast<std::size_t>(block) * kPixelsAtOnce;
    const std::size_t end = std::min(places.size(), begin + kPixelsAtOnce);
    for (std::size_t i = begin; i < end; ++i) {
      const float place = places[i];
      out[i] = place >= kRasterNoValue         ? colours[static_cast<std::size_t>(entryOf(place))]
               : place < 2.0f * kRasterMissing ? outside
                                               : missing;
    }
    if (coverage.empty()) return;
    for (std::size_t i = begin; i < end; ++i) {
      const float covered = coverage[i];
      if (!(covered > 0) || places[i] < 2.0f * kRasterMissing) continue;
      const bool value = places[i] >= kRasterNoValue;
      const std::uint32_t under = value ? table[static_cast<std::size_t>(entryOf(places[i]))] : others.missing;
      const std::array<float, 3> from = channelsOf(under, value ? fromTable : fromUniform);
      const std::array<float, 3> to = channelsOf(isBright(under) ? others.on_bright : others.on_dark, fromUniform);
      std::uint32_t mixed = 0xff000000u;
      for (int c = 0; c < 3; ++c) {
        const float mix = from[c] + covered * (to[c] - from[c]);
        mixed |= (std::bit_cast<std::uint32_t>(mix * (255.0f / 256.0f) + 32768.0f) & 0xff) << (8 * c);
      }
      out[i] = mixed;
    }
  });
}

}  // namespace simscope::render
