#include "app/render/figure/tile.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/gl/gl_objects.h"

namespace simscope::render {
namespace {

// Of one tile: the light of points takes 24 bytes a pixel, a complex field 20.
constexpr std::int64_t kMostPixels = 16 << 20;
constexpr std::int64_t kBytesOfLight = 16;  // that lie in one piece

int limitOf(GLenum name) {
  GLint value = 0;
  glGetIntegerv(name, &value);
  return value;
}

template <class Number>
Number within(Number asked, Number limit) {
  return asked > 0 ? std::min(asked, limit) : limit;
}

int partsFor(std::int64_t all, std::int64_t most) {
  return static_cast<int>((all + most - 1) / most);
}

}  // namespace

FigureLimits limitsOfDriver(const FigureLimits& asked) {
  std::array<GLint, 2> viewport{};
  glGetIntegerv(GL_MAX_VIEWPORT_DIMS, viewport.data());
  const int side =
      std::min({limitOf(GL_MAX_TEXTURE_SIZE), limitOf(GL_MAX_RENDERBUFFER_SIZE), limitOf(GL_MAX_FRAMEBUFFER_WIDTH),
                limitOf(GL_MAX_FRAMEBUFFER_HEIGHT), viewport[0], viewport[1]});
  GLint64 storage = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &storage);
  const std::int64_t pixels = std::min({kMostPixels, static_cast<std::int64_t>(storage) / kBytesOfLight,
                                        static_cast<std::int64_t>(limitOf(GL_MAX_TEXTURE_BUFFER_SIZE))});
  return {within(asked.side, side), within(asked.pixels, pixels)};
}

std::vector<Tile> tilesOf(const Tile& whole, const FigureLimits& limits, int grid) {
  // All in steps of the grid.
  const auto steps = [&](std::int64_t pixels) { return std::max<std::int64_t>(pixels / grid, 1); };
  const std::int64_t all_across = (whole.width + grid - 1) / grid, all_down = (whole.height + grid - 1) / grid;
  const int columns = partsFor(all_across, steps(limits.side));
  const std::int64_t across = partsFor(all_across, columns);
  const int rows = partsFor(all_down, std::min(steps(limits.side), steps(limits.pixels / (across * grid))));
  const std::int64_t down = partsFor(all_down, rows);
  std::vector<Tile> tiles;
  for (std::int64_t y = 0; y < all_down; y += down) {
    for (std::int64_t x = 0; x < all_across; x += across) {
      const int left = static_cast<int>(x) * grid, top = static_cast<int>(y) * grid;
      tiles.push_back({whole.left + left, whole.top + top,
                       std::min(static_cast<int>(across) * grid, whole.width - left),
                       std::min(static_cast<int>(down) * grid, whole.height - top)});
    }
  }
  return tiles;
}

Tile partOf(const PlotArea& plot, const Tile& tile, int margin) {
  const int plot_left = static_cast<int>(plot.left), plot_top = static_cast<int>(plot.top);
  const int width = static_cast<int>(std::lround(plot.width)), height = static_cast<int>(std::lround(plot.height));
  const int left = std::max(tile.left - plot_left - margin, 0), top = std::max(tile.top - plot_top - margin, 0);
  const int right = std::min(tile.left + tile.width - plot_left + margin, width);
  const int bottom = std::min(tile.top + tile.height - plot_top + margin, height);
  return {left, top, right - left, bottom - top};
}

PlotArea enlarged(PlotArea area, int times) {
  for (double* length : {&area.left, &area.top, &area.width, &area.height}) *length *= times;
  return area;
}

}  // namespace simscope::render
