// A scene's run: how it begins, and the watched stepping beneath `simscope run` and `simscope render`.
//
// Thread: one, inside the device's run(). Errors: what the stepper and the callbacks throw.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/scene/scene.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {

// The run that the scene describes, with what happens to it: at its start, or where the snapshot of it was taken.
// `between` is called every so often while the strokes of step 0 are made; what it throws ends the run.
Stepper begin(const Scene& scene, const compute::DevicePtr& device, const std::optional<State>& state = std::nullopt,
              const std::function<void()>& between = {});
// The same again of a run that was begun so.
void beginAgain(Stepper& stepper, const Scene& scene, const std::optional<State>& state,
                const std::function<void()>& between);

// Makes the steps that lead to the scene's frame 0, as stepWatched.
void stepToFirst(Stepper& stepper, const Scene& scene, const std::function<void()>& between);

// Makes `steps` steps in batches, each made by `step_batch` (which calls stepper.step), and checks after each that the
// state is finite (NotFinite). `between` is called before every batch; what it throws ends the run.
void stepWatched(Stepper& stepper, std::int64_t steps, const std::function<void(int)>& step_batch,
                 const std::function<void()>& between);

}  // namespace simscope
