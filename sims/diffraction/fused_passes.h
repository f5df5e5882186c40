// The passes of |FFT|² of a real aperture, as parts of kernels (sims/compute/fourier/plane_fft.h): one over the columns
// that the aperture touches, one over the rows of half of the spectrum; the other half is its mirror image. Host and
// device: tests run all threads.
#pragma once

#include "sims/compute/fourier/plane_fft.h"
#include "sims/diffraction/fused.h"

namespace simscope::diffraction {

using compute::Complex;

// Column x of the box, transformed: frequency ky, 0 to N/2, at [ky·pitch + x - box.x_first].
template <class T>
struct ApertureColumns {
  const T* aperture;  // N × N; zero outside the box
  CellRange box;
  Complex<T>* spectra;
  int pitch;
  compute::PlaneTwiddles<T> twiddles;
};

template <int N, class T, class Team>
SIMSCOPE_HD inline void apertureColumnPass(Team& team, const ApertureColumns<T>& a) {
  team.each([&](auto& lane) {
    const int x = a.box.x_first + lane.line;
    compute::fillEach(lane.z, [&](int q) {
      const int y = lane.place(q);
      const bool inside = x < a.box.x_last && y >= a.box.y_first && y < a.box.y_last;
      return Complex<T>{inside ? a.aperture[static_cast<std::size_t>(y) * N + x] : T{0}, T{0}};
    });
  });
  compute::transformForward<N, T>(team);
  team.each([&](auto& lane) {
    if (lane.line >= a.pitch) return;
    compute::takeEach(lane.z, [&](int q, Complex<T> z) {
      const int ky = compute::BlockShape<N>::frequency(lane.t, q);
      if (ky <= N / 2) a.spectra[static_cast<std::size_t>(ky) * a.pitch + lane.line] = z;
    });
  });
}

template <class T>
struct IntensityRows {
  const Complex<T>* spectra;
  CellRange box;
  int pitch;
  T* intensity;  // N × N, frequency (kx, ky) at column kx + N/2, row ky + N/2
  compute::PlaneTwiddles<T> twiddles;
};

template <int N, class T, class Team>
SIMSCOPE_HD inline void intensityRowPass(Team& team, const IntensityRows<T>& a) {
  team.each([&](auto& lane) {
    compute::fillEach(lane.z, [&](int q) {
      const int x = lane.place(q);
      const bool there = x >= a.box.x_first && x < a.box.x_last && lane.line <= N / 2;
      return there ? a.spectra[static_cast<std::size_t>(lane.line) * a.pitch + (x - a.box.x_first)] : Complex<T>{0, 0};
    });
  });
  compute::transformForward<N, T>(team);
  // Again through shared memory, so that neighbouring frequencies are written together.
  team.blockBarrier();
  team.each([&](auto& lane) {
    compute::takeEach(lane.z, [&](int q, Complex<T> z) {
      const int kx = compute::BlockShape<N>::frequency(lane.t, q);
      team.shared(lane)[kx + kx / 16].re = norm2(z);
    });
  });
  team.blockBarrier();
  team.each([&](auto& lane) {
    const int ky = lane.line;
    if (ky > N / 2) return;
    T* const row = a.intensity + static_cast<std::size_t>((ky + N / 2) % N) * N;
    T* const mirrored = a.intensity + static_cast<std::size_t>(N / 2 - ky) * N;
    compute::takeEach(lane.z, [&](int q, Complex<T>) {
      const int column = lane.place(q);
      const int kx = (column + N / 2) % N, opposite = (N - kx) % N;
      row[column] = team.shared(lane)[kx + kx / 16].re;
      // Rows 0 and N/2 contain their own mirror images.
      if (ky > 0 && ky < N / 2) mirrored[column] = team.shared(lane)[opposite + opposite / 16].re;
    });
  });
}

}  // namespace simscope::diffraction
