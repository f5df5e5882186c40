// Common parts of the plans of all kinds of view. Plain functions; any thread.
#pragma once

#include <optional>
#include <string>

#include "app/render/figure/plan.h"

namespace simscope::render {

// Distances at a scale, in pixels.
struct Spacing {
  explicit Spacing(double scale) : pad(14 * scale), tick(5 * scale), gap(4 * scale) {}
  double pad;   // from the figure's edge
  double tick;  // length of a mark
  double gap;   // between related parts
};

// The pitch of label lines, as a fraction of a line's height: digits have no descenders.
constexpr double kLabelPitch = 0.8;

// An axis needs some extent, even if all its values are equal.
Limits withExtent(std::optional<Limits> limits);
// The ticks of an axis, linear or in decades.
AxisTicks ticksOn(const AxisInfo& axis, const Limits& limits, int most);
// The value at a position of such an axis, with four digits.
std::string readingOn(const AxisInfo& axis, double place);
// "x  [10³ length]"
std::string axisTitle(const Label& label, const AxisTicks& ticks);
// As much of such a title as fits `width`. The words are cut, the unit stays: "Tempera…  [K]".
std::string fittedTitle(const Canvas& canvas, const std::string& title, double width);
// The width of the widest label [pixels].
double widest(const Canvas& canvas, const AxisTicks& ticks);
// The width of the labels beside an axis, in coarse steps, so that the plot does not jump while zooming.
double labelRoom(const Canvas& canvas, const AxisTicks& ticks, double scale);

// The largest number of ticks for an axis of this length in pixels, with `each` pixels per tick.
int tickCount(const PanelPlan& panel, double pixels, double each, int most = 12);
// Likewise for the x axis, whose labels are side by side.
AxisTicks ticksBelow(const PanelPlan& panel, double each, const Canvas& canvas);

// Removes labels that would overlap the one below: for an axis or a key `pixels` high, whose values have the positions
// 0 to 1 given by `place`. The ticks stay.
template <class Place>
void leaveRoom(AxisTicks& ticks, double pixels, const Canvas& canvas, const Place& place) {
  const double apart = kLabelPitch * canvas.lineHeight(Canvas::Font::Small);
  std::optional<double> last;
  for (std::size_t i = 0; i < ticks.major.size(); ++i) {
    const double at = place(ticks.major[i]) * pixels;
    if (last && at - *last < apart) {
      ticks.labels[i].clear();
    } else {
      last = at;
    }
  }
}
void leaveRoom(AxisTicks& ticks, const Limits& limits, double pixels, const Canvas& canvas);

// The texts for which a panel of this size has space. Smaller panels have fewer texts, so that they do not overlap.
Texts textsFor(const Room& room, double scale);
// The heights of the texts above the plot (a caption, a legend) and below it (labels, a title) [pixels].
double headRoom(const PanelPlan& panel, const Canvas& canvas);
double footRoom(const PanelPlan& panel, const Canvas& canvas);
// After the plot's layout: as much of the caption as fits, and the position after it.
std::string shownCaption(const PanelPlan& panel, const Canvas& canvas);
double captionLeft(const PanelPlan& panel, const Canvas& canvas);
double captionTop(const PanelPlan& panel, const Canvas& canvas);
double legendLeft(const PanelPlan& panel, const Canvas& canvas);
double legendTop(const PanelPlan& panel, const Canvas& canvas);
// If axes have labels but no titles, the caption names their units, unless they are the plain unit.
void captionUnits(PanelPlan& panel, const Label& x, const Label& y);
// The plot of a panel without texts: its room except a margin.
void fillRoom(PanelPlan& panel);

}  // namespace simscope::render
