#include "app/animation.h"

#include <algorithm>

namespace simscope {

Stepper begin(const Scene& scene, const compute::DevicePtr& device, const std::optional<State>& state) {
  Stepper stepper(*scene.description, device, scene.parameters, scene.seed);
  stepper.setTimeline(timelineOf(scene));
  if (state) stepper.load(*state);
  return stepper;
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
