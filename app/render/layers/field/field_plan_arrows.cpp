// The plan of the arrows over a field: their lengths, and the key that tells what these mean.
#include <algorithm>
#include <cmath>

#include "app/render/figure/plan_parts.h"
#include "app/render/layers/field/arrow_layer.h"
#include "app/render/layers/field/field_plan.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;

// The largest of 1, 2, and 5 times a power of ten that is not above `value`.
double roundBelow(double value) {
  const double power = std::pow(10.0, std::floor(std::log10(value)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= value * (1 + 1e-9)) return digit * power;
  }
  return power;
}

}  // namespace

void planArrows(PanelPlan& panel, const Canvas& canvas) {
  PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  const double high = arrows.channel->high;
  if (!(high > 0) || !std::isfinite(high)) {
    arrows = {};
    return;
  }
  const double s = panel.scale;
  arrows.longest = longestArrow(s);
  if (panel.texts != Texts::All) return;

  const AxisInfo& info = panel.viewAs<FieldView>().arrow;
  const double value = roundBelow(high), length = value / high * arrows.longest;
  arrows.value = numberText(value, 1) + (info.unit.empty() ? "" : " " + info.unit);
  arrows.title = info.title;
  arrows.key_left = legendLeft(panel, canvas);
  arrows.key_middle = captionTop(panel, canvas) + std::round(canvas.lineHeight(Font::Normal) / 2);
  const double room = panel.room.right - Spacing(s).pad - arrows.key_left;
  const auto needed = [&](const std::string& text) { return length + 7 * s + canvas.textWidth(Font::Normal, text); };
  if (needed(arrows.value + "  " + arrows.title) > room) arrows.title.clear();
  if (needed(arrows.value) <= room) arrows.key_length = length;
}

}  // namespace simscope::render
