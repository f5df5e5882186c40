// Writes what the views show: ψ, its density, momenta, and current, the potential and its outline, and curves along the
// screen and the x-axis. Planes are reduced to at most kPresented points a side.
//
// Thread: inside Device::run; enqueued. Channel data lies on the device.
#pragma once

#include "sims/compute/buffer.h"
#include "sims/core/frame.h"
#include "sims/schrodinger2d/propagation/operations.h"

namespace simscope::schrodinger2d {

inline constexpr int kPresented = 2048;          // wave, density, potential, outline
inline constexpr int kPresentedMomentum = 1024;  // of the momenta
inline constexpr int kPresentedCurrent = 256;    // of the current

// Memory that presenting needs besides the frame.
class PresentScratch {
 public:
  PresentScratch(const compute::DevicePtr& device, const Grid& grid);
  static constexpr int kBand = 64;   // rows that are summed together first
  static constexpr int kParts = 64;  // of a sum along the screen
  float* bands() { return bands_.data(); }
  double* parts() { return parts_.data(); }

 private:
  compute::Buffer<float> bands_;   // N/kBand × N
  compute::Buffer<double> parts_;  // kParts pairs
};

template <class T>
struct Presented {
  const Complex<T>* psi;
  const Complex<T>* phi;  // its Fourier transform, not normalised
  const T* potential;
  const float* walls;   // or null
  const float* theory;  // what slits send to the screen, up to a factor; N values, or null
  Range range;          // of the potential with its walls
  double energy;        // of the packet at its start: smooth potentials are outlined where V equals it
  Packets packets;
  ExactWave expected;  // what is exact where that is known, else the start
  bool exact_holds;
};

template <class T>
void presentPlane(Frame& frame, const Numbers& p, const Presented<T>& what, PresentScratch& scratch);

// Its curves; `drawn`: the range in which V is drawn.
template <class T>
void presentCurves(Frame& frame, const Numbers& p, const Presented<T>& what, const Range& drawn,
                   PresentScratch& scratch);

}  // namespace simscope::schrodinger2d
