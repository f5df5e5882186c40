// What a figure shows and where: traces or a field, axis limits, ticks, texts, and the layout, decided before anything
// is drawn.
//
// Plain data; any thread (measuring text needs the canvas between begin and finish). The description, parameters, and
// frame that a plan was made from must outlive it. Errors: UsageError for options that cannot be met (size, scale,
// limits, unknown view), Error for a frame that lacks a channel.
#pragma once

#include <string>
#include <vector>

#include "app/render/canvas.h"
#include "app/render/colour_range.h"
#include "app/render/figure.h"
#include "app/render/ticks.h"

namespace simscope::render {

struct PlannedTrace {
  const TraceInfo* info = nullptr;
  const Channel* channel = nullptr;
  const Channel* phase = nullptr;
};

struct PlannedField {
  const FieldView* view = nullptr;  // null in a figure of curves
  const Channel* channel = nullptr;
  const Channel* overlay = nullptr;  // may be null
  ColourRange range;
  std::vector<std::uint32_t> table;  // Scalar: the colormap's entries; Complex: the phase wheel
  AxisTicks ticks;                   // of the colour bar
  std::string title;                 // of the colour bar or the phase wheel
  bool isolines = false;
  // The colour bar, or the square of the phase wheel [pixels]; width 0: none.
  double key_left = 0, key_top = 0, key_width = 0, key_height = 0;
};

struct FigurePlan {
  const CurveView* view = nullptr;  // null in a figure of a field
  PlannedField field;
  std::vector<PlannedTrace> traces;  // those shown, in the view's order
  double scale = 1;
  bool texts = true;  // false where the figure is too small for any
  PlotArea area;
  Limits right;  // of traces with an axis of their own
  bool has_right = false, has_phase = false;
  AxisTicks x_ticks, y_ticks, right_ticks;
  std::string title, subtitle, time, parameters, equation;
  std::string x_title, y_title, right_title;
  double y_title_left = 0, right_title_left = 0;  // of the titles that read upwards
};

constexpr int kSmallestFigure = 64, kLargestFigure = 16384;  // pixels

struct ChosenView {
  const CurveView* curves = nullptr;
  const FieldView* field = nullptr;
};
// The view with this key; empty: the first field, else the first curve view.
ChosenView chooseView(const Description& description, const std::string& key);

// `largest`: the driver's limit of a texture's side.
void checkOptions(const FigureOptions& options, int largest);

FigurePlan planFigure(const Description& description, const ParameterSet& parameters, const Frame& frame,
                      const FigureOptions& options, const Canvas& canvas);

}  // namespace simscope::render
