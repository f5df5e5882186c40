#include "app/session/picture_rate.h"

#include <fmt/format.h>

namespace simscope {

std::string pictureRate(const RunnerStatus& run, double per_second, double asked, bool taken_by_others) {
  std::string text = fmt::format("{:.0f} frames/s", per_second);
  const bool wanted = run.playing && per_second > 0 && !(asked > 0 && asked < kSmoothPictures);
  if (!wanted || per_second >= kSmoothPictures) return text;
  if (taken_by_others) return text + ": other programs use the processor";
  // Of a second; the run's thread and the window's go side by side.
  constexpr double kMuch = 0.6;
  const double stepping = run.steps_per_second * run.step_us * 1e-6;
  return text + (stepping > kMuch || run.work.seconds > 1 / kSmoothPictures ? ": steps take the time"
                                                                            : ": drawing takes the time");
}

}  // namespace simscope
