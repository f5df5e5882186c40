// The cost of a step while pictures of it are drawn: the runner, the figure, and the pace of the window, without a
// window.
#pragma once

#include <cstdint>
#include <string>

#include "app/scene/scene.h"
#include "sims/compute/device.h"

namespace simscope::cli {

struct LiveMeasurement {
  double step_us = 0;  // device time per step, median of the runner's measurements
  double pictures_per_second = 0;
  double picture_ms = 0;                    // wall time to draw one completely, median
  double diagnostics_ms = 0, watch_ms = 0;  // device time, each time they are computed
  std::int64_t steps = 0;
};

// Plays the scene for some seconds, with at most 60 pictures of 1280×800 a second. Needs no display; opens its own
// OpenGL context. Thread: main. Errors: Error (no OpenGL, the simulation failed), Interrupted.
LiveMeasurement measureLive(const Scene& scene, const std::string& device, int threads);

}  // namespace simscope::cli
