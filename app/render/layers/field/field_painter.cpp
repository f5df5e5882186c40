#include "app/render/layers/field/field_painter.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <type_traits>

#include "app/render/figure/colour_key.h"
#include "app/render/figure/decoration.h"
#include "app/render/layers/field/field_key.h"
#include "app/render/layers/field/field_plan.h"

namespace simscope::render {
namespace {

std::string named(const std::string& title, const char* otherwise) {
  return title.empty() ? std::string(otherwise) : title;
}

// What the cell at (x, y) holds.
std::vector<Reading> readings(const PanelPlan& panel, const Drawing& drawing, double x, double y) {
  const FieldView& view = panel.viewAs<FieldView>();
  const Channel& c = *panel.contentAs<PlannedField>().channel;
  const ThemeColours& colours = drawing.colours;
  std::vector<Reading> all;
  const auto add = [&](const std::string& name, double value, Colour colour) {
    all.push_back({name, numberText(value, 4), colour});
  };
  add(named(view.x.title, "x"), x, colours.text);
  add(named(view.y.title, "y"), y, colours.text);
  const double column = std::floor((x - c.x_min) / (c.x_max - c.x_min) * c.width);
  const double row = std::floor((y - c.y_min) / (c.y_max - c.y_min) * c.height);
  if (!(column >= 0 && column < c.width && row >= 0 && row < c.height)) return all;

  std::array<float, 3> values{};
  const int read = std::min(c.components, static_cast<int>(values.size()));
  const auto first = static_cast<GLintptr>(row * c.width + column) * c.components;
  glGetNamedBufferSubData(drawing.transfer.buffer(drawing.frame, c.key), first * static_cast<GLintptr>(sizeof(float)),
                          read * static_cast<GLsizeiptr>(sizeof(float)), values.data());
  const bool absent = !view.absent.empty() && std::any_of(values.begin(), values.begin() + read,
                                                          [](float value) { return !std::isfinite(value); });
  if (absent) {
    all.push_back({view.absent, "", colours.text});
    return all;
  }
  switch (view.style) {
    case FieldStyle::Scalar:
      add(named(labelOf(view.value, c.form).title, "value"), values[0], colours.text);
      break;
    case FieldStyle::Complex:
      add(named(labelOf(view.value, c.form).title, "amplitude"), std::hypot(values[0], values[1]), colours.text);
      if (const double phase = std::atan2(values[1], values[0]); std::isfinite(phase)) {
        add("phase", wholeTurn(phase), colours.phase[phaseEntry(phase)]);
      }
      break;
    case FieldStyle::Colour:
      for (std::size_t i = 0; i < values.size(); ++i) {
        add(std::array{"red", "green", "blue"}[i], values[i], colours.text);
      }
      break;
  }
  return all;
}

// Of cells that hold no number.
Colour missingColour(const PanelPlan& panel) {
  return panel.viewAs<FieldView>().absent.empty() ? kMissingColour : kAbsentColour;
}

FieldSource sourceOf(const Channel& c, const Drawing& drawing, bool host = false) {
  return {host ? 0 : drawing.transfer.buffer(drawing.frame, c.key),
          c.width,
          c.height,
          c.components,
          {c.x_min, c.x_max},
          {c.y_min, c.y_max},
          host ? drawing.transfer.host(drawing.frame, c.key) : nullptr};
}

}  // namespace

void FieldPainter::prepare(PanelPlan& panel, const Drawing& drawing) {
  const PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  if (!arrows.channel) return;
  const int n = drawing.supersampling();
  layerOf(arrows_, panel.index, arrow_programs_)
      .reduce(drawing.drawn(panel.area), n * panel.scale, sourceOf(*arrows.channel, drawing), arrows.channel->high,
              n * arrows.longest, !panel.viewAs<FieldView>().absent.empty());
}

// The processor takes what it can do to the bit: contours of logarithms are left to the shaders.
bool FieldPainter::takes(const PanelPlan& panel, const Drawing& drawing) const {
  const PlannedField& field = panel.contentAs<PlannedField>();
  const bool log = panel.key.range.scale == FieldScale::Log;
  const auto onHost = [&](const Channel* c) { return !c || drawing.transfer.host(drawing.frame, c->key); };
  return by_processor_ && !(log && panel.key.contours) && onHost(field.channel) && onHost(field.overlay);
}

template <class Layer>
void FieldPainter::reduceInto(Layer& layer, const PanelPlan& panel, const Drawing& drawing) {
  constexpr bool kHost = std::is_same_v<Layer, FieldBitmap>;
  const PlannedField& field = panel.contentAs<PlannedField>();
  const ColourRange& range = panel.key.range;
  const FieldSource main = sourceOf(*field.channel, drawing, kHost);
  layer.reduce(FieldLayer::Picture::Main, main, panel.viewAs<FieldView>().style, range);
  if (panel.key.contours) layer.reduce(FieldLayer::Picture::Joined, main, FieldStyle::Scalar, range);
  if (field.overlay) {
    layer.reduce(FieldLayer::Picture::Overlay, sourceOf(*field.overlay, drawing, kHost), FieldStyle::Scalar,
                 ColourRange{});
  }
}

void FieldPainter::reduce(const PanelPlan& panel, const Drawing& drawing) {
  FieldLayer& layer = layerOf(layers_, panel.index, programs_);
  const PlotArea area = drawing.drawn(panel.area);
  layer.begin(area, drawing.tile, contoursOf(panel, drawing), panel.key.table);
  if (!takes(panel, drawing)) return reduceInto(layer, panel, drawing);
  FieldBitmap& bitmap = layerOf(bitmaps_, panel.index, bitmap_programs_);
  bitmap.begin(area, drawing.tile, contoursOf(panel, drawing), panel.key.table);
  reduceInto(bitmap, panel, drawing);
  bitmap.finish(missingColour(panel), background(drawing.colours), drawing.whole);
}

void FieldPainter::decorate(const PanelPlan& panel, const Drawing& drawing) {
  drawAxes(drawing.canvas, panel, drawing.colours);
  // Both have one line for their legend; arrows, which one has to ask for, come first.
  const PlannedField& field = panel.contentAs<PlannedField>();
  if (field.arrows.key_length > 0) {
    drawArrowTexts(drawing.canvas, panel, drawing.colours);
  } else {
    drawPathLegend(drawing.canvas, panel, field.paths, drawing.colours);
  }
  if (!(panel.key.width > 0)) return;
  if (panel.viewAs<FieldView>().style == FieldStyle::Scalar) {
    drawColourBar(drawing.canvas, panel, drawing.colours);
  } else {
    drawWheelTexts(drawing.canvas, panel, drawing.colours);
  }
}

void FieldPainter::mark(const PanelPlan& panel, const Drawing& drawing) {
  if (!drawing.options.marker_x || !drawing.options.marker_y) return;
  const double x = *drawing.options.marker_x, y = *drawing.options.marker_y;
  const PlotArea& a = panel.area;
  if (!(x >= a.x.low && x <= a.x.high && y >= a.y.low && y <= a.y.high)) return;
  drawMarker(drawing.canvas, panel, drawing.colours, x, y, readings(panel, drawing, x, y));
}

FieldLayer::Contours FieldPainter::contoursOf(const PanelPlan& panel, const Drawing& drawing) {
  const double s = panel.scale * panel.lines * drawing.supersampling();
  FieldLayer::Contours contours;
  if (panel.key.contours) {
    // Not at the range's ends: a field at rest on one of them would be all lines.
    const Limits& l = panel.key.range.limits;
    for (const double value : panel.key.ticks.major) {
      if (value > l.low && value < l.high) contours.levels.push_back(panel.key.range.position(value));
    }
    contours.level_width = 1.1 * s;
  }
  if (panel.contentAs<PlannedField>().overlay) {
    contours.overlay_width = 1.3 * s;
    contours.overlay_level = panel.viewAs<FieldView>().overlay_level;
  }
  return contours;
}

void FieldPainter::paint(const PanelPlan& panel, const Drawing& drawing) {
  if (takes(panel, drawing)) {
    layerOf(bitmaps_, panel.index, bitmap_programs_).draw();
  } else {
    layerOf(layers_, panel.index, programs_).draw(panel.viewAs<FieldView>().style, missingColour(panel));
  }
  const PlannedField& field = panel.contentAs<PlannedField>();
  drawPaths(path_layer_, panel, field.paths, drawing, kLinesOnBright);
  if (field.arrows.channel) layerOf(arrows_, panel.index, arrow_programs_).draw(drawing.tile);
}

void FieldPainter::paintKey(const PanelPlan& panel, const Drawing& drawing) {
  const PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  const int n = drawing.supersampling();
  if (arrows.key_length > 0) {
    layerOf(arrows_, panel.index, arrow_programs_)
        .drawKey(drawing.tile, n * arrows.key_left, n * arrows.key_middle, n * arrows.key_length, drawing.colours.text);
  }
  const ColourKey& key = panel.key;
  if (panel.viewAs<FieldView>().style == FieldStyle::Complex && key.width > 0) {
    layerOf(layers_, panel.index, programs_)
        .drawWheel(n * std::round(key.left), n * std::round(key.top), n * std::round(key.width));
  }
}

}  // namespace simscope::render
