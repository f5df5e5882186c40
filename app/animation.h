// A run as pictures: what a recording of a scene needs, whoever makes it. The frame loop of `simscope render`, the
// watched stepping beneath it and `simscope run`, and the options of the animated file.
//
// Frame 0 is the state as it stands; `steps_per_frame` steps lie between two frames. Steps are grouped in batches
// that depend on the simulation and the backend alone, never on time, so that a run can be repeated bit for bit.
// Thread: one, with the figure's GL context current, inside the device's run(). Errors: what stepper, figure, and the
// callbacks throw.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "app/export/recorder.h"
#include "app/render/figure.h"
#include "app/scene.h"
#include "sims/core/stepper.h"

namespace simscope {

// The file that shows the scene: its size, pace, colours, number of frames, and the scene itself.
exporting::GifOptions gifOptions(const Scene& scene, bool overwrite);

// Makes `steps` steps in batches, each made by `step_batch` (which calls stepper.step), and checks after each that the
// state is finite (NotFinite). `between` is called before every batch; what it throws ends the run.
void stepWatched(Stepper& stepper, std::int64_t steps, const std::function<void(int)>& step_batch,
                 const std::function<void()>& between);

struct AnimationHooks {
  std::function<void(std::vector<std::uint8_t>)> picture;  // RGB, top row first, in order
  std::function<void(int)> progress;                       // frames drawn so far
  std::function<void()> between;                           // frames and batches of steps; may throw to end the run
};

// The frames [first, scene.frames) of the animation as pictures; the steps of earlier ones are made without drawing.
void animate(Stepper& stepper, render::Figure& figure, const Scene& scene, int first, const AnimationHooks& hooks);

}  // namespace simscope
