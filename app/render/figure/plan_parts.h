// What the plans of all kinds of view share. Plain functions; any thread.
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
  double gap;   // between what belongs together
};

// Of lines of labels, one above the other, as a part of a line's height: digits have no descenders.
constexpr double kLabelPitch = 0.8;

// An axis needs some extent, also where all its values are the same.
Limits withExtent(std::optional<Limits> limits);
// The ticks of an axis that says whether it counts decades.
AxisTicks ticksOn(const AxisInfo& axis, const Limits& limits, int most);
// A value that such an axis shows at a place, with four digits.
std::string readingOn(const AxisInfo& axis, double place);
// "x  [10³ length]"
std::string axisTitle(const Label& label, const AxisTicks& ticks);
// As much of such a title as `width` has room for. Its words are cut, its unit stays: "Tempera…  [K]".
std::string fittedTitle(const Canvas& canvas, const std::string& title, double width);
// The width of the widest label [pixels].
double widest(const Canvas& canvas, const AxisTicks& ticks);
// The width of the labels beside an axis, in coarse steps, so that the plot does not jump about while it is zoomed.
double labelRoom(const Canvas& canvas, const AxisTicks& ticks, double scale);

// How many ticks an axis of so many pixels has at most, if `each` should have that much.
int tickCount(const PanelPlan& panel, double pixels, double each, int most = 12);
// Those of the x axis, whose labels stand side by side.
AxisTicks ticksBelow(const PanelPlan& panel, double each, const Canvas& canvas);

// Without the labels that would lie on the one below: of an axis or a key of `pixels` upwards, whose values have their
// places from 0 to 1 by `place`. The ticks stay.
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

// How much a panel of this size can hold. Below it the panel says less, before its texts meet.
Texts textsFor(const Room& room, double scale);
// The heights of what is written above the plot (a caption, a legend) and below it (labels, a title) [pixels].
double headRoom(const PanelPlan& panel, const Canvas& canvas);
double footRoom(const PanelPlan& panel, const Canvas& canvas);
// Once the plot has its place: the caption, as much of it as there is room for, and where what follows it begins.
std::string shownCaption(const PanelPlan& panel, const Canvas& canvas);
double captionLeft(const PanelPlan& panel, const Canvas& canvas);
double captionTop(const PanelPlan& panel, const Canvas& canvas);
double legendLeft(const PanelPlan& panel, const Canvas& canvas);
double legendTop(const PanelPlan& panel, const Canvas& canvas);
// Where axes bear labels but no titles, the caption says what they count, if not the plain unit.
void captionUnits(PanelPlan& panel, const Label& x, const Label& y);
// The plot of a panel in which nothing is written: its room but for a margin.
void fillRoom(PanelPlan& panel);

}  // namespace simscope::render
