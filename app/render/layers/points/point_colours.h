// The exact colours of points in space. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/core/view.h"

namespace simscope::render {

std::vector<std::uint32_t> pointColours(const View& view, const FigureOptions& options);

}  // namespace simscope::render
