// The scale and the range of a field's colours, in the shaders' form. Plain data; any thread.
#pragma once

#include "app/render/figure/colour_range.h"
#include "sims/core/description.h"

namespace simscope::render {

struct FieldPlace {
  int scale = 0;               // 0: linear, 1: log, 2: square root, 3: square root on both sides
  float low = 0, inverse = 1;  // low (its logarithm for scale 1), and 1 / (high − low)
};
FieldPlace fieldPlace(const ColourRange& range, FieldStyle style);

}  // namespace simscope::render
