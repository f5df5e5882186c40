// The colours that a figure is drawn with, for files whose palette should hold them exactly. Plain functions; any
// thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"

namespace simscope::render {

// The colours that a figure is made of, for a palette: theme.h's, and some steps of the edges of text and outline.
// 255 of them at most, without repetition. Of a figure of curves:
std::vector<std::uint32_t> exactColours(Theme theme);
// Of a scalar field: all that it can draw but for blends at the edges of text and contours. UsageError: unknown map.
std::vector<std::uint32_t> exactColours(Theme theme, const std::string& colormap, bool reversed);
// Of whatever view the options show. Complex and colour fields, points, and several panels with colours of their own
// have more than a palette: a fair choice.
std::vector<std::uint32_t> exactColours(const Description& description, const FigureOptions& options);

}  // namespace simscope::render
