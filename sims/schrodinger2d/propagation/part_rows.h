// The rows of a rank's ψ by the program's own kernels: from the plane to the transformed parts of its rows
// (sims/compute/ranks/slab_fft.h) and back in one pass over memory, where cuFFT takes three (part_passes.h).
//
// Owner: tables, on the device. Thread: inside Device::run; enqueued. Errors: as kernels.
#pragma once

#include <memory>
#include <vector>

#include "sims/compute/complex.h"
#include "sims/compute/device.h"

namespace simscope::schrodinger2d {

using compute::Complex;

class PartRows {
 public:
  // Arrays of the rank's `count` rows.
  struct Arguments {
    Complex<float>* psi;
    const Complex<float>* half;          // factors of half a potential step
    std::vector<Complex<float>*> parts;  // of each remainder: the input,
    std::vector<Complex<float>*> there;  // and the output
    const Complex<float>* turns;         // exp(-2πi a/N), a < N
    int count;
  };
  virtual ~PartRows() = default;
  virtual void begin(const Arguments& arguments) = 0;    // half a step of the potential, and forward
  virtual void between(const Arguments& arguments) = 0;  // back, a step of the potential, forward
  virtual void end(const Arguments& arguments) = 0;      // back, and half a step of the potential
  // The frequency m (FFT order) of the places of a part.
  virtual const std::vector<int>& order() const = 0;
};

// For rows of `length`, cut into `rests` parts: 4096 to 16384 numbers in 8 or 16 parts. Null for others, and where the
// device is not a CUDA device, or has too little shared memory.
std::unique_ptr<PartRows> makePartRows(const compute::DevicePtr& device, int length, int rests);

}  // namespace simscope::schrodinger2d
