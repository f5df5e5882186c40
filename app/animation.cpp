#include "app/animation.h"

#include <algorithm>
#include <array>

#include "app/render/theme.h"

namespace simscope {

namespace {

// Steps between two looks at the state: a fraction of a second of work on either backend.
std::int64_t batchSize(const Simulation& simulation) {
  constexpr double kCpuWork = 5e7, kCudaWork = 1e9;  // points, pairs, ... per batch
  constexpr double kFewest = 1, kMost = 100'000;
  const double work = std::max(1.0, simulation.throughput().work_per_step);
  const double steps = (simulation.device()->isCuda() ? kCudaWork : kCpuWork) / work;
  return static_cast<std::int64_t>(std::clamp(steps, kFewest, kMost));
}

}  // namespace

exporting::GifOptions gifOptions(const Scene& scene, bool overwrite) {
  exporting::GifOptions options;
  options.width = scene.figure.width;
  options.height = scene.figure.height;
  options.fps = scene.fps;
  options.scene = toJson(scene);
  options.overwrite = overwrite;
  options.exact_colours = render::exactColours(*scene.description, scene.figure);
  options.expected_frames = scene.frames;
  return options;
}

void stepWatched(Stepper& stepper, std::int64_t steps, const std::function<void(int)>& step_batch,
                 const std::function<void()>& between) {
  const std::int64_t batch = batchSize(stepper.simulation());
  while (steps > 0) {
    between();
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
    hooks.between();
    if (i > 0)
      stepWatched(
          stepper, scene.steps_per_frame, [&](int n) { stepper.step(n); }, hooks.between);
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

}  // namespace simscope
