#include "app/render/decoration.h"

#include <algorithm>
#include <cmath>

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;

double pixelX(const PlotArea& area, double x) {
  return area.left + (x - area.x.low) / (area.x.high - area.x.low) * area.width;
}

double pixelY(const PlotArea& area, const Limits& y, double value) {
  return area.top + area.height - (value - y.low) / (y.high - y.low) * area.height;
}

// The first pixel of a line `width` thick around `centre`.
double begin(double centre, double width) {
  return std::round(centre - width / 2);
}

void verticalLine(Canvas& canvas, Layer layer, double x, double top, double bottom, double width, Colour colour) {
  canvas.rectangle(layer, begin(x, width), top, begin(x, width) + width, bottom, colour);
}

void horizontalLine(Canvas& canvas, Layer layer, double left, double right, double y, double width, Colour colour) {
  canvas.rectangle(layer, left, begin(y, width), right, begin(y, width) + width, colour);
}

// A strip of the phase wheel, one turn from 0 on.
void phaseStrip(Canvas& canvas, double left, double top, double width, double height, const ThemeColours& colours) {
  const double left_pixel = std::round(left), pixels = std::max(1.0, std::round(width));
  for (double x = 0; x < pixels; ++x) {
    const auto entry = static_cast<std::size_t>((x + 0.5) / pixels * kPhaseColours);
    canvas.rectangle(Layer::Over, left_pixel + x, top, left_pixel + x + 1, top + height,
                     colours.phase[std::min(entry, kPhaseColours - 1)]);
  }
}

void swatch(Canvas& canvas, const TraceInfo& info, double left, double middle, double width, double s,
            const ThemeColours& colours) {
  const double half = 5 * s;
  const Colour colour = traceColour(info, colours);
  switch (info.style) {
    case TraceStyle::PhaseFilled:
      phaseStrip(canvas, left, std::round(middle - half), width, std::round(2 * half), colours);
      horizontalLine(canvas, Layer::Over, std::round(left), std::round(left + width), middle - half, hairWidth(s, 1.6),
                     colour);
      break;
    case TraceStyle::OwnAxis:
      canvas.rectangle(Layer::Over, left, middle - half, left + width, middle + half, colours.area);
      horizontalLine(canvas, Layer::Over, std::round(left), std::round(left + width), middle - half, hairWidth(s, 1.6),
                     colour);
      break;
    case TraceStyle::Ghost:
    case TraceStyle::Line:
      horizontalLine(canvas, Layer::Over, std::round(left), std::round(left + width), middle, hairWidth(s, 2), colour);
      break;
  }
}

// Returns where the entries end.
double drawLegend(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours, double left, double top,
                  double right) {
  const double s = plan.scale, swatch_width = 22 * s;
  const double middle = top + std::round(canvas.lineHeight(Font::Normal) / 2);
  double x = left;
  for (const PlannedTrace& trace : plan.traces) {
    const std::string& title = trace.info->title.empty() ? trace.info->channel : trace.info->title;
    const double width = swatch_width + 7 * s + canvas.textWidth(Font::Normal, title);
    if (x + width > right) break;
    swatch(canvas, *trace.info, x, middle, swatch_width, s, colours);
    canvas.text(Layer::Over, Font::Normal, x + swatch_width + 7 * s, top, colours.text, title);
    x += width + 18 * s;
  }
  return x;
}

void drawPhaseKey(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours, double left, double top,
                  double right) {
  const double s = plan.scale, strip = 96 * s, gap = 6 * s;
  const double zero = canvas.textWidth(Font::Small, "0"), turn = canvas.textWidth(Font::Small, "2π");
  const double name = canvas.textWidth(Font::Small, "phase");
  const double needed = name + 2 * gap + zero + gap + strip + gap + turn;
  if (right - needed < left) return;
  const double line = canvas.lineHeight(Font::Small);
  const double text_top = top + std::round((canvas.lineHeight(Font::Normal) - line) / 2);
  double x = right - needed;
  canvas.text(Layer::Over, Font::Small, x, text_top, colours.text_dim, "phase");
  x += name + 2 * gap;
  canvas.text(Layer::Over, Font::Small, x, text_top, colours.text_dim, "0");
  x += zero + gap;
  const double height = std::round(8 * s);
  phaseStrip(canvas, x, std::round(text_top + (line - height) / 2), strip, height, colours);
  x += strip + gap;
  canvas.text(Layer::Over, Font::Small, x, text_top, colours.text_dim, "2π");
}

void drawColourBar(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours) {
  const PlannedField& field = plan.field;
  const double s = plan.scale, hair = hairWidth(s), left = field.key_left, top = field.key_top;
  const double right = left + field.key_width, bottom = top + field.key_height;
  canvas.rectangle(Layer::Over, left - hair, top - hair, right + hair, bottom + hair, colours.axis);
  // Each row of pixels shows the entry of its middle; neighbours of one entry are drawn in one go.
  const auto rows = static_cast<std::size_t>(field.key_height);
  const auto entryOf = [&](std::size_t row) {
    const double position = 1 - (static_cast<double>(row) + 0.5) / field.key_height;
    return colourEntry(position, field.table.size());
  };
  for (std::size_t row = 0; row < rows;) {
    std::size_t end = row + 1;
    while (end < rows && entryOf(end) == entryOf(row)) ++end;
    canvas.rectangle(Layer::Over, left, top + static_cast<double>(row), right, top + static_cast<double>(end),
                     field.table[entryOf(row)]);
    row = end;
  }
  const auto height = [&](double value) { return bottom - field.range.position(value) * field.key_height; };
  const double major = std::round(5 * s), minor = std::round(3 * s), gap = 4 * s;
  const auto tick = [&](double value, double length) {
    horizontalLine(canvas, Layer::Over, right + hair, right + hair + length, height(value), hair, colours.axis);
  };
  for (const double value : field.ticks.minor) tick(value, minor);
  for (std::size_t i = 0; i < field.ticks.major.size(); ++i) {
    const double value = field.ticks.major[i];
    tick(value, major);
    canvas.text(Layer::Over, Font::Small, right + hair + major + gap,
                height(value) - canvas.lineHeight(Font::Small) / 2, colours.text_dim, field.ticks.labels[i]);
    if (field.isolines && value > field.range.limits.low && value < field.range.limits.high) {
      horizontalLine(canvas, Layer::Over, left, right, height(value), hair, colours.axis);
    }
  }
}

void drawWheelTexts(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours) {
  const PlannedField& field = plan.field;
  const double gap = 4 * plan.scale, small = canvas.lineHeight(Font::Small), size = field.key_width;
  const double middle_x = field.key_left + size / 2, middle_y = field.key_top + size / 2;
  const auto centred = [&](Font font, const std::string& text, double top, Colour colour) {
    canvas.text(Layer::Over, font, middle_x - canvas.textWidth(font, text) / 2, top, colour, text);
  };
  centred(Font::Normal, field.title, plan.area.top, colours.text);
  centred(Font::Small, "π/2", field.key_top - gap - small, colours.text_dim);
  centred(Font::Small, "−π/2", field.key_top + size + gap, colours.text_dim);
  canvas.text(Layer::Over, Font::Small, field.key_left + size + gap, middle_y - small / 2, colours.text_dim, "0");
  canvas.text(Layer::Over, Font::Small, field.key_left - gap - canvas.textWidth(Font::Small, "π"), middle_y - small / 2,
              colours.text_dim, "π");
  const double below = field.key_top + size + gap + small + 3 * gap;
  if (below + 2 * small + gap > plan.area.top + plan.area.height + 2 * small) return;
  centred(Font::Small, "centre: " + numberText(field.range.limits.low, 3), below, colours.text_dim);
  centred(Font::Small, "edge: " + numberText(field.range.limits.high, 3), below + small + gap, colours.text_dim);
}

}  // namespace

Colour traceColour(const TraceInfo& info, const ThemeColours& colours) {
  switch (info.style) {
    case TraceStyle::PhaseFilled:
      return colours.outline;
    case TraceStyle::Ghost:
      return colours.ghost;
    case TraceStyle::OwnAxis:
      return colours.area_outline;
    case TraceStyle::Line:
      break;
  }
  return colours.lines[static_cast<std::size_t>(std::max(info.colour, 0)) % kLineColours];
}

double hairWidth(double scale, double width) {
  return std::max(1.0, std::round(scale * width));
}

void drawGrid(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours) {
  if (plan.field.view) return;
  const PlotArea& a = plan.area;
  const double right = a.left + a.width, bottom = a.top + a.height, hair = hairWidth(plan.scale);
  const auto lines = [&](const std::vector<double>& xs, const std::vector<double>& ys, Colour colour) {
    for (const double x : xs) verticalLine(canvas, Layer::Under, pixelX(a, x), a.top, bottom, hair, colour);
    for (const double y : ys) horizontalLine(canvas, Layer::Under, a.left, right, pixelY(a, a.y, y), hair, colour);
  };
  lines(plan.x_ticks.minor, plan.y_ticks.minor, colours.grid_minor);
  lines(plan.x_ticks.major, plan.y_ticks.major, colours.grid_major);
}

void drawAxes(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours) {
  const PlotArea& a = plan.area;
  const double s = plan.scale, hair = hairWidth(s), right = a.left + a.width, bottom = a.top + a.height;
  // Outside the plot area, so that no pixel of the data is covered.
  canvas.rectangle(Layer::Over, a.left - hair, bottom, right + hair, bottom + hair, colours.axis);
  canvas.rectangle(Layer::Over, a.left - hair, a.top, a.left, bottom, colours.axis);
  const bool framed = plan.field.view != nullptr;
  if (plan.has_right || framed) canvas.rectangle(Layer::Over, right, a.top, right + hair, bottom, colours.axis);
  if (framed) canvas.rectangle(Layer::Over, a.left - hair, a.top - hair, right + hair, a.top, colours.axis);
  if (!plan.texts) return;

  const double major = std::round(5 * s), minor = std::round(3 * s), gap = 4 * s;
  const double line = canvas.lineHeight(Font::Small);
  const auto below = [&](double x, double length) {
    verticalLine(canvas, Layer::Over, pixelX(a, x), bottom + hair, bottom + hair + length, hair, colours.axis);
  };
  for (const double x : plan.x_ticks.minor) below(x, minor);
  for (std::size_t i = 0; i < plan.x_ticks.major.size(); ++i) {
    below(plan.x_ticks.major[i], major);
    const std::string& label = plan.x_ticks.labels[i];
    canvas.text(Layer::Over, Font::Small, pixelX(a, plan.x_ticks.major[i]) - canvas.textWidth(Font::Small, label) / 2,
                bottom + major + gap, colours.text_dim, label);
  }
  const auto beside = [&](const AxisTicks& ticks, const Limits& limits, bool at_left, Colour colour) {
    const double edge = at_left ? a.left - hair : right + hair, sign = at_left ? -1 : 1;
    const auto tick = [&](double y, double length) {
      const double end = edge + sign * length;
      horizontalLine(canvas, Layer::Over, std::min(edge, end), std::max(edge, end), pixelY(a, limits, y), hair,
                     colours.axis);
    };
    for (const double y : ticks.minor) tick(y, minor);
    for (std::size_t i = 0; i < ticks.major.size(); ++i) {
      tick(ticks.major[i], major);
      const double width = canvas.textWidth(Font::Small, ticks.labels[i]);
      const double x = at_left ? edge - major - gap - width : edge + major + gap;
      // Digits have no descenders: their optical middle lies above that of the line.
      const double y = pixelY(a, limits, ticks.major[i]) - line / 2;
      canvas.text(Layer::Over, Font::Small, x, y, colour, ticks.labels[i]);
    }
  };
  beside(plan.y_ticks, a.y, true, colours.text_dim);
  if (plan.has_right) beside(plan.right_ticks, plan.right, false, colours.area_outline);
}

void drawTexts(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours, int width, int height) {
  if (!plan.texts) return;
  const PlotArea& a = plan.area;
  const double s = plan.scale, pad = 14 * s, right = a.left + a.width, bottom = a.top + a.height;
  const double small = canvas.lineHeight(Font::Small);

  // Title, what is shown, and the time, on one baseline.
  const double title_top = std::round(pad * 0.75);
  const double baseline = title_top + canvas.ascent(Font::Title);
  const double normal_top = baseline - canvas.ascent(Font::Normal);
  const double header_right = width - pad;
  const double time_width = canvas.textWidth(Font::Normal, plan.time);
  canvas.text(Layer::Over, Font::Normal, header_right - time_width, normal_top, colours.text, plan.time);
  const double title_room = header_right - time_width - 20 * s - pad;
  const std::string title = canvas.elided(Font::Title, plan.title, title_room);
  canvas.text(Layer::Over, Font::Title, pad, title_top, colours.text, title);
  const double subtitle_left = pad + canvas.textWidth(Font::Title, title) + 12 * s;
  const std::string subtitle = canvas.elided(Font::Normal, plan.subtitle, pad + title_room - subtitle_left);
  canvas.text(Layer::Over, Font::Normal, subtitle_left, normal_top, colours.text_dim, subtitle);

  if (!plan.field.view) {
    const double legend_top = std::round(title_top + canvas.lineHeight(Font::Title) + 6 * s);
    const double legend_end = drawLegend(canvas, plan, colours, pad, legend_top, header_right);
    if (plan.has_phase) drawPhaseKey(canvas, plan, colours, legend_end, legend_top, header_right);
  }

  // Axis titles, in the middle of their axes.
  const double title_y = bottom + 5 * s + 4 * s + small + 2 * s;
  canvas.text(Layer::Over, Font::Normal, a.left + (a.width - canvas.textWidth(Font::Normal, plan.x_title)) / 2, title_y,
              colours.text, plan.x_title);
  const auto upwards = [&](const std::string& text, double left, Colour colour) {
    const std::string shown = canvas.elided(Font::Normal, text, a.height);
    canvas.textUpwards(Layer::Over, Font::Normal, left, a.top + (a.height + canvas.textWidth(Font::Normal, shown)) / 2,
                       colour, shown);
  };
  upwards(plan.y_title, plan.y_title_left, colours.text);
  if (plan.has_right) upwards(plan.right_title, plan.right_title_left, colours.area_outline);
  if (plan.field.view && plan.field.view->style == FieldStyle::Scalar) {
    upwards(plan.field.title, plan.right_title_left, colours.text);
  }

  // What differs from the defaults, and the equation where there is room.
  const double footer_top = std::round(height - pad * 0.65 - small);
  const double footer_room = header_right - pad;
  const std::string changed = canvas.elided(Font::Small, plan.parameters, footer_room);
  canvas.text(Layer::Over, Font::Small, pad, footer_top, colours.text_dim, changed);
  const double equation = canvas.textWidth(Font::Small, plan.equation);
  if (canvas.textWidth(Font::Small, changed) + 28 * s + equation <= footer_room && right > 0) {
    canvas.text(Layer::Over, Font::Small, header_right - equation, footer_top, colours.text_dim, plan.equation);
  }
}

void drawFieldKey(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours) {
  const PlannedField& field = plan.field;
  if (!field.view || !(field.key_width > 0)) return;
  if (field.view->style == FieldStyle::Scalar) {
    drawColourBar(canvas, plan, colours);
  } else {
    drawWheelTexts(canvas, plan, colours);
  }
}

void drawMarker(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours, double x, std::optional<double> y,
                const std::vector<Reading>& readings) {
  const PlotArea& a = plan.area;
  if (!(x >= a.x.low && x <= a.x.high)) return;
  const double s = plan.scale, hair = hairWidth(s), at = pixelX(a, x), bottom = a.top + a.height;
  verticalLine(canvas, Layer::Over, at, a.top, bottom, hair, colours.marker);
  if (y) horizontalLine(canvas, Layer::Over, a.left, a.left + a.width, pixelY(a, a.y, *y), hair, colours.marker);
  for (const Reading& reading : readings) {
    if (!reading.dot || !(reading.y >= a.top && reading.y <= bottom)) continue;
    canvas.disc(Layer::Over, at, reading.y, 4.5 * s, colours.plot);
    canvas.disc(Layer::Over, at, reading.y, 3 * s, reading.colour);
  }
  if (!plan.texts) return;

  double names = 0, values = 0;
  for (const Reading& reading : readings) {
    names = std::max(names, canvas.textWidth(Font::Small, reading.name));
    values = std::max(values, canvas.textWidth(Font::Small, reading.value));
  }
  const double pad = 8 * s, line = canvas.lineHeight(Font::Small) + 3 * s;
  const double width = names + 14 * s + values + 2 * pad;
  const double height = line * static_cast<double>(readings.size()) + 2 * pad - 3 * s;
  const bool at_right = at + 10 * s + width <= a.left + a.width;
  const double left = std::max(a.left, at_right ? at + 10 * s : at - 10 * s - width);
  double top = a.top + 8 * s;
  if (y) {
    const double level = pixelY(a, a.y, *y);
    top = std::max(a.top, level - 10 * s - height >= a.top ? level - 10 * s - height : level + 10 * s);
  }
  canvas.roundedBox(Layer::Over, left, top, left + width, top + height, 5 * s, colours.box, colours.axis, 0.94);
  double line_top = top + pad - 1 * s;
  for (const Reading& reading : readings) {
    canvas.text(Layer::Over, Font::Small, left + pad, line_top, reading.colour, reading.name);
    canvas.text(Layer::Over, Font::Small, left + width - pad - canvas.textWidth(Font::Small, reading.value), line_top,
                colours.text, reading.value);
    line_top += line;
  }
}

}  // namespace simscope::render
