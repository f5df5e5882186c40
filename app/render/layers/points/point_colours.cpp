#include "app/render/layers/points/point_colours.h"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>
#include <string>

#include "app/render/figure/colormap.h"
#include "app/render/figure/colour_set.h"
#include "app/render/figure/theme.h"
#include "app/render/layers/paths/path_plan.h"
#include "app/render/layers/points/point_tone.h"

namespace simscope::render {

// Their light, or what they take away, from faint to blinding, and what surrounds them.
std::vector<std::uint32_t> glowingColours(Theme theme, std::span<const Colour> colours,
                                          const std::vector<PathInfo>& paths) {
  const ThemeColours& c = themeColours(theme);
  const std::vector<Colour> table = pointTable(colours, c);
  ColourSet set;
  addAround(set, c);
  set.addAll(std::initializer_list<Colour>{c.space, c.cube, c.cube_label, c.cube_title, c.reticle});
  addPathColours(set, paths, c, c.space);
  set.ramp(c.background, c.text, 7);
  set.ramp(c.background, c.text_dim, 5);
  set.ramp(c.space, c.cube_title, 4);
  constexpr std::size_t kBarColours = 48;  // of the colour bar, which shows the table as it is
  for (std::size_t i = 0; i < kBarColours; ++i) set.add(table[i * (table.size() - 1) / (kBarColours - 1)]);
  set.addAll(glowColours(table, set.room() - std::min(set.room(), kRoomForAreas), c));
  return set.take();
}

std::vector<std::uint32_t> pointColours(const View& view, const FigureOptions& options) {
  const PointView& points = *view.as<PointView>();
  if (points.value_channel.empty()) return glowingColours(options.theme, std::array{kPlainPoint});
  const std::string& map = options.colormap.empty() ? points.colormap : options.colormap;
  return glowingColours(options.theme, colormap(map, options.reversed));
}

}  // namespace simscope::render
