#include "app/gui/widgets/plot_drawing.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/theme.h"

namespace simscope::gui {

namespace {

float hairline(const Ui& ui) {
  return std::max(1.0f, ui.scale);
}

ImU32 seriesColour(const Ui& ui, const PlotSeries& series) {
  const UiColours& p = ui.colours();
  if (series.exact) return toU32(p.exact);
  if (series.colour == 0) return toU32(p.accent);
  const bool dark = p.background.x + p.background.y + p.background.z < 1.5f;
  const auto& lines = render::themeColours(dark ? render::Theme::Dark : render::Theme::Light).lines;
  const render::Colour colour = lines[static_cast<std::size_t>(series.colour) % lines.size()];
  return IM_COL32(colour >> 16 & 255, colour >> 8 & 255, colour & 255, 255);
}

void dashedPath(ImDrawList& list, const std::vector<ImVec2>& points, ImU32 colour, float thickness, float dash) {
  bool drawing = true;
  float left = dash;
  for (std::size_t i = 1; i < points.size(); ++i) {
    ImVec2 from = points[i - 1];
    float dx = points[i].x - from.x, dy = points[i].y - from.y;
    float length = std::hypot(dx, dy);
    if (!(length > 0)) continue;
    dx /= length;
    dy /= length;
    while (length > 0) {
      const float part = std::min(left, length);
      const ImVec2 to(from.x + dx * part, from.y + dy * part);
      if (drawing) list.AddLine(from, to, colour, thickness);
      from = to;
      length -= part;
      left -= part;
      if (left <= 0) {
        drawing = !drawing;
        left = dash;
      }
    }
  }
}

// The curve between its gaps. What is far outside is brought near: it is cut off there anyway.
template <class Piece>
void eachPiece(const PlotSeries& series, const PlotScales& scales, const Rect& place, const Piece& piece) {
  std::vector<ImVec2> points;
  for (const PlotPoint& each : decimated(series, scales, static_cast<int>(place.width))) {
    if (!std::isfinite(each.y)) {
      if (!points.empty()) piece(points);
      points.clear();
      continue;
    }
    const auto near = [](double at) { return static_cast<float>(std::clamp(at, -20.0, 20.0)); };
    points.emplace_back(place.x + near(each.x) * place.width, place.bottom() - near(each.y) * place.height);
  }
  if (!points.empty()) piece(points);
}

void drawBars(ImDrawList& list, const PlotSeries& series, const PlotScales& scales, const Rect& place, ImU32 colour) {
  const double zero = scales.y.log ? 0 : std::clamp(scales.y.position(0), -1.0, 2.0);
  const float base = place.bottom() - static_cast<float>(zero) * place.height;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    const double low = scales.x.position(series.x[i]), high = scales.x.position(series.x[i] + series.bar_width);
    const double value = scales.y.position(series.y[i]);
    if (!std::isfinite(value) || !(high >= 0 && low <= 1)) continue;
    const float left = place.x + static_cast<float>(low) * place.width;
    const float right = std::max(place.x + static_cast<float>(high) * place.width, left + 1);
    const float top = place.bottom() - static_cast<float>(std::clamp(value, -1.0, 2.0)) * place.height;
    list.AddRectFilled({left, std::min(top, base)}, {right - (right - left > 4 ? 1.0f : 0.0f), std::max(top, base)},
                       colour);
  }
}

void drawSeries(const Ui& ui, ImDrawList& list, const PlotSeries& series, const PlotScales& scales, const Rect& place) {
  const ImU32 colour = seriesColour(ui, series);
  const float width = 1.4f * hairline(ui);
  if (series.style == PlotSeries::Style::Bars && series.bar_width > 0) {
    drawBars(list, series, scales, place, (colour & 0x00FFFFFF) | 0xA0000000);
    return;
  }
  eachPiece(series, scales, place, [&](const std::vector<ImVec2>& points) {
    if (points.size() == 1) {
      list.AddCircleFilled(points.front(), ui.px(2), colour, 10);
    } else if (series.style == PlotSeries::Style::Dashed) {
      dashedPath(list, points, colour, width, ui.px(4));
    } else {
      list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, width);
    }
  });
}

double lastOf(const PlotSeries& series) {
  return series.y.empty() ? std::nan("") : series.y.back();
}

// How much the legend says of each series: less where there is less room.
enum class Detail { Swatches, FirstValue, Titles, TitlesAndFirstValue, All };

// `scale`: of the axis, whose unit the title has.
std::string legendText(const Plot& plot, const PlotZoom& zoom, std::size_t index, Detail detail, bool values,
                       double scale) {
  const PlotSeries& series = plot.series[index];
  const bool valued =
      detail == Detail::All || (index == 0 && (detail == Detail::TitlesAndFirstValue || detail == Detail::FirstValue));
  std::string text = detail >= Detail::Titles && series.title != plot.title ? series.title : std::string();
  if (!valued || !values || !zoom.shows(series) || !std::isfinite(lastOf(series))) return text;
  if (!text.empty()) text += ' ';
  return text += shortNumber(lastOf(series) / scale);
}

// The legend as a row from the right: as much of each entry as there is room for.
void drawLegend(const Ui& ui, ImDrawList& list, const Plot& plot, const PlotZoom& zoom, const Rect& row, bool values,
                double scale, PlotLayout& layout) {
  const float swatch = ui.px(14), gap = ui.px(5), between = ui.px(12);
  Detail detail = Detail::All;
  const auto widthOf = [&](std::size_t i) {
    const std::string text = legendText(plot, zoom, i, detail, values, scale);
    return swatch + (text.empty() ? 0 : gap + ImGui::CalcTextSize(text.c_str()).x);
  };
  for (const Detail each :
       {Detail::All, Detail::TitlesAndFirstValue, Detail::Titles, Detail::FirstValue, Detail::Swatches}) {
    detail = each;
    float width = -between;
    for (std::size_t i = 0; i < plot.series.size(); ++i) width += between + widthOf(i);
    if (width <= row.width) break;
  }
  float x = row.right() + between;
  for (std::size_t i = plot.series.size(); i-- > 0;) {
    const PlotSeries& series = plot.series[i];
    x -= between + widthOf(i);
    if (x < row.x) break;
    const bool shown = zoom.shows(series);
    const ImU32 colour = shown ? seriesColour(ui, series) : toU32(ui.colours().dim, 0.5f);
    const float middle = std::round(row.y + row.height / 2);
    if (series.style == PlotSeries::Style::Bars) {
      list.AddRectFilled({x, middle - ui.px(4)}, {x + swatch, middle + ui.px(4)}, colour);
    } else if (series.style == PlotSeries::Style::Dashed) {
      dashedPath(list, {{x, middle}, {x + swatch, middle}}, colour, ui.px(2), ui.px(4));
    } else {
      list.AddLine({x, middle}, {x + swatch, middle}, colour, ui.px(2));
    }
    const std::string text = legendText(plot, zoom, i, detail, values, scale);
    list.AddText({x + swatch + gap, row.y}, shown ? toU32(ui.colours().text) : toU32(ui.colours().dim, 0.6f),
                 text.c_str());
    layout.legend.push_back({{x, row.y, widthOf(i), row.height}, series.key});
  }
}

void drawCursor(const Ui& ui, ImDrawList& list, const Plot& plot, const PlotZoom& zoom, const PlotLayout& layout,
                ImVec2 cursor) {
  const Rect& at = layout.plot;
  if (cursor.x < at.x || cursor.x > at.right() || cursor.y < at.y || cursor.y > at.bottom()) return;
  const PlotScales& scales = *layout.scales;
  const double wanted = scales.x.value((cursor.x - at.x) / at.width);
  const UiColours& p = ui.colours();
  struct Line {
    std::string text;
    ImU32 colour;
  };
  std::vector<Line> lines;
  float mark = cursor.x;
  std::vector<std::pair<ImVec2, ImU32>> dots;
  for (const PlotSeries& series : plot.series) {
    if (!zoom.shows(series)) continue;
    const auto i = nearestSample(series.x, wanted - series.bar_width / 2);
    if (!i) continue;
    const double x = series.x[*i], y = series.y[*i];
    if (lines.empty()) {
      const std::string title = plot.x.title.empty() ? "x" : plot.x.title;
      lines.push_back({title + " = " + valueText(x + series.bar_width / 2, plot.x.unit), toU32(p.dim)});
      mark = at.x + static_cast<float>(scales.x.position(x + series.bar_width / 2)) * at.width;
    }
    lines.push_back({series.title + "  " + valueText(y, series.unit), toU32(p.text)});
    const double place = scales.y.position(y), across = scales.x.position(x + series.bar_width / 2);
    if (std::isfinite(place) && place >= 0 && place <= 1 && across >= 0 && across <= 1) {
      dots.push_back(
          {{at.x + static_cast<float>(across) * at.width, at.bottom() - static_cast<float>(place) * at.height},
           seriesColour(ui, series)});
    }
  }
  if (lines.empty()) return;
  if (mark >= at.x && mark <= at.right())
    list.AddLine({mark, at.y}, {mark, at.bottom()}, toU32(p.dim, 0.7f), hairline(ui));
  for (const auto& [dot, colour] : dots) {
    list.AddCircleFilled(dot, ui.px(3.4f), toU32(p.background), 14);
    list.AddCircleFilled(dot, ui.px(2.4f), colour, 12);
  }
  float width = 0;
  for (const Line& line : lines) width = std::max(width, ImGui::CalcTextSize(line.text.c_str()).x);
  const float height = ImGui::GetTextLineHeight(), pad = ui.px(5);
  const float box_width = width + 2 * pad, box_height = height * static_cast<float>(lines.size()) + 2 * pad;
  float x = mark + ui.px(8);
  if (x + box_width > at.right()) x = mark - ui.px(8) - box_width;
  x = std::round(std::clamp(x, at.x, std::max(at.x, at.right() - box_width)));
  const float y = std::round(at.y + ui.px(2));
  list.AddRectFilled({x, y}, {x + box_width, y + box_height}, toU32(p.panel, 0.92f), ui.px(3));
  list.AddRect({x, y}, {x + box_width, y + box_height}, toU32(p.line), ui.px(3), 0, hairline(ui));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    list.AddText({x + pad, y + pad + height * static_cast<float>(i)}, lines[i].colour, lines[i].text.c_str());
  }
}

// The plot's rectangle, with its ticks around it, and those of y.
Rect drawAxes(const Ui& ui, ImDrawList& list, const Plot& plot, const PlotScales& scales, const Rect& box,
              PlotTicks& y) {
  const UiColours& p = ui.colours();
  const float line = ImGui::GetTextLineHeight();
  const bool labels_below = box.height > 4.2f * line;
  const float below = labels_below ? line + ui.px(3) : ui.px(3);
  Rect inner{box.x, box.y + ui.px(4), box.width, box.height - below - ui.px(4)};
  y = ticksOf(scales.y, std::max(2, static_cast<int>(inner.height / (2.0f * line))), plot.y.unit);
  float gutter = 0;
  for (const std::string& label : y.labels) gutter = std::max(gutter, ImGui::CalcTextSize(label.c_str()).x);
  inner.x += gutter + ui.px(6);
  inner.width = std::max(box.right() - ui.px(6) - inner.x, 8.0f);
  const float thin = hairline(ui);
  list.AddRectFilled({inner.x, inner.y}, {inner.right(), inner.bottom()}, toU32(p.background), ui.px(2));
  for (std::size_t i = 0; i < y.places.size(); ++i) {
    const float at = std::round(inner.bottom() - static_cast<float>(y.places[i]) * inner.height);
    list.AddLine({inner.x, at}, {inner.right(), at}, toU32(p.line, 0.8f), thin);
    if (i >= y.labels.size()) continue;
    const float top = std::clamp(at - line / 2, box.y, inner.bottom() - line * 0.75f);
    list.AddText({inner.x - ui.px(4) - ImGui::CalcTextSize(y.labels[i].c_str()).x, std::round(top)}, toU32(p.dim),
                 y.labels[i].c_str());
  }
  const PlotTicks x = ticksOf(scales.x, std::max(2, static_cast<int>(inner.width / ui.px(46))), plot.x.unit);
  const std::string title = axisText(plot.x.title, x.unit);
  const float title_width = ImGui::CalcTextSize(title.c_str()).x;
  const float title_left = inner.right() - title_width;
  for (std::size_t i = 0; i < x.places.size(); ++i) {
    const float at = std::round(inner.x + static_cast<float>(x.places[i]) * inner.width);
    list.AddLine({at, inner.y}, {at, inner.bottom()}, toU32(p.line, 0.8f), thin);
    if (!labels_below || i >= x.labels.size()) continue;
    const float width = ImGui::CalcTextSize(x.labels[i].c_str()).x;
    const float left = std::round(std::max(at - width / 2, box.x));
    if (left + width > title_left - ui.px(6)) continue;
    list.AddText({left, inner.bottom() + ui.px(2)}, toU32(p.dim), x.labels[i].c_str());
  }
  if (labels_below) list.AddText({title_left, inner.bottom() + ui.px(2)}, toU32(p.text, 0.8f), title.c_str());
  list.AddRect({inner.x, inner.y}, {inner.right(), inner.bottom()}, toU32(p.line), 0, 0, thin);
  return inner;
}

}  // namespace

std::string valueText(double value, const std::string& unit) {
  const std::string text = shortNumber(value);
  return unit.empty() || !std::isfinite(value) ? text : text + " " + unit;
}

PlotLayout drawPlot(const Ui& ui, ImDrawList& list, const Plot& plot, const PlotZoom& zoom, const Rect& place,
                    float reserved, std::optional<ImVec2> cursor) {
  PlotLayout layout;
  const UiColours& p = ui.colours();
  const ScopedFont font(ui.fonts.small);
  const float line = ImGui::GetTextLineHeight(), head = line + ui.px(5);
  const Rect box{place.x, place.y + head, place.width, place.height - head};
  layout.scales = scalesOf(plot, zoom);
  PlotTicks y;
  y.unit = plot.y.unit;
  if (layout.scales && box.height > 2 * line) {
    layout.plot = drawAxes(ui, list, plot, *layout.scales, box, y);
    const Rect& at = layout.plot;
    list.PushClipRect({at.x, at.y}, {at.right(), at.bottom()}, true);
    for (const PlotSeries& series : plot.series) {
      if (zoom.shows(series)) drawSeries(ui, list, series, *layout.scales, at);
    }
    list.PopClipRect();
  } else {
    layout.scales.reset();
    list.AddRectFilled({box.x, box.y}, {box.right(), box.bottom()}, toU32(p.background), ui.px(3));
    const char* const text = plot.series.empty() ? "nothing to show" : "no values yet";
    const ImVec2 size = ImGui::CalcTextSize(text);
    if (size.x < box.width && size.y < box.height) {
      list.AddText({std::round(box.x + (box.width - size.x) / 2), std::round(box.y + (box.height - size.y) / 2)},
                   toU32(p.dim), text);
    }
  }
  const float room = place.width - reserved;
  const std::string full = axisText(plot.title, y.unit);
  const float most = std::max(0.62f * room, ui.px(40));
  std::string fits = full;
  if (ImGui::CalcTextSize(full.c_str()).x > most) {
    // A power of ten belongs to the numbers: the words give way to it.
    const std::string scaled = y.scale == 1 ? std::string() : " [" + y.unit + "]";
    fits = fitted(plot.title, std::max(most - ImGui::CalcTextSize(scaled.c_str()).x, ui.px(20))) + scaled;
  }
  list.AddText({place.x, place.y}, toU32(p.dim), fits.c_str());
  const float used = ImGui::CalcTextSize(fits.c_str()).x + ui.px(10);
  const bool over_time = plot.key.rfind("diagnostic:", 0) == 0 || plot.key.rfind("probes:", 0) == 0;
  const Rect row{place.x + used, place.y, room - used, line};
  if (plot.series.size() == 1 && plot.series.front().title == plot.title) {
    const std::string now = shortNumber(lastOf(plot.series.front()) / y.scale);
    const float width = ImGui::CalcTextSize(now.c_str()).x;
    if (width < row.width) list.AddText({row.right() - width, row.y}, toU32(p.text), now.c_str());
  } else {
    drawLegend(ui, list, plot, zoom, row, over_time, y.scale, layout);
  }
  if (cursor && layout.scales) drawCursor(ui, list, plot, zoom, layout, *cursor);
  return layout;
}

void drawSparkline(const Ui& ui, ImDrawList& list, const PlotSeries& series, const Rect& place) {
  const Plot plot{.series = {series}};
  const auto scales = scalesOf(plot, {});
  if (!scales) return;
  ImVec2 last(0, 0);
  bool any = false;
  eachPiece(series, *scales, place, [&](const std::vector<ImVec2>& points) {
    if (points.size() > 1) {
      list.AddPolyline(points.data(), static_cast<int>(points.size()), seriesColour(ui, series), 0, hairline(ui));
    }
    last = points.back();
    any = true;
  });
  if (any) list.AddCircleFilled(last, ui.px(1.8f), seriesColour(ui, series), 8);
}

}  // namespace simscope::gui
