#include "app/gui/stroke.h"

#include <algorithm>
#include <cmath>

namespace simscope::gui {

namespace {

constexpr double kSpacing = 0.5;      // of the radius
constexpr double kMostEvents = 4096;  // for one motion; more would be a radius below a pixel

}  // namespace

Brush Stroke::at(double x, double y, double dx, double dy, const Tip& tip) const {
  return {.tool = tool_, .x = x, .y = y, .dx = dx, .dy = dy, .radius = tip.radius, .strength = tip.strength};
}

std::vector<Brush> Stroke::press(double x, double y, const Tip& tip) {
  if (!field_) y = 0;
  if (!std::isfinite(x) || !std::isfinite(y)) return {};
  begun_ = true;
  x_ = x;
  y_ = y;
  silent_ = !field_;
  if (silent_) return {};
  return {at(x, y, 0, 0, tip)};
}

std::vector<Brush> Stroke::move(double x, double y, const Tip& tip) {
  if (!field_) y = 0;
  const double length = std::hypot(x - x_, y - y_);
  if (!begun_ || !std::isfinite(length) || length == 0) return {};
  silent_ = false;
  const double wanted = tip.radius > 0 ? std::ceil(length / (kSpacing * tip.radius)) : 1;
  const int count = static_cast<int>(std::clamp(wanted, 1.0, kMostEvents));
  const double dx = (x - x_) / count, dy = (y - y_) / count;
  std::vector<Brush> events;
  events.reserve(static_cast<std::size_t>(count));
  for (int i = 1; i < count; ++i) events.push_back(at(x_ + i * dx, y_ + i * dy, dx, dy, tip));
  events.push_back(at(x, y, dx, dy, tip));
  x_ = x;
  y_ = y;
  return events;
}

std::vector<Brush> Stroke::release(const Tip& tip) {
  if (!begun_ || !silent_) return {};
  silent_ = false;
  return {at(x_, y_, 0, 0, tip)};
}

}  // namespace simscope::gui
