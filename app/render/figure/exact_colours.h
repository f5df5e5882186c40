// The colours of a figure, for files whose palette should contain them exactly. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"

namespace simscope::render {

// The colours of a figure, for a palette: theme.h's, and some blends at the edges of text and outline. At most 255,
// without repetition. Of a figure of curves:
std::vector<std::uint32_t> exactColours(Theme theme);
// Of a scalar field: all its colours except blends at the edges of text and contours. UsageError: unknown map.
std::vector<std::uint32_t> exactColours(Theme theme, const std::string& colormap, bool reversed);
// Of the view in the options. Complex and colour fields, points, and several panels with different colours have more
// colours than a palette: a representative selection.
std::vector<std::uint32_t> exactColours(const Description& description, const FigureOptions& options);

}  // namespace simscope::render
