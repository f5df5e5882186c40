// Writes what the views show: the middle 1/zoom of the pattern, box-filtered or interpolated to a size that suits a
// screen, in grey values and in colours; the aperture; amplitude and phase; the cut and its exact curve.
//
// Thread: inside Device::run; enqueued. Channel data lies on the device.
#pragma once

#include <vector>

#include "sims/compute/complex.h"
#include "sims/core/frame.h"
#include "sims/diffraction/exact.h"
#include "sims/diffraction/sampling.h"
#include "sims/diffraction/spectrum.h"

namespace simscope::diffraction {

// least, most: elements along a side, where the bins allow it.
Region regionOf(const Parameters& parameters, int least, int most);
Region colourRegion(const Parameters& parameters);

// What an intensity is called on an axis or a colour bar: intensities up to `high` (linear), decades below it (log),
// or square roots (gamma).
struct Tone {
  Display display;
  double high;
  double low() const;  // of the shown values
  double top() const;  // of the shown values
};
Tone toneOf(const Parameters& parameters);

struct Presented {
  const float* pattern = nullptr;
  const float* unit = nullptr;                     // on the device: the intensity that is 1; null: 1
  const compute::Complex<float>* field = nullptr;  // null: intensities alone are known
  int field_pitch = 0;                             // numbers from one of its rows to the next
  const float* transmission = nullptr;
  const float* light = nullptr;  // of colourRegion, where the lines of the spectrum were added up; null: from pattern
  ExactPattern exact;
  double probe_x = 0, probe_y = 0;  // [m]
  bool probed = false;
};

void presentPattern(Frame& frame, const Parameters& parameters, const Presented& what);

// Adds the intensities of a line, sampled every `pitch` metres, to a light of colourRegion (3 floats an element); the
// first line overwrites.
void addLight(compute::Device& device, const Parameters& parameters, const float* intensity, double pitch,
              const Rgb& weight, bool first, float* light);

double frameBytes(const Parameters& parameters);

}  // namespace simscope::diffraction
