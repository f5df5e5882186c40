// Split-operator steps of N × N points on a CUDA device in two passes over memory a step, transforms included: about a
// third of the traffic of a library's transforms and separate multiplications. See fused_passes.h.
//
// Owner: its tables; ψ and the potential's factors belong to the caller. Thread: as Device; enqueued on its stream.
#pragma once

#include <memory>
#include <span>

#include "sims/compute/complex.h"
#include "sims/compute/device.h"

namespace simscope::schrodinger2d {

class FusedSteps {
 public:
  virtual ~FusedSteps() = default;
  FusedSteps(const FusedSteps&) = delete;
  FusedSteps& operator=(const FusedSteps&) = delete;

  // exp(-ik²Δt/2) along x and along y, N entries each in FFT order (0, 1, …, -1); their product contains the 1/N² of
  // the transforms.
  virtual void setKinetic(std::span<const compute::Complex<float>> along_x,
                          std::span<const compute::Complex<float>> along_y) = 0;
  // `steps` ≥ 1 steps of psi in place: half·K·half each. psi and half: N × N, row-major.
  virtual void advance(compute::Complex<float>* psi, const compute::Complex<float>* half, int steps) = 0;

 protected:
  FusedSteps() = default;
};

// Null where it is not available: no CUDA device, N not a power of two from 256 to 4096, or too little shared memory.
std::unique_ptr<FusedSteps> makeFusedSteps(const compute::DevicePtr& device, int n);

}  // namespace simscope::schrodinger2d
