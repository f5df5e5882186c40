#include "app/render/layers/paths/path_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/render/figure/decoration.h"
#include "app/render/figure/plan_parts.h"
#include "sims/compute/error.h"

namespace simscope::render {
namespace {

using Font = Canvas::Font;
using Layer = Canvas::Layer;

// At scale 1 [pixels].
constexpr double kLineWidth = 1.8, kGhostWidth = 1.3, kEdgeWidth = 1;  // faint lines have no edge
constexpr double kSwatch = 22, kAfterSwatch = 7, kAfterName = 18;

bool isShown(const PathInfo& info, const FigureOptions& options) {
  const auto choice = options.shown.find(info.channel);
  return choice == options.shown.end() ? info.shown : choice->second;
}

const std::string& titleOf(const PathInfo& info) {
  return info.title.empty() ? info.channel : info.title;
}

}  // namespace

void addNeededPaths(std::vector<std::string>& keys, const std::vector<PathInfo>& paths, const FigureOptions& options) {
  for (const PathInfo& info : paths) {
    if (isShown(info, options)) keys.push_back(info.channel);
  }
}

std::vector<PlannedPath> planPaths(const View& view, const Frame& frame, const FigureOptions& options) {
  std::vector<PlannedPath> shown;
  for (const PathInfo& info : pathsOf(view)) {
    if (!isShown(info, options)) continue;
    const Channel* c = frame.find(info.channel);
    const bool whole = c && c->components >= 2 && c->width > 0 && c->height > 0 &&
                       c->data.size() >= static_cast<std::size_t>(c->width) * static_cast<std::size_t>(c->height) *
                                             static_cast<std::size_t>(c->components);
    if (!whole) {
      throw Error(
          fmt::format("The view \"{}\" draws the paths \"{}\", which are missing in the frame or have another shape.",
                      view.key, info.channel));
    }
    shown.push_back({&info, c});
  }
  return shown;
}

Colour pathColour(const PathInfo& info, const ThemeColours& colours) {
  return info.ghost ? colours.ghost : colours.lines[static_cast<std::size_t>(std::max(info.colour, 0)) % kLineColours];
}

void addPathColours(ColourSet& set, const std::vector<PathInfo>& paths, const ThemeColours& colours,
                    Colour background) {
  constexpr int kSteps = 4;
  for (const PathInfo& info : paths) {
    set.add(pathColour(info, colours));
    set.ramp(background, pathColour(info, colours), kSteps);
  }
}

bool pathLegendFits(const PanelPlan& panel, const std::vector<PlannedPath>& paths, const Canvas& canvas) {
  double width = 0;
  for (const PlannedPath& path : paths) {
    width += (kSwatch + kAfterSwatch + kAfterName) * panel.scale + canvas.textWidth(Font::Normal, titleOf(*path.info));
  }
  width -= kAfterName * panel.scale;
  return legendLeft(panel, canvas) + width <= panel.room.right - Spacing(panel.scale).pad;
}

void drawPathLegend(Canvas& canvas, const PanelPlan& panel, const std::vector<PlannedPath>& paths,
                    const ThemeColours& colours) {
  if (!panel.legend) return;
  const double s = panel.scale, top = legendTop(panel, canvas), right = panel.room.right - Spacing(s).pad;
  const double middle = top + std::round(canvas.lineHeight(Font::Normal) / 2);
  double x = legendLeft(panel, canvas);
  for (const PlannedPath& path : paths) {
    const double name = x + (kSwatch + kAfterSwatch) * s;
    // The last one for which there is room is cut, if it must be.
    const std::string title = canvas.elided(Font::Normal, titleOf(*path.info), right - name);
    if (title.empty()) break;
    const double end = name + canvas.textWidth(Font::Normal, title);
    horizontalLine(canvas, Layer::Over, std::round(x), std::round(x + kSwatch * s), middle, hairWidth(s, 2),
                   pathColour(*path.info, colours));
    canvas.text(Layer::Over, Font::Normal, name, top, panel.caption.empty() ? colours.text : colours.text_dim, title);
    x = end + kAfterName * s;
  }
}

void drawPaths(PathLayer& layer, const PanelPlan& panel, const std::vector<PlannedPath>& paths, const Drawing& drawing,
               Colour edge) {
  if (paths.empty()) return;
  glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
  const double s = panel.scale * panel.lines * drawing.supersampling();
  for (const PlannedPath& path : paths) {
    const PathSource source{drawing.transfer.buffer(drawing.frame, path.channel->key), path.channel->components,
                            path.channel->width, path.channel->height};
    layer.draw(source, drawing.drawn(panel.area), drawing.tile, pathColour(*path.info, drawing.colours),
               (path.info->ghost ? kGhostWidth : kLineWidth) * s, edge, path.info->ghost ? 0 : kEdgeWidth * s);
  }
}

}  // namespace simscope::render
