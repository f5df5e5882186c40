// The far field of a real aperture as an intensity: |FFT|², shifted so that the centre lies in the middle.
//
// Owner: plans and workspace; aperture and intensity belong to the caller. Thread: as Device; enqueued.
#pragma once

#include <memory>
#include <string>

#include "sims/compute/device.h"
#include "sims/diffraction/fused.h"

namespace simscope::diffraction {

class FarField {
 public:
  virtual ~FarField() = default;
  FarField(const FarField&) = delete;
  FarField& operator=(const FarField&) = delete;

  // aperture: N × N real transmissions, zero outside the box, which lies within the plane. intensity: N × N, not
  // normalised; frequency (kx, ky) lies at column kx + N/2 and row ky + N/2. The centre, (Σ aperture)², is the largest
  // where no transmission is negative.
  virtual void intensity(const float* aperture, const CellRange& box, float* intensity) = 0;
  virtual std::string method() const = 0;

 protected:
  FarField() = default;
};

// The device's fastest one for a window of n × n cells, n a power of two from 64 up.
std::unique_ptr<FarField> makeFarField(const compute::DevicePtr& device, int n);
// Bytes of its workspace at most.
double farFieldBytes(compute::Backend backend, int n);

// By the full two-dimensional transform, on any device: the reference of the others.
std::unique_ptr<FarField> makeReferenceFarField(const compute::DevicePtr& device, int n);

// Transforms the rows that the aperture touches, in pairs, and half of the columns by transforms as long as the
// aperture is high.
// n ≥ 64 on a CPU device.
std::unique_ptr<FarField> makeCpuFarField(const compute::DevicePtr& device, int n);

}  // namespace simscope::diffraction
