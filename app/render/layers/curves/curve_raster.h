// Reduces curves to the columns of a plot on the CPU, as shaders/columns.comp does, for samples in host memory with
// software OpenGL, which would have to finish the previous picture first. Sines and arc tangents are the C library's:
// phases may differ from the shader's in their last bits, and rarely by an entry of the wheel.
//
// Thread: any; runs on the caller's thread. Errors: none.
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
  float offset = 0, per_pixel = 1;  // of the left edge from `base`; samples
  float zero = 0, per_value = -1;   // height in pixels = zero + per_value·value, per_value < 0
  float phase_colours = 0;          // of the wheel
  bool bars = false;                // each sample fills its width: no line to the next
};

// Two vectors per column, as in shaders/common.glsl.
using CurveColumns = std::vector<std::array<float, 4>>;
void rasterColumns(const RasterCurve& curve, int columns, CurveColumns& out);

}  // namespace simscope::render
