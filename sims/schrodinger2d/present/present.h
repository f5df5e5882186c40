// Writes the views' channels: ψ, its density, momenta, and current, the potential and its outline, and curves along the
// screen and the x-axis. Planes are reduced to at most kPresented points a side.
//
// Thread: inside Device::run; enqueued. Channel data lies on the device. Ranks present together, and rank 0 gets the
// complete channels; the others have channels of their own rows, or parts of sums.
#pragma once

#include "sims/compute/buffer.h"
#include "sims/compute/loops/boxes.h"
#include "sims/core/frame.h"
#include "sims/schrodinger2d/propagation/operations.h"

namespace simscope::schrodinger2d {

inline constexpr int kPresented = 2048;          // wave, density, potential, outline
inline constexpr int kPresentedMomentum = 1024;  // of the momenta
inline constexpr int kPresentedCurrent = 256;    // of the current
// How many rows beside its own one of several ranks holds: the rest of a box of the current, with two for its slopes.
inline int haloOf(int points) {
  return compute::boxesFor(points, kPresentedCurrent).factor + 1;
}

// Memory for presenting, besides the frame.
class PresentScratch {
 public:
  PresentScratch(const compute::DevicePtr& device, const Slab& slab);
  static constexpr int kParts = 64;  // of a sum along the screen
  float* bands() { return bands_.data(); }
  double* parts() { return parts_.data(); }

 private:
  compute::Buffer<float> bands_;   // of this rank's bands, N each
  compute::Buffer<double> parts_;  // kParts pairs
};

template <class T>
struct Presented {
  Slab slab;
  Complex<T>* psi;  // the halo of this and the next two is updated
  T* potential;
  float* walls;         // or null
  Momenta<T> momenta;   // if they are wanted
  const float* theory;  // density of slits on the screen, up to a factor; N values, or null
  Range range;          // of the potential with its walls
  double energy;        // of the packet at its start: smooth potentials are outlined where V equals it
  Packets packets;
  ExactWave expected;  // the exact wave if that is known, else the start
  bool exact_holds;
};

template <class T>
void presentPlane(Frame& frame, const Numbers& p, const Presented<T>& what, PresentScratch& scratch);

// Its curves; `drawn`: the range in which V is drawn.
template <class T>
void presentCurves(Frame& frame, const Numbers& p, const Presented<T>& what, const Range& drawn,
                   PresentScratch& scratch);

}  // namespace simscope::schrodinger2d
