// Pictures per second for the status line, with the reason where the rate is too low for smooth motion.
// Pure functions.
#pragma once

#include <string>

#include "sims/core/run/runner.h"

namespace simscope {

// A lower rate is not seen as motion.
inline constexpr double kSmoothPictures = 30;

// "60 frames/s"; for a playing run below kSmoothPictures and below the pace: "12 frames/s: steps take the time",
// "drawing takes the time", or "other programs use the processor". per_second: measured lately; 0: not known yet.
// asked: the most that the pace allows; 0: no limit. taken_by_others: from ProcessorShare.
std::string pictureRate(const RunnerStatus& run, double per_second, double asked, bool taken_by_others);

}  // namespace simscope
