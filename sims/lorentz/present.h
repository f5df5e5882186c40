// Writes the views' channels. Thread: inside Device::run; enqueued. Channel data lies on the device.
#pragma once

#include "sims/core/frame.h"
#include "sims/lorentz/advance.h"
#include "sims/lorentz/parameters.h"

namespace simscope::lorentz {

// Of more particles, every second, third, ... is drawn, which shows as much.
inline constexpr int kMostDrawn = 1 << 20;

struct Presented {
  const Parameters& p;
  Setup setup;
  Particles particles;
  History history;
  int samples;  // of each tracer
  double time;
  bool untouched;  // whether the closed forms hold
};
void presentParticles(Frame& frame, const Presented& what);

}  // namespace simscope::lorentz
