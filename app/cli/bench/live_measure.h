// What a step costs while pictures of it are drawn: the runner, the figure, and the pace of the window, without a
// window.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sims/compute/device.h"

namespace simscope::cli {

struct LiveMeasurement {
  double step_us = 0;  // device time of a step, median of what the runner measured
  double pictures_per_second = 0;
  double picture_ms = 0;                    // wall time of drawing one to its end, median
  double diagnostics_ms = 0, watch_ms = 0;  // device time, each time that they are due
  std::int64_t steps = 0;
};

// Plays the scene for some seconds, at 60 pictures a second of 1280×800 at most. Needs no display; opens a context of
// OpenGL of its own. Thread: main. Errors: Error (no OpenGL, the simulation failed), Interrupted.
LiveMeasurement measureLive(const Scene& scene, const std::string& device, int threads);

// The upper one of two in the middle; 0 of nothing.
double median(std::vector<double> values);

}  // namespace simscope::cli
