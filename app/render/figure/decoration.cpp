#include "app/render/figure/decoration.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/plan_parts.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;

// The first pixel of a line `width` thick around `centre`.
double begin(double centre, double width) {
  // A tick at the end of its axis lies half way between two pixels; the last bits of the axis' limits must not choose.
  constexpr double kLastBits = 1e-6;
  return std::floor(centre - width / 2 + 0.5 + kLastBits);
}

void drawLabels(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const PlotArea& a = panel.area;
  const double s = panel.scale, hair = hairWidth(panel), right = a.left + a.width, bottom = a.top + a.height;
  const double major = std::round(5 * s), minor = std::round(3 * s), gap = Spacing(s).gap;
  const double line = canvas.lineHeight(Font::Small);
  const auto below = [&](double x, double length) {
    verticalLine(canvas, Layer::Over, pixelX(a, x), bottom + hair, bottom + hair + length, hair, colours.axis);
  };
  for (const double x : panel.x_ticks.minor) below(x, minor);
  for (std::size_t i = 0; i < panel.x_ticks.major.size(); ++i) {
    below(panel.x_ticks.major[i], major);
    const std::string& label = panel.x_ticks.labels[i];
    canvas.text(Layer::Over, Font::Small, pixelX(a, panel.x_ticks.major[i]) - canvas.textWidth(Font::Small, label) / 2,
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
  beside(panel.y_ticks, a.y, true, colours.text_dim);
  if (panel.right) beside(panel.right->ticks, panel.right->limits, false, colours.area_outline);
}

// In the middle of their axes.
void drawTitles(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const PlotArea& a = panel.area;
  const double s = panel.scale;
  const double title_y = a.top + a.height + 5 * s + 4 * s + canvas.lineHeight(Font::Small) + 2 * s;
  const double margin = 0.6 * Spacing(s).pad, left = panel.room.left + margin;
  // A wheel of phases has words below it, where a bar has none.
  const bool wheel = panel.key.width > 0 && panel.right_title_left == 0;
  const double right = wheel ? a.left + a.width : panel.room.right - margin;
  const std::string x_title = fittedTitle(canvas, panel.x_title, right - left);
  const double width = canvas.textWidth(Font::Normal, x_title);
  const double centred = a.left + (a.width - width) / 2;
  canvas.text(Layer::Over, Font::Normal, std::clamp(centred, left, std::max(left, right - width)), title_y,
              colours.text, x_title);
  drawUpwards(canvas, a, panel.y_title, panel.y_title_left, colours.text);
  if (panel.right) drawUpwards(canvas, a, panel.right->title, panel.right_title_left, colours.area_outline);
}

}  // namespace

double pixelX(const PlotArea& area, double x) {
  return area.left + (x - area.x.low) / (area.x.high - area.x.low) * area.width;
}

double pixelY(const PlotArea& area, const Limits& y, double value) {
  return area.top + area.height - (value - y.low) / (y.high - y.low) * area.height;
}

double hairWidth(double scale, double width) {
  return std::max(1.0, std::round(scale * width));
}

double hairWidth(const PanelPlan& panel) {
  return hairWidth(panel.scale, panel.lines);
}

void verticalLine(Canvas& canvas, Layer layer, double x, double top, double bottom, double width, Colour colour) {
  canvas.rectangle(layer, begin(x, width), top, begin(x, width) + width, bottom, colour);
}

void horizontalLine(Canvas& canvas, Layer layer, double left, double right, double y, double width, Colour colour) {
  canvas.rectangle(layer, left, begin(y, width), right, begin(y, width) + width, colour);
}

void drawUpwards(Canvas& canvas, const PlotArea& area, const std::string& title, double left, Colour colour) {
  const std::string shown = fittedTitle(canvas, title, area.height);
  canvas.textUpwards(Layer::Over, Font::Normal, left,
                     area.top + (area.height + canvas.textWidth(Font::Normal, shown)) / 2, colour, shown);
}

void drawGrid(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const PlotArea& a = panel.area;
  const double right = a.left + a.width, bottom = a.top + a.height, hair = hairWidth(panel);
  const auto lines = [&](const std::vector<double>& xs, const std::vector<double>& ys, Colour colour) {
    for (const double x : xs) verticalLine(canvas, Layer::Under, pixelX(a, x), a.top, bottom, hair, colour);
    for (const double y : ys) horizontalLine(canvas, Layer::Under, a.left, right, pixelY(a, a.y, y), hair, colour);
  };
  lines(panel.x_ticks.minor, panel.y_ticks.minor, colours.grid_minor);
  lines(panel.x_ticks.major, panel.y_ticks.major, colours.grid_major);
}

void drawAxes(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const PlotArea& a = panel.area;
  const double hair = hairWidth(panel), right = a.left + a.width, bottom = a.top + a.height;
  // Outside the plot area, so that no pixel of the data is covered.
  canvas.rectangle(Layer::Over, a.left - hair, bottom, right + hair, bottom + hair, colours.axis);
  canvas.rectangle(Layer::Over, a.left - hair, a.top, a.left, bottom, colours.axis);
  const bool framed = !panel.overLine();
  if (panel.right || framed) canvas.rectangle(Layer::Over, right, a.top, right + hair, bottom, colours.axis);
  if (framed) canvas.rectangle(Layer::Over, a.left - hair, a.top - hair, right + hair, a.top, colours.axis);
  if (panel.texts >= Texts::Caption) {
    canvas.text(Layer::Over, Font::Normal, captionLeft(panel, canvas), captionTop(panel, canvas), colours.text,
                shownCaption(panel, canvas));
  }
  if (panel.texts >= Texts::Labels) drawLabels(canvas, panel, colours);
  if (panel.texts >= Texts::All) drawTitles(canvas, panel, colours);
}

void drawMarker(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double x, std::optional<double> y,
                const std::vector<Reading>& readings) {
  const PlotArea& a = panel.area;
  const double s = panel.scale, hair = hairWidth(panel), at = pixelX(a, x), bottom = a.top + a.height;
  verticalLine(canvas, Layer::Over, at, a.top, bottom, hair, colours.marker);
  if (y) horizontalLine(canvas, Layer::Over, a.left, a.left + a.width, pixelY(a, a.y, *y), hair, colours.marker);
  for (const Reading& reading : readings) {
    if (!reading.dot || !(reading.y >= a.top && reading.y <= bottom)) continue;
    canvas.disc(Layer::Over, at, reading.y, 4.5 * s, colours.plot);
    canvas.disc(Layer::Over, at, reading.y, 3 * s, reading.colour);
  }
  drawReadings(canvas, panel, colours, at, y ? std::optional(pixelY(a, a.y, *y)) : std::nullopt, readings);
}

void drawReadings(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours, double x,
                  std::optional<double> y, const std::vector<Reading>& readings) {
  if (panel.texts < Texts::Labels) return;
  const PlotArea& a = panel.area;
  const double s = panel.scale;
  double names = 0, values = 0;
  for (const Reading& reading : readings) {
    names = std::max(names, canvas.textWidth(Font::Small, reading.name));
    values = std::max(values, canvas.textWidth(Font::Small, reading.value));
  }
  const double pad = 8 * s, line = canvas.lineHeight(Font::Small) + 3 * s;
  const double width = names + 14 * s + values + 2 * pad;
  const double height = line * static_cast<double>(readings.size()) + 2 * pad - 3 * s;
  const bool at_right = x + 10 * s + width <= a.left + a.width;
  const double left = std::max(a.left, at_right ? x + 10 * s : x - 10 * s - width);
  double top = a.top + 8 * s;
  if (y) {
    const double above = *y - 10 * s - height;
    top = std::max(a.top, above >= a.top ? above : *y + 10 * s);
  }
  canvas.roundedBox(Layer::Over, left, top, left + width, top + height, 5 * s, colours.box, colours.axis, 0.94);
  double line_top = top + pad - 1 * s;
  for (const Reading& reading : readings) {
    canvas.text(Layer::Over, Font::Small, left + pad, line_top, legible(reading.colour, colours), reading.name);
    canvas.text(Layer::Over, Font::Small, left + width - pad - canvas.textWidth(Font::Small, reading.value), line_top,
                colours.text, reading.value);
    line_top += line;
  }
}

constexpr double kMostOfTime = 0.62;  // of the width, to the time and what moves with it

void drawFigureTexts(Canvas& canvas, const FigurePlan& plan, const ThemeColours& colours) {
  if (!plan.texts) return;
  const double s = plan.scale, pad = Spacing(s).pad, right = plan.width - pad;

  // Title, what is shown, and the time, on one baseline.
  const double title_top = std::round(pad * 0.75);
  const double normal_top = title_top + canvas.ascent(Font::Title) - canvas.ascent(Font::Normal);
  // In a small figure the clock stands alone: what moves with it is told below, too.
  const bool alone = canvas.textWidth(Font::Normal, plan.time) > kMostOfTime * (right - pad);
  const std::string& time = alone ? plan.clock : plan.time;
  const double time_width = canvas.textWidth(Font::Normal, time);
  canvas.text(Layer::Over, Font::Normal, right - time_width, normal_top, colours.text, time);
  const double title_room = right - time_width - 20 * s - pad;
  // Where it has no room a title has smaller letters, before it is cut.
  const bool large = canvas.textWidth(Font::Title, plan.title) <= title_room;
  const Font font = large ? Font::Title : Font::Normal;
  const std::string title = canvas.elided(font, plan.title, title_room);
  canvas.text(Layer::Over, font, pad, large ? title_top : normal_top, colours.text, title);
  const double subtitle_left = pad + canvas.textWidth(font, title) + 12 * s;
  const std::string subtitle = canvas.elided(Font::Normal, plan.subtitle, pad + title_room - subtitle_left);
  canvas.text(Layer::Over, Font::Normal, subtitle_left, normal_top, colours.text_dim, subtitle);

  // What differs from the defaults, and the equation where there is room.
  const double footer_top = std::round(plan.height - pad * 0.65 - canvas.lineHeight(Font::Small));
  const double footer_room = right - pad;
  const std::string changed = canvas.elided(Font::Small, plan.parameters, footer_room);
  canvas.text(Layer::Over, Font::Small, pad, footer_top, colours.text_dim, changed);
  const double equation = canvas.textWidth(Font::Small, plan.equation);
  if (canvas.textWidth(Font::Small, changed) + 28 * s + equation <= footer_room) {
    canvas.text(Layer::Over, Font::Small, right - equation, footer_top, colours.text_dim, plan.equation);
  }
}

}  // namespace simscope::render
