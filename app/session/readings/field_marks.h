// Probes, line cuts, and rulers of a scene: how they are added, hit by the mouse, moved, and removed, and which cells
// of a channel they read. Plain functions; any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/field_mark.h"
#include "sims/core/frame.h"
#include "sims/core/view.h"

namespace simscope {

// "P1", "C1", "R1".
std::string nameOf(const FieldMark& mark);
// For the user: "Probe", "Line cut", "Ruler".
const char* titleOf(FieldMark::Kind kind);

// Adds a mark with the smallest free number of its kind and returns its index. Nothing if there are kMostMarks.
std::optional<std::size_t> addMark(std::vector<FieldMark>& marks, FieldMark mark);

// The part of a mark that the mouse holds.
enum class MarkPart { From, To, Whole };
struct MarkHit {
  std::size_t mark = 0;
  MarkPart part = MarkPart::Whole;
  bool operator==(const MarkHit&) const = default;
};
struct MarkPixel {
  double x = 0, y = 0;
};
// The topmost mark of that view within `reach` pixels of the mouse; ends have priority over lines. `pixel`: the
// place's.
std::optional<MarkHit> markAt(const std::vector<FieldMark>& marks, const std::string& view, MarkPixel mouse,
                              double reach, const std::function<MarkPixel(double x, double y)>& pixel);
// Moves the part by this displacement.
FieldMark movedMark(FieldMark mark, MarkPart part, double dx, double dy);

// A rectangle of cells over two axes.
struct FieldGrid {
  int width = 0, height = 0;
  double x_min = 0, x_max = 1, y_min = 0, y_max = 1;
};
FieldGrid gridOf(const Channel& channel);

// The cell that contains the place, as in hovering; nothing outside.
std::optional<std::uint32_t> cellAt(const FieldGrid& grid, double x, double y);

// Linear interpolation between cell centres at samples along a line: for each sample its distance from the beginning,
// four cells, and their weights (all 0 outside).
struct LineSamples {
  std::vector<double> distance;
  std::vector<std::uint32_t> cells;  // 4 per sample
  std::vector<double> weights;       // likewise; their sum is 1 per sample
};
// About one sample per cell, at least two and at most `most`.
LineSamples samplesAlong(const FieldGrid& grid, double x, double y, double to_x, double to_y, int most);

// What a view shows of a cell's components: the value, the amplitude, or the luminance. NaN: nothing.
double shownValue(FieldStyle style, const float* components);
// For each sample, from the components of its four cells. If a cell holds no number, and for kinds, the nearest counts.
std::vector<double> valuesAlong(const LineSamples& samples, const std::vector<float>& components, int each,
                                FieldStyle style, bool kinds);

}  // namespace simscope
