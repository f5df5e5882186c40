// The plan of a figure: its panels with their traces, fields, or points, axis limits, ticks, texts, and the layout,
// decided before anything is drawn.
//
// Plain data; any thread (measuring text needs the canvas between begin and finish). The description, parameters, and
// frame that a plan was made from must outlive it. Errors: UsageError for options that cannot be met (size, scale,
// limits, unknown view), Error for a frame that lacks a channel.
#pragma once

#include <any>
#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/canvas.h"
#include "app/render/figure/colour_range.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/ticks.h"

namespace simscope::render {

// The user's limits and colours apply to the main panel (0); the other panels keep their view's.
FigureOptions panelOptions(const FigureOptions& options, std::size_t panel);

struct Room {
  double left = 0, top = 0, right = 0, bottom = 0;  // pixels, y down
  double width() const noexcept { return right - left; }
  double height() const noexcept { return bottom - top; }
};

// The meaning of the colours of a field or of points, and the colour bar (or phase wheel) that shows it.
struct ColourKey {
  ColourRange range;
  std::vector<std::uint32_t> table;  // a colormap's entries, or the phase wheel
  AxisTicks ticks;
  std::string title;
  int kinds = 0;                                    // above 0: the key shows the whole numbers below it
  bool contours = false;                            // drawn at the major ticks
  double left = 0, top = 0, width = 0, height = 0;  // pixels; width 0: none

  double position(double value) const;    // along the bar, upwards from 0 to 1
  std::size_t entry(double along) const;  // of the table
};

// A separate axis at the plot's right.
struct RightAxis {
  Limits limits;
  AxisTicks ticks;
  std::string title;
};

// The texts in a panel, each level including the previous one: none, its caption, the labels of its ticks, titles and
// legend.
enum class Texts { None, Caption, Labels, All };

// One view with its axes: all of the figure below its title, or a part of it.
struct PanelPlan {
  std::size_t index = 0;
  const View* view = nullptr;
  double scale = 1;
  double lines = 1;     // factor on the widths of lines
  Room room;            // for the plot and its surroundings
  double margin = 0;    // the smallest distance from the room's left edge to the plot, aligned with its neighbours
  std::string caption;  // above the plot; empty if the figure has only one panel
  bool legend = false;  // whether there is a legend line above the plot
  bool legend_below = false;  // below the caption, if there is no space beside it
  Texts texts = Texts::All;
  PlotArea area;
  AxisTicks x_ticks, y_ticks;
  std::string x_title, y_title;
  double y_title_left = 0, right_title_left = 0;  // of the vertical titles
  std::optional<RightAxis> right;
  ColourKey key;                         // if values have colours
  std::optional<Projection> projection;  // of views in space
  std::any content;                      // further planned data of its kind of view (layers/)

  bool inSpace() const { return domainOf(*view) == Domain::Space; }
  bool overLine() const { return domainOf(*view) == Domain::Line; }
  // The content of this kind of view.
  template <class Kind>
  const Kind& viewAs() const {
    return std::get<Kind>(view->kind);
  }
  template <class Content>
  const Content& contentAs() const {
    return std::any_cast<const Content&>(content);
  }
  template <class Content>
  Content& contentAs() {
    return std::any_cast<Content&>(content);
  }
};

struct FigurePlan {
  int width = 0, height = 0;
  double scale = 1;
  bool texts = true;  // false if the figure is too small for texts
  std::string title, subtitle, parameters, equation;
  std::string clock, time;        // time: the clock, after the values that change with it
  std::vector<PanelPlan> panels;  // the main one first
};

constexpr int kLargestDrawn = 32768;  // pixels, supersampling included

void checkOptions(const FigureOptions& options);

// The scale of the whole drawing: the options' times the theme's.
double figureScale(const FigureOptions& options);

FigurePlan planFigure(const Description& description, const ParameterSet& parameters, const Frame& frame,
                      const FigureOptions& options, const Canvas& canvas);

}  // namespace simscope::render
