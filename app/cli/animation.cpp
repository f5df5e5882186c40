#include "app/cli/animation.h"

#include <algorithm>
#include <array>

#include "app/cli/interrupt.h"

namespace simscope::cli {

namespace {

// Steps between two looks at the signals and at the state: a fraction of a second of work on either backend.
std::int64_t batchSize(const Simulation& simulation) {
  constexpr double kCpuWork = 5e7, kCudaWork = 1e9;  // points, pairs, ... per batch
  constexpr double kFewest = 1, kMost = 100'000;
  const double work = std::max(1.0, simulation.throughput().work_per_step);
  const double steps = (simulation.device()->isCuda() ? kCudaWork : kCpuWork) / work;
  return static_cast<std::int64_t>(std::clamp(steps, kFewest, kMost));
}

}  // namespace

void stepWatched(Stepper& stepper, std::int64_t steps, const std::function<void(int)>& step_batch) {
  const std::int64_t batch = batchSize(stepper.simulation());
  while (steps > 0) {
    throwIfStopped();
    const std::int64_t now = std::min(batch, steps);
    step_batch(static_cast<int>(now));
    stepper.verify();
    steps -= now;
  }
}

void animate(Stepper& stepper, render::Figure& figure, const Scene& scene, int first, const AnimationHooks& hooks) {
  // A picture that was taken has been drawn to its end, and with it every access to the frame behind it. One frame
  // more than there are pictures under way is therefore never written while OpenGL still reads it.
  std::array<Frame, render::Figure::kReadsInFlight + 1> frames;
  for (int i = 0; i < scene.frames; ++i) {
    throwIfStopped();
    if (i > 0) stepWatched(stepper, scene.steps_per_frame, [&](int n) { stepper.step(n); });
    if (i >= first) {
      Frame& frame = frames[static_cast<std::size_t>(i) % frames.size()];
      frame.sequence = static_cast<std::uint64_t>(i) + 1;
      stepper.present(frame);
      if (figure.readsInFlight() == render::Figure::kReadsInFlight) hooks.picture(figure.take());
      figure.draw(*scene.description, scene.parameters, frame, scene.figure);
      figure.startRead();
    }
    hooks.progress(i + 1);
  }
  while (figure.readsInFlight() > 0) hooks.picture(figure.take());
}

}  // namespace simscope::cli
