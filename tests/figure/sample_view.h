// A simulation's description and frames made by hand, so that figures can be tested without a simulation.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope::render {

// One view "curves" with the traces density (PhaseFilled by phase), real (a line, hidden), initial (a ghost),
// potential (an axis of its own).
const Description& sampleDescription();

constexpr double kSampleLow = -100, kSampleHigh = 100;  // the x range of sampleFrame

using Profile = std::function<double(double x)>;
struct SampleProfiles {
  Profile density, phase, real, initial, potential;  // empty: zero
  double highest_density = 1, highest_potential = 1;
};
Frame sampleFrame(const compute::DevicePtr& device, int samples, const SampleProfiles& profiles,
                  std::uint64_t sequence = 0);

// A packet that has met a barrier: incoming, reflected, and transmitted parts, with their interference.
SampleProfiles tunnellingProfiles();

using Rgb = std::vector<std::uint8_t>;
// The pixel (column, row; top left first) of an RGB picture as 0xRRGGBB.
std::uint32_t pixelAt(std::span<const std::uint8_t> rgb, int width, int column, int row);
// Where a place of a plot's axes is in the picture.
double columnAt(const PlotArea& plot, double x);
double rowAt(const PlotArea& plot, double y);

}  // namespace simscope::render
