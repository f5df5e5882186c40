// The plan of the arrows over a field: their lengths, and the key that explains them.
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

constexpr double kAfterArrow = 7;  // at scale 1 [pixels]

double keyRight(const PanelPlan& panel) {
  return panel.room.right - Spacing(panel.scale).pad;
}

}  // namespace

void planArrows(PanelPlan& panel) {
  PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  const double high = arrows.channel->high;
  if (!(high > 0) || !std::isfinite(high)) {
    arrows = {};
    return;
  }
  arrows.longest = longestArrow(panel.scale);
  if (panel.texts != Texts::All) return;

  const AxisInfo& info = panel.viewAs<FieldView>().arrow;
  const double value = roundBelow(high);
  arrows.key_length = value / high * arrows.longest;
  arrows.value = numberText(value, 1) + (info.unit.empty() ? "" : " " + info.unit);
  arrows.title = info.title;
}

bool arrowKeyFits(const PanelPlan& panel, const Canvas& canvas) {
  const PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  return legendLeft(panel, canvas) + arrows.key_length + kAfterArrow * panel.scale +
             canvas.textWidth(Font::Normal, arrows.value) <=
         keyRight(panel);
}

void placeArrowKey(PanelPlan& panel, const Canvas& canvas) {
  PlannedArrows& arrows = panel.contentAs<PlannedField>().arrows;
  if (!(arrows.key_length > 0)) return;
  if (!arrowKeyFits(panel, canvas)) {
    arrows.key_length = 0;
    return;
  }
  arrows.key_left = legendLeft(panel, canvas);
  arrows.key_middle = legendTop(panel, canvas) + std::round(canvas.lineHeight(Font::Normal) / 2);
  const double name = arrows.key_left + arrows.key_length + kAfterArrow * panel.scale +
                      canvas.textWidth(Font::Normal, arrows.value + "  ");
  arrows.title = canvas.elided(Font::Normal, arrows.title, keyRight(panel) - name);
}

}  // namespace simscope::render
