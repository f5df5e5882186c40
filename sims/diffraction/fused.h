// The Fraunhofer pattern |FFT|² of a real aperture on a CUDA device in two passes: rows that the aperture does not
// touch are not transformed, and half of the columns follow from the others. See fused_passes.h.
//
// Owner: tables and workspace; aperture and intensity belong to the caller. Thread: as Device; enqueued on its stream.
#pragma once

#include <memory>

#include "sims/compute/device.h"

namespace simscope::diffraction {

// Columns x_first ≤ x < x_last and rows y_first ≤ y < y_last.
struct CellRange {
  int x_first = 0, x_last = 0, y_first = 0, y_last = 0;
};

class FusedFraunhofer {
 public:
  virtual ~FusedFraunhofer() = default;
  FusedFraunhofer(const FusedFraunhofer&) = delete;
  FusedFraunhofer& operator=(const FusedFraunhofer&) = delete;

  // `aperture`: N × N real transmissions, zero outside the box, which lies within the plane. `intensity`: N × N, not
  // normalised; frequency (kx, ky) lies at column kx + N/2 and row ky + N/2, the centre's (Σ aperture)² is the largest
  // where no transmission is negative.
  virtual void intensity(const float* aperture, const CellRange& box, float* intensity) = 0;

 protected:
  FusedFraunhofer() = default;
};

// Null where it is not available: no CUDA device, N not a power of two from 256 to 4096, or too little shared memory.
std::unique_ptr<FusedFraunhofer> makeFusedFraunhofer(const compute::DevicePtr& device, int n);
// Bytes of its workspace.
double fusedFraunhoferBytes(int n);

}  // namespace simscope::diffraction
