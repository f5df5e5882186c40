// The kinetic step down the columns of a piece of ψ (sims/compute/ranks/slab_fft.h) by the program's own kernels, in
// one pass over its memory for up to 4096 rows and three above; cuFFT takes five passes or more (piece_passes.h).
//
// Owner: the factors, on the device. Thread: inside Device::run; enqueued. Errors: as kernels.
#pragma once

#include <memory>
#include <span>

#include "sims/compute/complex.h"
#include "sims/compute/device.h"
#include "sims/compute/ranks/rows_there.h"

namespace simscope::schrodinger2d {

using compute::Complex;

class PieceColumns {
 public:
  virtual ~PieceColumns() = default;
  // The kinetic factors of all `rows` frequencies of y, in FFT order.
  virtual void setKinetic(std::span<const Complex<float>> along_y) = 0;
  // piece: rows × width, overwritten; the result goes to `there`. across: `width` factors; together with those of y
  // they contain 1/N². turns: exp(-2πi a/rows), a < rows.
  virtual void step(Complex<float>* piece, int width, const Complex<float>* across, const Complex<float>* turns,
                    const compute::RowsThere<float>& there) = 0;
};

// rows: 256 … 32768, a power of two. Null where the device is not a CUDA device, or has too little shared memory.
std::unique_ptr<PieceColumns> makePieceColumns(const compute::DevicePtr& device, int rows);

}  // namespace simscope::schrodinger2d
