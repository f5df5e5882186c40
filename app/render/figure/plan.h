// What a figure shows and where: its panels with their traces, fields, or points, axis limits, ticks, texts, and the
// layout, decided before anything is drawn.
//
// Plain data; any thread (measuring text needs the canvas between begin and finish). The description, parameters, and
// frame that a plan was made from must outlive it. Errors: UsageError for options that cannot be met (size, scale,
// limits, unknown view), Error for a frame that lacks a channel.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/canvas.h"
#include "app/render/figure/colour_range.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/ticks.h"

namespace simscope::render {

// One of a description's views of curves, fields, or points; the others are null.
struct ChosenView {
  const CurveView* curves = nullptr;
  const FieldView* field = nullptr;
  const PointView* points = nullptr;
  const std::string& key() const noexcept;
  const std::string& title() const noexcept;
};
struct ChosenPanel {
  ChosenView view;
  Panel place;
};
struct ChosenFigure {
  std::string title;
  std::vector<ChosenPanel> panels;  // the main one first
};
// What the figure of a view with this key consists of; empty: the one that opens.
ChosenFigure chooseFigure(const Description& description, const std::string& key);
// The user's limits and colours are the main panel's (0); the others keep what their view says.
FigureOptions panelOptions(const FigureOptions& options, std::size_t panel);

struct Room {
  double left = 0, top = 0, right = 0, bottom = 0;  // pixels, y down
  double width() const noexcept { return right - left; }
  double height() const noexcept { return bottom - top; }
};

struct PlannedTrace {
  const TraceInfo* info = nullptr;
  const Channel* channel = nullptr;
  const Channel* phase = nullptr;
};

struct PlannedCurves {
  std::vector<PlannedTrace> traces;  // those shown, in the view's order
  Limits right;                      // of traces with an axis of their own
  bool has_right = false, has_phase = false;
  AxisTicks right_ticks;
  std::string right_title;
};

// Arrows over a field, and the one beside the caption that says what their lengths mean.
struct PlannedArrows {
  const Channel* channel = nullptr;  // null: none
  double longest = 0;                // pixels of an arrow of the channel's `high`; longer ones are clipped to it
  double key_left = 0, key_middle = 0, key_length = 0;  // pixels; length 0: no key
  std::string value, title;                             // "0.5 length/time", "heat flux"
};

struct PlannedField {
  const Channel* channel = nullptr;
  const Channel* overlay = nullptr;  // may be null
  bool isolines = false;
  PlannedArrows arrows;
};

struct PlannedPoints {
  const Channel* channel = nullptr;
  const Channel* values = nullptr;  // null: all points have one colour
  const Channel* trails = nullptr;  // null: none are shown
  double half_edge = 1;             // of the cube
};

// What the colours of a field or of points mean, and the bar (or phase wheel) that says so.
struct ColourKey {
  ColourRange range;
  std::vector<std::uint32_t> table;  // a colormap's entries, or the phase wheel
  AxisTicks ticks;
  std::string title;
  int kinds = 0;                                    // above 0: the key is that of the whole numbers below
  double left = 0, top = 0, width = 0, height = 0;  // pixels; width 0: none

  double position(double value) const;    // along the bar, upwards from 0 to 1
  std::size_t entry(double along) const;  // of the table
};

// What is written in a panel, each with all of the one before: nothing, its caption, the labels of its ticks, titles
// and legend.
enum class Texts { None, Caption, Labels, All };

// One view with its axes: all of the figure below its title, or a part of that.
struct PanelPlan {
  std::size_t index = 0;
  ChosenView view;
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
  PlannedCurves curves;                           // of a view of curves
  PlannedField field;                             // of a view of a field
  PlannedPoints points;                           // of a view of points
  ColourKey key;                                  // of fields and points
  std::optional<Projection> projection;           // of a view of points
};

struct FigurePlan {
  int width = 0, height = 0;
  double scale = 1;
  bool texts = true;  // false where the figure is too small for any
  std::string title, subtitle, time, parameters, equation;
  std::vector<PanelPlan> panels;  // the main one first
};

constexpr int kLargestDrawn = 32768;  // pixels, supersampling included

void checkOptions(const FigureOptions& options);

// The scale of all that is drawn: the options' and the theme's.
double figureScale(const FigureOptions& options);

FigurePlan planFigure(const Description& description, const ParameterSet& parameters, const Frame& frame,
                      const FigureOptions& options, const Canvas& canvas);

}  // namespace simscope::render
