// Curves reduced to the columns of a plot by the processor: what shaders/columns.comp does, where the samples lie in
// the host's memory and OpenGL is software, which would have to finish the picture before for it. Sines and arc
// tangents are those of the C library: phases may differ from the shader's in their last bits, and rarely by an entry
// of the wheel.
//
// Thread: any; the work is that of the caller. Errors: none.
#pragma once

#include <array>
#include <vector>

namespace simscope::render {

struct RasterCurve {
  const float* values = nullptr;  // count samples, `stride` floats apart
  int stride = 1;
  const float* phases = nullptr;  // likewise [rad]; null: none
  int phase_stride = 1;
  int count = 0;
  int base = 0;                     // the sample at or before the plot's left edge
  float offset = 0, per_pixel = 1;  // of the left edge from there; samples
  float zero = 0, per_value = -1;   // height in pixels = zero + per_value·value, per_value < 0
  float phase_colours = 0;          // of the wheel
  bool bars = false;                // each sample fills its width: nothing between it and the next
};

// Two vectors a column, as shaders/common.glsl has them.
using CurveColumns = std::vector<std::array<float, 4>>;
void rasterColumns(const RasterCurve& curve, int columns, CurveColumns& out);

}  // namespace simscope::render
