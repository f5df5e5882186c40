#include "app/session/mouse_stroke.h"

#include <algorithm>
#include <cmath>

namespace simscope {

namespace {

constexpr double kSpacing = 0.5;      // of the radius
constexpr double kMostEvents = 4096;  // for one motion; more would be a radius below a pixel

}  // namespace

Spot MouseStroke::grounded(const Spot& spot) const {
  if (domain_ == Domain::Space) return spot;
  return {spot.x, domain_ == Domain::Plane ? spot.y : 0, 0};
}

Brush MouseStroke::event(const Spot& at, const Spot& from, const Tip& tip) {
  const bool place = gesture_ == Gesture::Place;
  return {.tool = tool_,
          .x = at.x,
          .y = at.y,
          .dx = at.x - from.x,
          .dy = at.y - from.y,
          .radius = gesture_ == Gesture::Paint ? tip.radius : 0,
          .strength = place ? 1 : tip.strength,
          .z = at.z,
          .dz = at.z - from.z,
          .begins = !std::exchange(sent_, true)};
}

std::vector<Brush> MouseStroke::press(Spot at, const Tip& tip) {
  at = grounded(at);
  if (!isFinite(at)) return {};
  begun_ = true;
  start_ = last_ = at;
  if (shape_ != DrawnShape::Freehand) {
    silent_ = shape_ != DrawnShape::Fill;
    return silent_ ? std::vector<Brush>{} : eventsOf(shape_, tool_, at, at, tip.radius, tip.strength);
  }
  silent_ = gesture_ == Gesture::Launch || (gesture_ == Gesture::Paint && domain_ == Domain::Line);
  if (silent_) return {};
  return {event(at, at, tip)};
}

std::vector<Brush> MouseStroke::move(Spot to, const Tip& tip, bool straight) {
  to = grounded(to);
  if (shape_ != DrawnShape::Freehand) {
    if (begun_ && isFinite(to)) last_ = straight ? straightened(shape_, start_, to) : to;
    return {};
  }
  if (!begun_ || !isFinite(to) || to == last_) return {};
  if (gesture_ == Gesture::Paint) return paint(to, tip);
  const Spot from = last_;
  last_ = to;
  if (gesture_ == Gesture::Launch) return {};
  return {event(to, from, tip)};
}

std::vector<Brush> MouseStroke::paint(const Spot& to, const Tip& tip) {
  silent_ = false;
  const double wanted = tip.radius > 0 ? std::ceil(distance(to, last_) / (kSpacing * tip.radius)) : 1;
  const int count = static_cast<int>(std::clamp(wanted, 1.0, kMostEvents));
  const Spot first = last_;
  std::vector<Brush> events;
  events.reserve(static_cast<std::size_t>(count));
  for (int i = 1; i <= count; ++i) {
    const double share = static_cast<double>(i) / count;
    const Spot at = i == count ? to
                               : Spot{first.x + share * (to.x - first.x), first.y + share * (to.y - first.y),
                                      first.z + share * (to.z - first.z)};
    events.push_back(event(at, last_, tip));
    last_ = at;
  }
  return events;
}

std::vector<Brush> MouseStroke::release(const Tip& tip) {
  if (!begun_ || !silent_) return {};
  silent_ = false;
  if (shape_ != DrawnShape::Freehand) return eventsOf(shape_, tool_, start_, last_, tip.radius, tip.strength);
  if (gesture_ == Gesture::Paint) return {event(last_, last_, tip)};
  sent_ = true;
  return {aimed(tip)};
}

Brush MouseStroke::aimed(const Tip& tip) const {
  return {.tool = tool_,
          .x = start_.x,
          .y = start_.y,
          .dx = last_.x - start_.x,
          .dy = last_.y - start_.y,
          .strength = tip.strength,
          .z = start_.z,
          .dz = last_.z - start_.z,
          .begins = true};
}

}  // namespace simscope
