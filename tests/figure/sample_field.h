// Fields made by hand, so that figures of them can be tested without a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope::render {

// Fields "heat" (scalar, with the overlay "walls" and the arrows "flux"), "signed" (the same, symmetric, coolwarm),
// "plate" (as "heat", NaN being an insulator), "log", "gamma", "wave" (complex), and "light" (colour); a curve view
// "row" of the channel "row"; linked views "two", "three", and "four" of that many panels.
const Description& fieldDescription();
// To change it. UsageError for an unknown key.
View& viewIn(Description& description, const std::string& key);

// The cells of a channel over [x_low, x_high] × [y_low, y_high].
struct SampleGrid {
  int width = 64, height = 64;
  double x_low = 0, x_high = 4, y_low = 0, y_high = 4;
};
// The values of cell (column, row), row 0 at the bottom.
using CellValues = std::function<std::vector<float>(int column, int row)>;
// Adds a channel, or writes it anew.
void addField(Frame& frame, const compute::DevicePtr& device, const char* key, const SampleGrid& grid, int components,
              const CellValues& values, double low = 0, double high = 1);

// Every channel of the description: blobs of heat between walls, a vortex, and a rainbow of light.
Frame sampleFields(const compute::DevicePtr& device, const SampleGrid& grid, std::uint64_t sequence = 0);

}  // namespace simscope::render
