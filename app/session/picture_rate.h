// Pictures per second for the status line, with the reason where there are too few for smooth motion.
// Pure functions.
#pragma once

#include <string>

#include "sims/core/run/runner.h"

namespace simscope {

// Fewer than that a second are not seen as motion.
inline constexpr double kSmoothPictures = 30;

// "60 frames/s"; of a playing run below kSmoothPictures, unless no more are asked for: "12 frames/s: steps take the
// time", "drawing takes the time", or "other programs use the processor". per_second: as drawn lately, 0: not known
// yet;
// asked: the most that the pace allows, 0: no limit; taken_by_others: ProcessorShare's word.
std::string pictureRate(const RunnerStatus& run, double per_second, double asked, bool taken_by_others);

}  // namespace simscope
