#include "app/session/readings/field_marks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace simscope {

namespace {

constexpr std::size_t kCorners = 4;

double distanceToLine(MarkPixel p, MarkPixel a, MarkPixel b) {
  const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
  const double along = square > 0 ? std::clamp(((p.x - a.x) * dx + (p.y - a.y) * dy) / square, 0.0, 1.0) : 0;
  return std::hypot(p.x - a.x - along * dx, p.y - a.y - along * dy);
}

}  // namespace

std::string nameOf(const FieldMark& mark) {
  static constexpr std::array kLetters = {'P', 'C', 'R'};
  std::string name(1, kLetters[static_cast<std::size_t>(mark.kind)]);
  return name += std::to_string(mark.number);
}

const char* titleOf(FieldMark::Kind kind) {
  static constexpr std::array kTitles = {"Probe", "Line cut", "Ruler"};
  return kTitles[static_cast<std::size_t>(kind)];
}

std::optional<std::size_t> addMark(std::vector<FieldMark>& marks, FieldMark mark) {
  if (marks.size() >= kMostMarks) return std::nullopt;
  const auto taken = [&](int number) {
    return std::any_of(marks.begin(), marks.end(),
                       [&](const FieldMark& each) { return each.kind == mark.kind && each.number == number; });
  };
  mark.number = 1;
  while (taken(mark.number)) ++mark.number;
  marks.push_back(std::move(mark));
  return marks.size() - 1;
}

std::optional<MarkHit> markAt(const std::vector<FieldMark>& marks, const std::string& view, MarkPixel mouse,
                              double reach, const std::function<MarkPixel(double x, double y)>& pixel) {
  std::optional<MarkHit> line;
  for (std::size_t i = marks.size(); i-- > 0;) {
    const FieldMark& mark = marks[i];
    if (mark.view != view) continue;
    const MarkPixel from = pixel(mark.x, mark.y);
    const auto near = [&](MarkPixel p) { return std::hypot(mouse.x - p.x, mouse.y - p.y) <= reach; };
    if (mark.kind == FieldMark::Kind::Probe) {
      if (near(from)) return MarkHit{i, MarkPart::Whole};
      continue;
    }
    // The end that was drawn last comes first: a line of no length is pulled out of its beginning.
    const MarkPixel to = pixel(mark.to_x, mark.to_y);
    if (near(to)) return MarkHit{i, MarkPart::To};
    if (near(from)) return MarkHit{i, MarkPart::From};
    if (!line && distanceToLine(mouse, from, to) <= reach) line = MarkHit{i, MarkPart::Whole};
  }
  return line;
}

FieldMark movedMark(FieldMark mark, MarkPart part, double dx, double dy) {
  if (part != MarkPart::To) {
    mark.x += dx;
    mark.y += dy;
  }
  if (part != MarkPart::From && mark.kind != FieldMark::Kind::Probe) {
    mark.to_x += dx;
    mark.to_y += dy;
  }
  return mark;
}

FieldGrid gridOf(const Channel& channel) {
  return {channel.width, channel.height, channel.x_min, channel.x_max, channel.y_min, channel.y_max};
}

std::optional<std::uint32_t> cellAt(const FieldGrid& grid, double x, double y) {
  const double column = std::floor((x - grid.x_min) / (grid.x_max - grid.x_min) * grid.width);
  const double row = std::floor((y - grid.y_min) / (grid.y_max - grid.y_min) * grid.height);
  if (!(column >= 0 && column < grid.width && row >= 0 && row < grid.height)) return std::nullopt;
  return static_cast<std::uint32_t>(row) * static_cast<std::uint32_t>(grid.width) + static_cast<std::uint32_t>(column);
}

LineSamples samplesAlong(const FieldGrid& grid, double x, double y, double to_x, double to_y, int most) {
  LineSamples samples;
  const double columns = (to_x - x) / (grid.x_max - grid.x_min) * grid.width;
  const double rows = (to_y - y) / (grid.y_max - grid.y_min) * grid.height;
  const double crossed = std::ceil(std::max(std::abs(columns), std::abs(rows))) + 1;
  const int count = std::isfinite(crossed) ? static_cast<int>(std::clamp(crossed, 2.0, std::max(2.0, 1.0 * most))) : 2;
  const double length = std::hypot(to_x - x, to_y - y);
  for (int i = 0; i < count; ++i) {
    const double along = static_cast<double>(i) / (count - 1);
    const double px = x + along * (to_x - x), py = y + along * (to_y - y);
    samples.distance.push_back(along * length);
    const bool inside = cellAt(grid, px, py).has_value();
    // In cells, from the middle of the first.
    const double u = (px - grid.x_min) / (grid.x_max - grid.x_min) * grid.width - 0.5;
    const double v = (py - grid.y_min) / (grid.y_max - grid.y_min) * grid.height - 0.5;
    for (std::size_t corner = 0; corner < kCorners; ++corner) {
      const double right = static_cast<double>(corner % 2), above = static_cast<double>(corner / 2);
      const double column = std::clamp(std::floor(u) + right, 0.0, grid.width - 1.0);
      const double row = std::clamp(std::floor(v) + above, 0.0, grid.height - 1.0);
      const double fx = u - std::floor(u), fy = v - std::floor(v);
      const double weight = (right > 0 ? fx : 1 - fx) * (above > 0 ? fy : 1 - fy);
      samples.cells.push_back(inside ? static_cast<std::uint32_t>(row) * static_cast<std::uint32_t>(grid.width) +
                                           static_cast<std::uint32_t>(column)
                                     : 0);
      samples.weights.push_back(inside ? weight : 0);
    }
  }
  return samples;
}

double shownValue(FieldStyle style, const float* components) {
  switch (style) {
    case FieldStyle::Complex:
      return std::hypot(components[0], components[1]);
    case FieldStyle::Colour:
      return 0.2126 * components[0] + 0.7152 * components[1] + 0.0722 * components[2];
    case FieldStyle::Scalar:
      break;
  }
  return components[0];
}

std::vector<double> valuesAlong(const LineSamples& samples, const std::vector<float>& components, int each,
                                FieldStyle style, bool kinds) {
  const std::size_t count = samples.distance.size(), width = static_cast<std::size_t>(std::clamp(each, 1, 3));
  std::vector<double> values(count, std::numeric_limits<double>::quiet_NaN());
  if (components.size() < samples.cells.size() * static_cast<std::size_t>(each)) return values;
  for (std::size_t i = 0; i < count; ++i) {
    const double* weights = &samples.weights[kCorners * i];
    const auto corner = [&](std::size_t k) { return &components[(kCorners * i + k) * static_cast<std::size_t>(each)]; };
    const auto nearest = static_cast<std::size_t>(std::max_element(weights, weights + kCorners) - weights);
    if (!(weights[nearest] > 0)) continue;  // outside
    std::array<double, 3> sum{};
    bool whole = !kinds;
    for (std::size_t k = 0; k < kCorners; ++k) {
      for (std::size_t c = 0; c < width; ++c) {
        if (weights[k] > 0) sum[c] += weights[k] * corner(k)[c];
        whole = whole && (std::isfinite(corner(k)[c]) || !(weights[k] > 0));
      }
    }
    if (!whole) {
      values[i] = shownValue(style, corner(nearest));
      continue;
    }
    switch (style) {
      case FieldStyle::Complex:
        values[i] = std::hypot(sum[0], sum[1]);
        break;
      case FieldStyle::Colour:
        values[i] = 0.2126 * sum[0] + 0.7152 * sum[1] + 0.0722 * sum[2];
        break;
      case FieldStyle::Scalar:
        values[i] = sum[0];
    }
  }
  return values;
}

}  // namespace simscope
