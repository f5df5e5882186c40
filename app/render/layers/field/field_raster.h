// Computes on the CPU's threads what shaders/field.comp and shaders/field.frag make of a field, for software OpenGL,
// whose compute shaders take about twenty times as long. The result equals the shaders' bit by bit, because the sums
// are the same in the same order; functions from a library (logarithms, angles, roots of colours) are left to the
// shaders.
//
// Plain functions on host memory; any thread. Rows of pixels count from the bottom, as in OpenGL.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/render/layers/field/field_place.h"
#include "sims/core/description.h"

namespace simscope::render {

// Position of the cells along an axis of a plot: `base` is the cell at the plot's low edge (possibly outside the
// field), `offset` the edge's offset within it, `per_pixel` the cells per pixel.
struct RasterAxis {
  int base = 0;
  float offset = 0, per_pixel = 0;
  int cells = 0;
  int first = 0, pixels = 0;  // of the plot: the part being computed
};

struct RasterField {
  const float* values = nullptr;
  int components = 1;
  RasterAxis x, y;
  bool joined = false;  // straight lines between cells
};

// The marks of a pixel without a value, as in shaders/common.glsl; both are below kNoValue.
constexpr float kRasterMissing = -1e30f, kRasterOutside = -4e30f, kRasterNoValue = -1e20f;

// One position per pixel, or with a logarithmic scale the mean itself; a mark if there is none.
void rasterScalar(const RasterField& field, const FieldPlace& place, std::vector<float>& out);
// Four numbers per pixel: for a complex field the means of its amplitude and of its parts, else of its three colours;
// the last one is the mark, or 0.
void rasterMeans(const RasterField& field, FieldStyle style, std::vector<float>& out);

// Whether values of the field lie on both sides of the level, or so near that rounding decides; if not, no line of this
// level crosses the field.
bool rasterCrosses(const RasterField& field, int width, int height, float level);

struct RasterLines {
  const std::vector<float>* values = nullptr;  // places of rasterScalar
  std::vector<float> levels;
  float half_width = 0;  // pixels
  float weight = 1;
};
// Memory kept from picture to picture.
struct RasterScratch {
  std::vector<float> low, high;
};
// How much of each pixel lines cover, the maximum over all lines; empty: no pixel is covered.
void rasterCoverage(std::span<const RasterLines> lines, int width, int height, RasterScratch& scratch,
                    std::vector<float>& out);

// Finished pixels (red in the lowest byte) from positions: an entry of the table, `missing`, or `outside`, below the
// lines.
struct RasterColours {
  std::uint32_t missing = 0, outside = 0, on_dark = 0, on_bright = 0;  // 0xRRGGBB
};
void rasterColours(const std::vector<float>& places, std::span<const std::uint32_t> table, const RasterColours& others,
                   const std::vector<float>& coverage, std::vector<std::uint32_t>& out);

}  // namespace simscope::render
