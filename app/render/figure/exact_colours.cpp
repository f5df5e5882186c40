#include "app/render/figure/exact_colours.h"

#include <algorithm>

#include "app/render/figure/colour_set.h"
#include "app/render/figure/plan.h"
#include "app/render/layers/kinds.h"

namespace simscope::render {
namespace {

// `count` of the colours or all there are, spread evenly, first and last among them.
std::vector<Colour> spread(const std::vector<Colour>& colours, std::size_t count) {
  if (colours.size() <= count) return colours;
  std::vector<Colour> some;
  for (std::size_t i = 0; i < count; ++i) {
    some.push_back(colours[count == 1 ? 0 : i * (colours.size() - 1) / (count - 1)]);
  }
  return some;
}

// What all panels have around them; then a share of each panel's own colours, the main one's twice as large.
std::vector<std::uint32_t> linkedColours(const std::vector<ShownPanel>& panels, const FigureOptions& options) {
  const ThemeColours& c = themeColours(options.theme);
  ColourSet set;
  addAround(set, c);
  addEdges(set, c);
  std::vector<std::vector<Colour>> tables;
  for (std::size_t i = 0; i < panels.size(); ++i) {
    const View& view = *panels[i].view;
    const ViewKind& kind = kindOf(view);
    if (kind.addIndispensable) kind.addIndispensable(set, c);
    const std::vector<Colour> colours = kind.exactColours(view, panelOptions(options, i));
    if (std::find(tables.begin(), tables.end(), colours) == tables.end()) tables.push_back(colours);
  }
  for (std::size_t i = 0; i < tables.size(); ++i) {
    std::erase_if(tables[i], [&](Colour colour) { return set.knows(colour); });
    const std::size_t weight = i == 0 ? 2 : 1, all = tables.size() - i + (i == 0 ? 1 : 0);
    const std::size_t room = set.room() - std::min(set.room(), kRoomForAreas);
    set.addAll(spread(tables[i], room * weight / all));
  }
  return set.take();
}

}  // namespace

void addAround(ColourSet& set, const ThemeColours& c) {
  set.addAll(std::initializer_list<Colour>{c.background, c.plot, c.axis, c.text, c.text_dim, c.marker, c.box,
                                           kMissingColour, kLinesOnDark, kLinesOnBright});
}
void addEdges(ColourSet& set, const ThemeColours& c) {
  set.ramp(c.background, c.text, 9);
  set.ramp(c.background, c.text_dim, 8);
}

std::vector<std::uint32_t> exactColours(const Description& description, const FigureOptions& options) {
  const std::vector<ShownPanel> panels = description.panelsOf(description.view(options.view));
  if (panels.size() > 1) return linkedColours(panels, options);
  return kindOf(*panels.front().view).exactColours(*panels.front().view, options);
}

}  // namespace simscope::render
