// A scene's run: its beginning, and the checked stepping used by `simscope run` and `simscope render`.
//
// Thread: one, inside the device's run(). Errors: exceptions of the stepper and the callbacks.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "app/scene/scene.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {

// The run that the scene describes, with its timeline: at its start, or where its snapshot was taken. `between` is
// called repeatedly while the strokes of step 0 are applied; its exceptions end the run.
Stepper begin(const Scene& scene, const compute::DevicePtr& device, const std::optional<State>& state = std::nullopt,
              const std::function<void()>& between = {});
// The same for a run that was begun this way.
void beginAgain(Stepper& stepper, const Scene& scene, const std::optional<State>& state,
                const std::function<void()>& between);

// Makes the steps that lead to the scene's frame 0, as stepWatched.
void stepToFirst(Stepper& stepper, const Scene& scene, const std::function<void()>& between);

// Makes `steps` steps in batches, each by `step_batch` (which calls stepper.step), and checks after each that the state
// is finite (NotFinite). `between` is called before every batch; its exceptions end the run.
void stepWatched(Stepper& stepper, std::int64_t steps, const std::function<void(int)>& step_batch,
                 const std::function<void()>& between);

}  // namespace simscope
