#include "app/gui/window/start_meter.h"

#include <ctime>

#include "app/render/gl/gl_context.h"

namespace simscope::gui {

std::int64_t monotonicNs() {
  std::timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}

StartMeter::StartMeter() {
  times_.window_ns = monotonicNs();
  times_.renderer = render::glInfo().renderer;
  times_.software = render::glIsSoftware();
}

std::optional<StartTimes> StartMeter::note(std::uint64_t live_frames) {
  if (times_.picture_ns != 0 && live_frames < 2) return std::nullopt;
  render::finishDrawing();  // shown, and not asked for alone
  if (times_.picture_ns == 0) times_.picture_ns = monotonicNs();
  if (live_frames < 2) return std::nullopt;
  times_.moving_ns = monotonicNs();
  return times_;
}

}  // namespace simscope::gui
