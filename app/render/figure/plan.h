// What a figure shows and where: its panels with their traces, fields, or points, axis limits, ticks, texts, and the
// layout, decided before anything is drawn.
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

// The user's limits and colours are the main panel's (0); the others keep what their view says.
FigureOptions panelOptions(const FigureOptions& options, std::size_t panel);

struct Room {
  double left = 0, top = 0, right = 0, bottom = 0;  // pixels, y down
  double width() const noexcept { return right - left; }
  double height() const noexcept { return bottom - top; }
};

// What the colours of a field or of points mean, and the bar (or phase wheel) that says so.
struct ColourKey {
  ColourRange range;
  std::vector<std::uint32_t> table;  // a colormap's entries, or the phase wheel
  AxisTicks ticks;
  std::string title;
  int kinds = 0;                                    // above 0: the key is that of the whole numbers below
  bool contours = false;                            // drawn at the major ticks
  double left = 0, top = 0, width = 0, height = 0;  // pixels; width 0: none

  double position(double value) const;    // along the bar, upwards from 0 to 1
  std::size_t entry(double along) const;  // of the table
};

// An axis of its own at the plot's right.
struct RightAxis {
  Limits limits;
  AxisTicks ticks;
  std::string title;
};

// What is written in a panel, each with all of the one before: nothing, its caption, the labels of its ticks, titles
// and legend.
enum class Texts { None, Caption, Labels, All };

// One view with its axes: all of the figure below its title, or a part of that.
struct PanelPlan {
  std::size_t index = 0;
  const View* view = nullptr;
  double scale = 1;
  double lines = 1;     // factor on the widths of lines
  Room room;            // for the plot and all that is written around it
  double margin = 0;    // the plot begins this far from the room's left edge at least, in line with its neighbours
  std::string caption;  // above the plot; empty where the figure has one panel only
  bool legend = false;  // whether a line above the plot says what is drawn in it
  bool legend_below = false;  // below the caption, where it has no room beside it
  Texts texts = Texts::All;
  PlotArea area;
  AxisTicks x_ticks, y_ticks;
  std::string x_title, y_title;
  double y_title_left = 0, right_title_left = 0;  // of the titles that read upwards
  std::optional<RightAxis> right;
  ColourKey key;                         // where values have colours
  std::optional<Projection> projection;  // of views in space
  std::any content;                      // what its kind of view plans beside that (layers/)

  bool inSpace() const { return domainOf(*view) == Domain::Space; }
  bool overLine() const { return domainOf(*view) == Domain::Line; }
  // Of the panel's own kind of view.
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
  bool texts = true;  // false where the figure is too small for any
  std::string title, subtitle, parameters, equation;
  std::string clock, time;        // time: the clock, and before it what moves with it
  std::vector<PanelPlan> panels;  // the main one first
};

constexpr int kLargestDrawn = 32768;  // pixels, supersampling included

void checkOptions(const FigureOptions& options);

// The scale of all that is drawn: the options' and the theme's.
double figureScale(const FigureOptions& options);

FigurePlan planFigure(const Description& description, const ParameterSet& parameters, const Frame& frame,
                      const FigureOptions& options, const Canvas& canvas);

}  // namespace simscope::render
