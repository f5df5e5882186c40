// The exact colours of points in space. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/core/view.h"

namespace simscope::render {

// For points that glow in these colours, and for lines over them.
std::vector<std::uint32_t> glowingColours(Theme theme, std::span<const std::uint32_t> colours,
                                          const std::vector<PathInfo>& paths = {});
std::vector<std::uint32_t> pointColours(const View& view, const FigureOptions& options);

}  // namespace simscope::render
