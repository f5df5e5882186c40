#include "app/render/layers/field_key.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;

}  // namespace

double ColourKey::position(double value) const {
  return kinds > 0 ? (value + 0.5) / kinds : range.position(value);
}

std::size_t ColourKey::entry(double along) const {
  const double shown = kinds > 0 ? range.position(std::min(std::floor(along * kinds), kinds - 1.0)) : along;
  return colourEntry(shown, table.size());
}

void drawColourBar(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const ColourKey& key = panel.key;
  const double s = panel.scale, hair = hairWidth(panel), left = key.left, top = key.top;
  const double right = left + key.width, bottom = top + key.height;
  canvas.rectangle(Layer::Over, left - hair, top - hair, right + hair, bottom + hair, colours.axis);
  // Each row of pixels shows the entry of its middle; neighbours of one entry are drawn in one go.
  const auto rows = static_cast<std::size_t>(key.height);
  const auto entryOf = [&](std::size_t row) { return key.entry(1 - (static_cast<double>(row) + 0.5) / key.height); };
  for (std::size_t row = 0; row < rows;) {
    std::size_t end = row + 1;
    while (end < rows && entryOf(end) == entryOf(row)) ++end;
    canvas.rectangle(Layer::Over, left, top + static_cast<double>(row), right, top + static_cast<double>(end),
                     key.table[entryOf(row)]);
    row = end;
  }
  const auto height = [&](double value) { return bottom - key.position(value) * key.height; };
  const double major = std::round(5 * s), minor = std::round(3 * s), gap = Spacing(s).gap;
  const auto tick = [&](double value, double length) {
    horizontalLine(canvas, Layer::Over, right + hair, right + hair + length, height(value), hair, colours.axis);
  };
  for (const double value : key.ticks.minor) tick(value, minor);
  for (std::size_t i = 0; i < key.ticks.major.size(); ++i) {
    const double value = key.ticks.major[i];
    tick(value, major);
    canvas.text(Layer::Over, Font::Small, right + hair + major + gap,
                height(value) - canvas.lineHeight(Font::Small) / 2, colours.text_dim, key.ticks.labels[i]);
    if (panel.field.isolines && value > key.range.limits.low && value < key.range.limits.high) {
      horizontalLine(canvas, Layer::Over, left, right, height(value), hair, colours.axis);
    }
  }
  if (panel.texts == Texts::All) drawUpwards(canvas, panel.area, key.title, panel.right_title_left, colours.text);
}

void drawArrowTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const PlannedArrows& arrows = panel.field.arrows;
  const double top = captionTop(panel, canvas), left = arrows.key_left + arrows.key_length + 7 * panel.scale;
  canvas.text(Layer::Over, Font::Normal, left, top, colours.text, arrows.value);
  canvas.text(Layer::Over, Font::Normal, left + canvas.textWidth(Font::Normal, arrows.value + "  "), top,
              colours.text_dim, arrows.title);
}

void drawWheelTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const ColourKey& key = panel.key;
  const double gap = Spacing(panel.scale).gap, small = canvas.lineHeight(Font::Small), size = key.width;
  const double middle_x = key.left + size / 2, middle_y = key.top + size / 2;
  const auto centred = [&](Font font, const std::string& text, double top, Colour colour) {
    canvas.text(Layer::Over, font, middle_x - canvas.textWidth(font, text) / 2, top, colour, text);
  };
  centred(Font::Normal, key.title, panel.area.top, colours.text);
  centred(Font::Small, "π/2", key.top - gap - small, colours.text_dim);
  centred(Font::Small, "−π/2", key.top + size + gap, colours.text_dim);
  canvas.text(Layer::Over, Font::Small, key.left + size + gap, middle_y - small / 2, colours.text_dim, "0");
  canvas.text(Layer::Over, Font::Small, key.left - gap - canvas.textWidth(Font::Small, "π"), middle_y - small / 2,
              colours.text_dim, "π");
  const double below = key.top + size + gap + small + 3 * gap;
  if (below + 2 * small + gap > panel.area.top + panel.area.height + 2 * small) return;
  centred(Font::Small, "centre: " + numberText(key.range.limits.low, 3), below, colours.text_dim);
  centred(Font::Small, "edge: " + numberText(key.range.limits.high, 3), below + small + gap, colours.text_dim);
}

}  // namespace simscope::render
