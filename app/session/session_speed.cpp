// The speed of the displayed run: simulated time per second of wall time.
#include <algorithm>
#include <cmath>

#include "app/session/session.h"

namespace simscope {

namespace {

constexpr double kUsualFrames = 60;  // a second: what a preset's steps a frame were chosen for

}  // namespace

double Session::timeStep() const {
  return scene.description->timeStep(scene.parameters);
}

double Session::speed() const noexcept {
  return scene.description->timeStep(scene.parameters) > 0 ? pace.speed : 0;
}

double Session::usualSpeed() const {
  const Description& description = *scene.description;
  if (description.presets.empty()) return speed();
  const Preset& preset = scene.preset.empty() ? description.presets.front() : description.presetInfo(scene.preset);
  return preset.steps_per_frame * description.timeStep(description.preset(preset.key)) * kUsualFrames;
}

void Session::setSpeed(double time_per_second) {
  const double step = timeStep();
  if (!(time_per_second > 0) || !(step > 0)) return;
  Pace wanted = pace;
  wanted.mode = Pace::Mode::Speed;
  wanted.speed = time_per_second;
  const double steps = std::round(time_per_second / (kUsualFrames * step));
  if (scene.timeline.tracks.empty())
    wanted.steps_per_frame = static_cast<int>(std::clamp(steps, 1.0, static_cast<double>(kMostStepsPerFrame)));
  setPace(wanted);
}

// Another scene's steps a frame, at the speed that they mean.
void Session::usePace(int steps_per_frame) {
  Pace wanted = pace;
  wanted.steps_per_frame = std::max(1, steps_per_frame);
  if (const double step = timeStep(); step > 0) wanted.speed = wanted.steps_per_frame * step * kUsualFrames;
  setPace(wanted);
}

// A step that is another keeps the film at its speed. Where keyframes take effect every so many steps, those stay.
void Session::keepSpeed(const ParameterSet& before) {
  const double former = scene.description->timeStep(before), now = timeStep();
  if (pace.mode == Pace::Mode::StepsPerFrame || !(former > 0) || !(now > 0) || former == now) return;
  if (!scene.timeline.tracks.empty()) return;
  const double steps = std::round(pace.speed / (kUsualFrames * now));
  Pace wanted = pace;
  wanted.steps_per_frame = static_cast<int>(std::clamp(steps, 1.0, static_cast<double>(kMostStepsPerFrame)));
  setPace(wanted);
}

}  // namespace simscope
