#include "app/render/layers/points/point_cube.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/layers/points/point_plan.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;
using Place = std::array<double, 3>;

constexpr double kNear = 0.02;         // distances of the target; what is nearer to the eye is not drawn
constexpr double kFromAbove = 0.9995;  // cosine of the angle to the z axis within which the cube is a square
constexpr double kBarFromZoom = 1.7;

struct Vector {
  double x = 0, y = 0;
  Vector operator+(Vector o) const { return {x + o.x, y + o.y}; }
  Vector operator-(Vector o) const { return {x - o.x, y - o.y}; }
  Vector operator*(double f) const { return {x * f, y * f}; }
};
double length(Vector v) {
  return std::hypot(v.x, v.y);
}

// 1, 2, or 5 times a power of ten, not above `most`.
double roundLength(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double m : {5.0, 2.0}) {
    if (m * power <= most) return m * power;
  }
  return power;
}

// A round length in the lower left corner.
struct ScaleBar {
  std::string words;
  double width = 0;  // of the bar [pixels]
  Room room;         // of all of it
};

std::optional<ScaleBar> scaleBar(const Canvas& canvas, const PanelPlan& panel) {
  const Projection& projection = *panel.projection;
  if (panel.texts < Texts::Labels || !(projection.camera().zoom >= kBarFromZoom)) return std::nullopt;
  const double s = panel.scale, per_unit = projection.focalPixels() / projection.distance();
  const double bar = roundLength(std::min(130 * s, panel.area.width / 3) / per_unit);
  const std::string& unit = panel.viewAs<PointView>().space.unit;
  const std::string words = numberText(bar, 1) + (unit.empty() ? "" : " " + unit);
  const double width = std::round(bar * per_unit), left = std::round(panel.area.left + 12 * s), pad = 5 * s;
  const double bottom = std::round(panel.area.top + panel.area.height - 12 * s);
  const double top = bottom - std::round(5 * s) - 2 * s - canvas.lineHeight(Font::Small);
  const double right = left + std::max(width, canvas.textWidth(Font::Small, words));
  return ScaleBar{words, width, {left - pad, top - pad / 2, right + pad, bottom + pad}};
}

class Cube {
 public:
  Cube(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours)
      : canvas_(canvas),
        panel_(panel),
        colours_(colours),
        projection_(*panel.projection),
        half_(panel.contentAs<PlannedPoints>().half_edge) {
    if (const auto bar = scaleBar(canvas, panel)) taken_ = bar->room;
    const auto& camera = projection_.camera();
    const Place& towards_eye = projection_.axes()[2];
    const Place target = {camera.x, camera.y, camera.z};
    for (std::size_t k = 0; k < 3; ++k) {
      back_[k] = target[k] + towards_eye[k] * projection_.distance() >= 0 ? -half_ : half_;
    }
    flat_ = std::abs(towards_eye[2]) > kFromAbove;
    if (flat_) back_[2] = 0;
  }

  void draw() {
    for (std::size_t axis = 0; axis < (flat_ ? 2u : 3u); ++axis) {
      for (const Edge& edge : edges(axis)) line(edge);
      if (panel_.texts >= Texts::Labels) label(axis);
    }
  }

 private:
  struct Edge {
    Place from, to;
  };

  Place place(std::size_t axis, double along, double b, double c) const {
    Place p{};
    p[axis] = along;
    p[(axis + 1) % 3] = b;
    p[(axis + 2) % 3] = c;
    return p;
  }
  Edge edge(std::size_t axis, double b, double c) const {
    return {place(axis, -half_, b, c), place(axis, half_, b, c)};
  }

  // Those of the faces behind everything.
  std::vector<Edge> edges(std::size_t axis) const {
    const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
    if (flat_) {
      const bool b_is_z = b == 2;
      return {edge(axis, b_is_z ? 0 : -half_, b_is_z ? -half_ : 0), edge(axis, b_is_z ? 0 : half_, b_is_z ? half_ : 0)};
    }
    return {edge(axis, back_[b], back_[c]), edge(axis, -back_[b], back_[c]), edge(axis, back_[b], -back_[c])};
  }

  // The edge that bears the ticks, on the outline: of the flat square the lower or left one, else beside the front, and
  // of the two upright ones there the left one.
  Edge bearing(std::size_t axis) const {
    const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
    if (axis != 2 && !flat_) return axis == 0 ? edge(axis, -back_[b], back_[c]) : edge(axis, back_[b], -back_[c]);
    const std::vector<Edge> two =
        flat_ ? edges(axis) : std::vector<Edge>{edge(axis, -back_[b], back_[c]), edge(axis, back_[b], -back_[c])};
    const auto rank = [&](const Edge& e) {
      const Vector m = pixel(middle(e));
      return axis == 2 ? -m.x : m.y - 0.2 * m.x;
    };
    return rank(two[0]) >= rank(two[1]) ? two[0] : two[1];
  }

  static Place middle(const Edge& e) {
    return {(e.from[0] + e.to[0]) / 2, (e.from[1] + e.to[1]) / 2, (e.from[2] + e.to[2]) / 2};
  }
  Vector pixel(const Place& p) const {
    const auto at = projection_.project(p[0], p[1], p[2]);
    return {at.x, at.y};
  }
  double depth(const Place& p) const { return projection_.project(p[0], p[1], p[2]).depth; }

  // The part before the eye.
  std::optional<Edge> seen(Edge e) const {
    const double near = kNear * projection_.distance(), from = depth(e.from), to = depth(e.to);
    if (from < near && to < near) return std::nullopt;
    const auto cut = [&](Place& behind, const Place& before, double share) {
      for (std::size_t k = 0; k < 3; ++k) behind[k] += (before[k] - behind[k]) * share;
    };
    if (from < near) cut(e.from, e.to, (near - from) / (to - from));
    if (to < near) cut(e.to, e.from, (near - to) / (from - to));
    return e;
  }

  // The part of a line within the plot and a little around it (Liang and Barsky).
  std::optional<std::array<Vector, 2>> clipped(Vector from, Vector to) const {
    const PlotArea& a = panel_.area;
    const double margin = 4 * panel_.scale;
    const Vector along = to - from;
    double first = 0, last = 1;
    const auto cut = [&](double step, double room) {
      if (step == 0) return room >= 0;
      const double at = room / step;
      (step < 0 ? first : last) = step < 0 ? std::max(first, at) : std::min(last, at);
      return first < last;
    };
    const bool visible = cut(-along.x, from.x - (a.left - margin)) &&
                         cut(along.x, a.left + a.width + margin - from.x) && cut(-along.y, from.y - (a.top - margin)) &&
                         cut(along.y, a.top + a.height + margin - from.y);
    if (!visible) return std::nullopt;
    return std::array{from + along * first, from + along * last};
  }

  void line(const Edge& whole) const {
    const auto e = seen(whole);
    if (!e) return;
    if (const auto l = clipped(pixel(e->from), pixel(e->to))) {
      canvas_.line(Layer::Under, (*l)[0].x, (*l)[0].y, (*l)[1].x, (*l)[1].y, hairWidth(panel_.scale), colours_.cube);
    }
  }

  // How far from its middle a text reaches in a direction.
  double reach(Vector direction, double width, double height) const {
    return std::abs(direction.x) * width / 2 + std::abs(direction.y) * height / 2;
  }
  // Nothing where it would be cut, or lie under the scale bar or on another; up to `nudge` pixels it may be moved into
  // the plot.
  void text(Vector middle, const std::string& words, Colour colour, double nudge = 0) {
    const PlotArea& a = panel_.area;
    const double w = canvas_.textWidth(Font::Small, words), h = canvas_.lineHeight(Font::Small),
                 margin = 2 * panel_.scale;
    const Vector corner = {middle.x - w / 2, middle.y - h / 2};
    const Vector within = {
        std::clamp(corner.x, a.left + margin, std::max(a.left + margin, a.left + a.width - margin - w)),
        std::clamp(corner.y, a.top + margin, std::max(a.top + margin, a.top + a.height - margin - h))};
    if (length(within - corner) > nudge) return;
    const bool apart =
        within.x + w < taken_.left || within.x > taken_.right || within.y + h < taken_.top || within.y > taken_.bottom;
    const Room room{within.x, within.y, within.x + w, within.y + h};
    const auto lieOn = [&](const Room& other) {
      return room.left < other.right && other.left < room.right && room.top < other.bottom && other.top < room.bottom;
    };
    if (!apart || std::any_of(written_.begin(), written_.end(), lieOn)) return;
    written_.push_back(room);
    canvas_.text(Layer::Under, Font::Small, within.x, within.y, colour, words);
  }

  void label(std::size_t axis) {
    const double s = panel_.scale;
    const Edge e = bearing(axis);
    const double near = kNear * projection_.distance();
    if (depth(e.from) < near || depth(e.to) < near) return;
    const Vector from = pixel(e.from), to = pixel(e.to), along = to - from;
    if (length(along) < 70 * s) return;
    // Across the edge, away from the cube.
    Vector out = Vector{-along.y, along.x} * (1 / length(along));
    const Vector away = (from + to) * 0.5 - pixel({0, 0, 0});
    if (out.x * away.x + out.y * away.y < 0) out = out * -1;

    const AxisTicks ticks = axisTicks(-half_, half_, std::clamp(static_cast<int>(length(along) / (46 * s)), 2, 9));
    const double mark = 4 * s, gap = 4 * s, line_height = canvas_.lineHeight(Font::Small);
    for (std::size_t i = 0; i < ticks.major.size(); ++i) {
      const double value = ticks.major[i];
      if (std::abs(value) > 0.96 * half_) continue;  // corners belong to two axes
      Place p = e.from;
      p[axis] = value;
      const Vector at = pixel(p), end = at + out * mark;
      if (const auto l = clipped(at, end)) {
        canvas_.line(Layer::Under, (*l)[0].x, (*l)[0].y, (*l)[1].x, (*l)[1].y, hairWidth(s), colours_.cube);
      }
      const double width = canvas_.textWidth(Font::Small, ticks.labels[i]);
      text(end + out * (gap + reach(out, width, line_height)), ticks.labels[i], colours_.cube_label);
    }
    if (panel_.texts < Texts::All) return;
    const std::string title = axisTitle({std::string(1, "xyz"[axis]), panel_.viewAs<PointView>().space.unit}, ticks);
    const double labels = 2 * reach(out, widest(canvas_, ticks), line_height);
    const double own = reach(out, canvas_.textWidth(Font::Small, title), line_height);
    text((from + to) * 0.5 + out * (mark + 2 * gap + labels + own), title, colours_.cube_title, 10 * s);
  }

  Canvas& canvas_;
  const PanelPlan& panel_;
  const ThemeColours& colours_;
  const Projection& projection_;
  double half_;
  Place back_{};  // the faces behind everything
  bool flat_ = false;
  std::vector<Room> written_;
  Room taken_{-1, -1, -1, -1};  // by the scale bar; outside every picture where there is none
};

}  // namespace

void drawCube(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  Cube(canvas, panel, colours).draw();
}

void drawScaleBar(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const auto bar = scaleBar(canvas, panel);
  if (!bar) return;
  const double s = panel.scale, pad = 5 * s, hair = hairWidth(s, 1.5), mark = std::round(5 * s);
  const auto& [box_left, box_top, box_right, box_bottom] = bar->room;
  const double left = box_left + pad, top = box_top + pad / 2, bottom = box_bottom - pad, right = left + bar->width;
  canvas.rectangle(Layer::Over, box_left, box_top, box_right, box_bottom, colours.space, 0.6);
  canvas.rectangle(Layer::Over, left, bottom - hair, right, bottom, colours.cube_title);
  canvas.rectangle(Layer::Over, left, bottom - mark, left + hair, bottom, colours.cube_title);
  canvas.rectangle(Layer::Over, right - hair, bottom - mark, right, bottom, colours.cube_title);
  const double text_width = canvas.textWidth(Font::Small, bar->words);
  canvas.text(Layer::Over, Font::Small, left + std::max(0.0, (bar->width - text_width) / 2), top, colours.cube_title,
              bar->words);
}

void drawShare(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const Channel& points = *panel.contentAs<PlannedPoints>().channel;
  if (points.of <= points.width || panel.texts < Texts::Caption) return;
  const std::string text = fmt::format("{} of {} drawn", countText(points.width), countText(points.of));
  const double pad = 8 * panel.scale;
  const PlotArea& a = panel.area;
  const double width = canvas.textWidth(Canvas::Font::Small, text);
  canvas.text(Canvas::Layer::Over, Canvas::Font::Small, a.left + a.width - pad - width,
              a.top + a.height - pad - canvas.lineHeight(Canvas::Font::Small), colours.cube_label, text);
}

void drawReticle(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double x, double y) {
  const double s = panel.scale, inner = 9 * s, outer = 17 * s, hair = hairWidth(s);
  // The background below, so that it stands out from dense points.
  for (const auto& [margin, colour] : {std::pair{hair, colours.space}, {0.0, colours.reticle}}) {
    const double width = hair + 2 * margin;
    for (const double from : {-outer - margin, inner - margin}) {
      const double to = from + outer - inner + 2 * margin;
      horizontalLine(canvas, Layer::Over, x + from, x + to, y, width, colour);
      verticalLine(canvas, Layer::Over, x, y + from, y + to, width, colour);
    }
  }
}

}  // namespace simscope::render
