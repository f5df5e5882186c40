#include "app/recording/scene_run.h"

#include <algorithm>

namespace simscope {

namespace {

void beginTimeline(Stepper& stepper, const Scene& scene, const std::optional<State>& state,
                   const std::function<void()>& between) {
  stepper.changeTimeline(timelineOf(scene));
  if (state) return stepper.load(*state);  // all that belongs to its steps has happened
  while (stepper.advanceReplay()) {
    if (between) between();
  }
}

}  // namespace

Stepper begin(const Scene& scene, const compute::DevicePtr& device, const std::optional<State>& state,
              const std::function<void()>& between) {
  Stepper stepper(*scene.description, device, scene.parameters, scene.seed);
  beginTimeline(stepper, scene, state, between);
  return stepper;
}

void beginAgain(Stepper& stepper, const Scene& scene, const std::optional<State>& state,
                const std::function<void()>& between) {
  stepper.reset(scene.seed);
  beginTimeline(stepper, scene, state, between);
}

void stepToFirst(Stepper& stepper, const Scene& scene, const std::function<void()>& between) {
  for (;;) {
    const std::int64_t now = stepper.simulation().steps();
    if (now >= scene.first_step) return;
    stepWatched(
        stepper, scene.stepsToNextFrame(now), [&](int n) { stepper.step(n); }, between);
  }
}

void stepWatched(Stepper& stepper, std::int64_t steps, const std::function<void(int)>& step_batch,
                 const std::function<void()>& between) {
  const std::int64_t batch = stepper.batch();
  while (steps > 0) {
    between();
    const std::int64_t now = std::min(batch, steps);
    step_batch(static_cast<int>(now));
    stepper.verify();
    steps -= now;
  }
}

}  // namespace simscope
