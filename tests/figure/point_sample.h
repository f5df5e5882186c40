// Points made by hand, so that figures of them can be tested without a simulation.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope::render {

// One view "bodies" of the channels bodies, speed (through plasma), and trails; one "plain" without values and trails.
const Description& pointDescription();

struct SamplePoint {
  double x = 0, y = 0, z = 0;
  double size = 1, value = 0;
};
// The channels bodies and speed, in a cube from −half_edge to half_edge; values from `low` to `high`.
Frame pointFrame(const compute::DevicePtr& device, const std::vector<SamplePoint>& points, double half_edge = 1,
                 double low = 0, double high = 1);
// The channel trails: `samples` places a trail, oldest first.
using Place = std::array<double, 3>;
void addTrails(Frame& frame, const std::vector<std::vector<Place>>& trails);

// Equal ones for equal counts. Half-edges: 4 and 3.
std::vector<SamplePoint> plummerSphere(int count);
std::vector<SamplePoint> twoDiscs(int count);
// Three bodies on circles, with trails of 200 samples. Half-edge 1.5.
Frame threeBodies(const compute::DevicePtr& device);

}  // namespace simscope::render
