// What the plans of curves and of fields share. Plain functions; any thread.
#pragma once

#include <optional>
#include <string>

#include "app/render/plan.h"

namespace simscope::render {

// An axis needs some extent, also where all its values are the same.
Limits withExtent(std::optional<Limits> limits);
// "x  [10³ length]"
std::string axisTitle(const AxisInfo& axis, const AxisTicks& ticks);
// The width of the widest label [pixels].
double widest(const Canvas& canvas, const AxisTicks& ticks);

// Fills in the field, the axes, and the layout of a figure of a field. Error for a channel that cannot be drawn.
void planField(FigurePlan& plan, const FieldView& view, const Frame& frame, const FigureOptions& options,
               const Canvas& canvas);

}  // namespace simscope::render
