// Writes the views' channels: the middle 1/zoom of the pattern, box-filtered or interpolated to a size that suits a
// screen, in grey values and in colours; the aperture; amplitude and phase; the cut and its exact curve.
//
// Where ranks hold slabs, each makes the rows of a picture that begin in its own rows, and rank 0 gets the pictures;
// all call it together. Thread: inside Device::run; enqueued. Channel data lies on the device.
#pragma once

#include <vector>

#include "sims/compute/complex.h"
#include "sims/compute/loops/boxes.h"
#include "sims/compute/ranks/slab.h"
#include "sims/core/frame.h"
#include "sims/diffraction/exact.h"
#include "sims/diffraction/present/sampling.h"
#include "sims/diffraction/spectrum.h"

namespace simscope::diffraction {

inline constexpr int kApertureShown = 1024;  // cells of the aperture along a side, at most
// How many rows of pattern and aperture beside its own one of several ranks holds: those that an interpolation reads,
// and the rest of a box.
inline int haloOf(int points) {
  const int box = compute::boxesFor(points, kApertureShown).factor;
  return box > 4 ? box : 4;
}

// least, most: elements along a side, where the bins allow it.
Region regionOf(const Parameters& parameters, int least, int most);
Region colourRegion(const Parameters& parameters);

// The form of an intensity on an axis or a colour bar: intensities up to `high` (linear), decades below it (log),
// or square roots (gamma).
struct Tone {
  Display display;
  double high;
  double low() const;  // of the shown values
  double top() const;  // of the shown values
};
Tone toneOf(const Parameters& parameters);

struct Presented {
  compute::Slab slab;
  // Of the slab; the halo of pattern and transmission is brought up to date.
  float* pattern = nullptr;
  const float* unit = nullptr;                     // on the device: the intensity that is 1; null: 1
  const compute::Complex<float>* field = nullptr;  // null: only intensities are known
  int field_pitch = 0;                             // numbers from one of its rows to the next
  float* transmission = nullptr;
  // The sum over the lines of the spectrum on colourRegion, or a rank's part of it; null: made from pattern.
  const float* light = nullptr;
  ExactPattern exact;
  double probe_x = 0, probe_y = 0;  // [m]
  bool probed = false;
};

void presentPattern(Frame& frame, const Parameters& parameters, const Presented& what);

// Adds the intensities of a line, sampled every `pitch` metres, to a light of colourRegion (3 floats an element); the
// first line overwrites. Each rank adds the elements that begin in its own rows, for which the halo is updated.
void addLight(compute::Device& device, const Parameters& parameters, const compute::Slab& slab, float* intensity,
              double pitch, const Rgb& weight, bool first, float* light);

double frameBytes(const Parameters& parameters);

}  // namespace simscope::diffraction
