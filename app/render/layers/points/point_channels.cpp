#include "app/render/layers/points/point_channels.h"

#include <fmt/format.h>

#include <array>

#include "app/render/figure/colormap.h"
#include "app/render/figure/plan_parts.h"
#include "app/render/figure/theme.h"
#include "app/render/layers/points/point_tone.h"
#include "sims/compute/error.h"

namespace simscope::render {

const Channel& pointChannel(const Frame& frame, const std::string& key, int components, const std::string& view) {
  const Channel* c = frame.find(key);
  const bool whole = c && c->width > 0 && c->height > 0 && c->components == components &&
                     c->data.size() >= static_cast<std::size_t>(c->width) * static_cast<std::size_t>(c->height) *
                                           static_cast<std::size_t>(components);
  if (!whole) {
    throw Error(
        fmt::format("The view \"{}\" draws the channel \"{}\" with {} components, which is missing in the frame or has "
                    "another shape.",
                    view, key, components));
  }
  return *c;
}

const Channel* pointValues(const Frame& frame, const Channel& points, const std::string& key, const std::string& view) {
  if (key.empty()) return nullptr;
  const Channel& values = pointChannel(frame, key, 1, view);
  if (values.width != points.width) {
    throw Error(fmt::format("The channels \"{}\" and \"{}\" differ in length ({} points and {} values).", points.key,
                            key, points.width, values.width));
  }
  return &values;
}

void planPointColours(PanelPlan& panel, const Channel* values, const std::string& usual_colormap, FieldScale scale,
                      const FigureOptions& options) {
  ColourKey& key = panel.key;
  const ThemeColours& colours = themeColours(options.theme);
  if (!values) {
    key.table = pointTable(std::array{kPlainPoint}, colours);
    return;
  }
  key.table =
      pointTable(colormap(options.colormap.empty() ? usual_colormap : options.colormap, options.reversed), colours);
  key.range = colourRange({.scale = options.value_scale.value_or(scale)}, *values, options.range);
  key.kinds = values->kinds;
}

AxisTicks pointKeyTicks(const PanelPlan& panel, const Channel& values, int most, const Canvas& canvas) {
  constexpr double kLabelShare = 0.2;
  if (values.kinds <= 0) return rangeTicks(panel.key.range, most);
  const AxisTicks named = kindTicks(values.kinds, most, values.kind_names);
  if (labelRoom(canvas, named, panel.scale) <= kLabelShare * panel.room.width()) return named;
  return kindTicks(values.kinds, most);
}

}  // namespace simscope::render
