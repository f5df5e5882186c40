#include "app/render/figure/colour_key.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"

namespace simscope::render {

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
  canvas.rectangle(Canvas::Layer::Over, left - hair, top - hair, right + hair, bottom + hair, colours.axis);
  // Each row of pixels shows the entry of its middle; neighbours of one entry are drawn in one go.
  const auto rows = static_cast<std::size_t>(key.height);
  const auto entryOf = [&](std::size_t row) { return key.entry(1 - (static_cast<double>(row) + 0.5) / key.height); };
  for (std::size_t row = 0; row < rows;) {
    std::size_t end = row + 1;
    while (end < rows && entryOf(end) == entryOf(row)) ++end;
    canvas.rectangle(Canvas::Layer::Over, left, top + static_cast<double>(row), right, top + static_cast<double>(end),
                     key.table[entryOf(row)]);
    row = end;
  }
  const auto height = [&](double value) { return bottom - key.position(value) * key.height; };
  const double major = std::round(5 * s), minor = std::round(3 * s), gap = Spacing(s).gap;
  const auto tick = [&](double value, double length) {
    horizontalLine(canvas, Canvas::Layer::Over, right + hair, right + hair + length, height(value), hair, colours.axis);
  };
  for (const double value : key.ticks.minor) tick(value, minor);
  for (std::size_t i = 0; i < key.ticks.major.size(); ++i) {
    const double value = key.ticks.major[i];
    tick(value, major);
    canvas.text(Canvas::Layer::Over, Canvas::Font::Small, right + hair + major + gap,
                height(value) - canvas.lineHeight(Canvas::Font::Small) / 2, colours.text_dim, key.ticks.labels[i]);
    if (key.contours && value > key.range.limits.low && value < key.range.limits.high) {
      horizontalLine(canvas, Canvas::Layer::Over, left, right, height(value), hair, colours.axis);
    }
  }
  if (panel.texts == Texts::All) drawUpwards(canvas, panel.area, key.title, panel.right_title_left, colours.text);
}

}  // namespace simscope::render
