// What shaders/field.comp and shaders/field.frag make of a field, by the processor's threads, for software OpenGL: its
// compute shaders take some twenty times as long. To the bit what the shaders make there, for they do the same sums in
// the same order; what they ask of a library of functions (logarithms, angles, roots of colours) stays with them.
//
// Plain functions on the host's memory; any thread. Rows of pixels count from the bottom, as OpenGL's.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/render/layers/field/field_place.h"
#include "sims/core/description.h"

namespace simscope::render {

// Where cells lie along an axis of a plot: base is the cell at the plot's low edge (it may lie outside the field),
// offset that of the edge within it, per_pixel counts cells.
struct RasterAxis {
  int base = 0;
  float offset = 0, per_pixel = 0;
  int cells = 0;
  int first = 0, pixels = 0;  // of the plot: the part that is made
};

struct RasterField {
  const float* values = nullptr;
  int components = 1;
  RasterAxis x, y;
  bool joined = false;  // straight lines between cells
};

// The marks of a pixel without a value, as shaders/common.glsl has them; both are below kNoValue.
constexpr float kRasterMissing = -1e30f, kRasterOutside = -4e30f, kRasterNoValue = -1e20f;

// One place a pixel, or with a logarithmic scale the mean itself; a mark where there is none.
void rasterScalar(const RasterField& field, const FieldPlace& place, std::vector<float>& out);
// Four numbers a pixel: of a complex field the means of its amplitude and of its parts, else of its three colours; the
// last one is the mark, or 0.
void rasterMeans(const RasterField& field, FieldStyle style, std::vector<float>& out);

// Whether values of the field lie on both sides of the level, or so near that rounding might tell: where not, no line
// of it runs through the field.
bool rasterCrosses(const RasterField& field, int width, int height, float level);

struct RasterLines {
  const std::vector<float>* values = nullptr;  // places of rasterScalar
  std::vector<float> levels;
  float half_width = 0;  // pixels
  float weight = 1;
};
// Memory that is kept from picture to picture.
struct RasterScratch {
  std::vector<float> low, high;
};
// How far lines cover each pixel, the most of all; empty: no pixel is covered.
void rasterCoverage(std::span<const RasterLines> lines, int width, int height, RasterScratch& scratch,
                    std::vector<float>& out);

// Finished pixels (red in the lowest byte) of places: an entry of the table, `missing`, or `outside`, below the lines.
struct RasterColours {
  std::uint32_t missing = 0, outside = 0, on_dark = 0, on_bright = 0;  // 0xRRGGBB
};
void rasterColours(const std::vector<float>& places, std::span<const std::uint32_t> table, const RasterColours& others,
                   const std::vector<float>& coverage, std::vector<std::uint32_t>& out);

}  // namespace simscope::render
