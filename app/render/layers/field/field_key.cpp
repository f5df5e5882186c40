#include "app/render/layers/field/field_key.h"

#include <algorithm>
#include <cmath>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/layers/field/field_plan.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;

}  // namespace

void drawArrowTexts(Canvas& canvas, const PanelPlan& panel, const ThemeColours& colours) {
  const PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  const double top = legendTop(panel, canvas), left = arrows.key_left + arrows.key_length + 7 * panel.scale;
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
