// What can be shown of a simulation: views, each of one kind. Plain data, part of the description; any thread.
//
// A new kind of view is described here, and drawn by a folder of its own below app/render/layers (kinds.h there).
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "sims/core/relevance.h"

namespace simscope {

// From where a view of points is seen, in perspective. Azimuth 0 and elevation 90 look down on the xy-plane with x to
// the right and y up; azimuth turns the eye about z, counterclockwise seen from above; elevation 0 looks along the
// plane, z up.
struct Camera {
  double azimuth = 30;         // degrees
  double elevation = 25;       // degrees, -90 to 90
  double zoom = 1;             // 1: the cube of the channel just fits, seen from anywhere
  double x = 0, y = 0, z = 0;  // the point in the middle of the picture; simulation units
  bool operator==(const Camera&) const = default;
};

enum class TraceStyle {
  PhaseFilled,  // area under the curve, coloured by the phase in `phase_channel` (radians)
  Line,
  Ghost,    // a faint line: a former or an expected curve
  Bars,     // a histogram: element i fills its whole width, from zero to its value
  OwnAxis,  // an area against an axis of its own at the right, which lines in its unit share
};

// The name and the unit of values.
struct Label {
  std::string title = {};  // "x", "|ψ|²"
  std::string unit = {};
  bool operator==(const Label&) const = default;
};

// Where a channel can hold different quantities (intensities or their logarithms, an exact curve or that of the start),
// `forms` names each, and Channel::form says which one it holds; `title` and `unit` then apply to all.
struct TraceInfo {
  std::string channel = {};  // of the frame
  std::string title = {};    // in the legend: "|ψ|²", "V(x)"
  std::string unit = {};
  TraceStyle style = TraceStyle::Line;
  std::string phase_channel = {};  // PhaseFilled
  bool shown = true;               // from the start
  int colour = 0;                  // index into the theme's line colours
  std::vector<Label> forms = {};
  Relevance relevant = {};  // when it is drawn, unless the user chose to show it
};

struct AxisInfo {
  std::string title = {};  // "x", "|ψ|²"
  std::string unit = {};
  std::vector<Label> forms = {};
  // Of curves: the axis is logarithmic. Channels hold decimal logarithms along it (x_min and x_max, or the values of
  // curves); ticks and readings show the numbers themselves.
  bool decades = false;
  // Names of the intervals between whole numbers, from 0 on, for bars of categories. The axis then has no numbered
  // ticks.
  std::vector<std::string> names = {};
};

// The label of the values of a channel in this form.
Label labelOf(const AxisInfo& axis, int form = 0);
Label labelOf(const TraceInfo& trace, int form);

// A figure of curves over one axis. A histogram is one whose first trace is Bars, with the exact curve as a Line or
// Ghost over it (its `low` is 0). The first trace sets the left axis; traces of style OwnAxis share the right one.
struct CurveView {
  AxisInfo x = {}, y = {}, right = {};
  std::vector<TraceInfo> traces = {};
};

// Lines over a picture in the plane: a trail, an envelope, an exact curve. Its channel: width = points of each path,
// height = paths, 2 components: x, y, in the axes' units; NaN is a gap.
struct PathInfo {
  std::string channel = {};
  std::string title = {};  // in the legend
  int colour = 0;          // index into the theme's line colours
  bool ghost = false;      // faint: a former or an expected path
  bool shown = true;       // from the start
  Relevance relevant = {};
};

enum class FieldStyle {
  Scalar,   // one component through a colormap
  Complex,  // two components (re, im): hue by phase, brightness by amplitude / high
  Colour,   // three components, linear light RGB
};
enum class FieldScale { Linear, Log, Gamma };

// A figure of a two-dimensional array over two axes, of equal unit length unless it says otherwise, with a colour bar.
struct FieldView {
  AxisInfo x = {}, y = {}, value = {};
  std::string channel = {};  // of the frame; its low and high are the colour range
  FieldStyle style = FieldStyle::Scalar;
  std::string colormap = "inferno";
  bool symmetric = false;  // the range is centred on 0
  FieldScale scale = FieldScale::Linear;
  std::string overlay_channel = {};  // a second array drawn as an outline where it crosses overlay_level; may be empty
  double overlay_level = 0.5;
  std::vector<PathInfo> paths = {};
  // A vector field that can be drawn over it as arrows: a channel of two components over the same axes, of any
  // resolution; its high is the length of the longest arrow. May be empty. Not drawn until the user asks.
  std::string arrow_channel = {};
  AxisInfo arrow = {};        // the arrows' quantity: {"heat flux", "length/time"}
  bool equal_lengths = true;  // whether a unit is as long on both axes; otherwise the plot fills its space
  // The name of a cell that holds NaN on purpose: "insulator". It has a neutral colour; contours and arrows end there.
  // Empty: such a cell is a fault, and is highlighted.
  std::string absent = {};
};

// A figure of points in space that glow: their light adds up, and is tone mapped. Axes: a cube.
struct PointView {
  AxisInfo space = {};  // unit of x, y, and z; title unused
  AxisInfo value = {};
  // width = count, 4 components: x, y, z, and size (1 = usual: its light is size², its disc grows with size). The cube
  // that the camera shows at zoom 1 extends from x_min to x_max of this channel in all three directions.
  std::string channel = {};
  std::string value_channel = {};  // width = count, 1 component: colormap value, from its low to its high
  // width = count, 1 component: the kind of each point (Channel::kinds), where kinds have names that are shown at a
  // point whatever the colours show. May be empty.
  std::string kind_channel = {};
  // Trails: width = samples of each trail, oldest first; height = trails (the first bodies'),
  // 3 components: x, y, z. May be empty: no trails. A frame may leave the channel out.
  std::string trail_channel = {};
  std::string colormap = "plasma";
  FieldScale scale = FieldScale::Linear;
};

// A figure of points in the plane, over two axes: events, or a phase space. They glow as those in space do.
struct ScatterView {
  AxisInfo x = {}, y = {};
  AxisInfo value = {};
  // width = count, 4 components: x, y, anything, and size (1 = usual). The axes reach from its x_min to x_max and from
  // its y_min to y_max.
  std::string channel = {};
  std::string value_channel = {};  // width = count, 1 component: the value that the colormap shows; may be empty
  std::string colormap = "plasma";
  FieldScale scale = FieldScale::Linear;
  bool equal_lengths = false;  // whether a unit is as long on both axes
  std::vector<PathInfo> paths = {};
};

// A figure of several views side by side. Each panel has its view's own axes, title, and key.
struct Panel {
  std::string view = {};  // key of a view that is not itself linked
  // Shares of the figure's area below its title; where that is higher than wide, across and down are exchanged.
  double left = 0, top = 0, width = 1, height = 1;
};
struct LinkedView {
  std::vector<Panel> panels = {};  // the first is the main one: limits, ranges, and colormap of the options apply to it
};

struct View {
  std::string key = {};
  std::string title = {};
  std::variant<CurveView, FieldView, PointView, ScatterView, LinkedView> kind = {};

  // The description of this kind; null for a view of another one.
  template <class Kind>
  const Kind* as() const noexcept {
    return std::get_if<Kind>(&kind);
  }
  template <class Kind>
  Kind* as() noexcept {
    return std::get_if<Kind>(&kind);
  }
};

// One panel of a figure, with its place.
struct ShownPanel {
  const View* view = nullptr;
  Panel place = {};
};

// What a pixel of a view stands for: a position along x, in the plane of x and y, or in space.
enum class Domain { Line, Plane, Space };
// Neither function takes a linked view.
Domain domainOf(const View& view);
const AxisInfo& xAxisOf(const View& view);  // in space that of all three axes

// The lines over a view's picture; none where its kind has none.
const std::vector<PathInfo>& pathsOf(const View& view);

// The channels that a view is drawn from, each once; the first is the one that an array file holds. Of a linked view:
// none.
std::vector<std::string> channelsOf(const View& view);
// Those of them that a figure can show or hide.
std::vector<std::string> switchableChannels(const View& view);

}  // namespace simscope
