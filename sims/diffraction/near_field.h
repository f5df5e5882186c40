// The near field of an aperture: amplitude and phase at a distance, relative to the incident plane wave.
//
//   angular spectrum   FFT, · exp(2πi z (√(1/λ² - f²) - 1/λ)) within the band |f| ≤ 1/(λ √((2z/W)² + 1)), FFT⁻¹, with W
//                      the width of the plane: twice the window's where it is padded
//   Fresnel, z ≤ z_c   FFT, · exp(-iπλz f²), FFT⁻¹: the same window
//   Fresnel, z > z_c   · exp(iπ r²/λz), FFT: a window that grows with z; the phase is that relative to the wave of a
//                      point source in the aperture's middle
// with z_c = criticalDistance(): on either side of it the quadratic phase that is sampled turns by less than π a
// sample. Sources: J. W. Goodman, Introduction to Fourier Optics, 4th ed. (2017), chapters 3 to 5; K. Matsushima, T.
// Shimobaba, Opt. Express 17 (2009) 19662 (band and padding); D. Voelz, M. Roggemann, Appl. Opt. 48 (2009) 6132 (the
// sampling).
//
// Owner: two complex planes on the device. Thread: inside Device::run; enqueued.
#pragma once

#include "sims/compute/buffer.h"
#include "sims/compute/fourier/fft.h"
#include "sims/diffraction/parameters.h"
#include "sims/diffraction/straight.h"

namespace simscope::diffraction {

// The propagation of a wave over a distance on a grid.
struct Transfer {
  enum class Kind { AngularSpectrum, FresnelTransfer, FresnelTransform };
  Kind kind;
  int n;
  double cell;  // dx [m]
  double wavelength, distance;
  // Transmissions are means over cells, which weakens the waves at steep angles: by sinc(f dx) along each axis. True:
  // this is corrected, so that the field is that of the ideal aperture. Only for shapes: of pictures and
  // drawings much of the light at steep angles may come from details finer than the cells, and would be multiplied,
  // too.
  bool means = false;
  double pitch() const { return kind == Kind::FresnelTransform ? wavelength * distance / (n * cell) : cell; }
};
Transfer transferFor(const Parameters& parameters);

class NearField {
 public:
  using Complexf = compute::Complex<float>;

  // padding: 1, or 2 for transfers in a plane twice as large along each side (not for transfers of one transform).
  NearField(compute::DevicePtr device, int n, int padding = 1);

  // The next transmissions differ from the last ones.
  void apertureChanged() noexcept { spectrum_current_ = false; }
  // Makes field() from n × n transmissions, whose spectrum is kept. straight: that of the ideal aperture, with the
  // plane's side, if it is known; taken instead of corrected means.
  void propagate(const float* transmission, const Transfer& transfer, const StraightSpectrum& straight = {});
  // Propagates field() over a further distance; only kinds that keep the window.
  void propagateFurther(const Transfer& transfer);

  // n × n, in rows of pitch() numbers.
  Complexf* field() noexcept { return field_.data(); }
  const Complexf* field() const noexcept { return field_.data(); }
  int pitch() const noexcept { return side_; }
  int padding() const noexcept { return side_ / n_; }
  // |field|², n × n without gaps.
  void intensity(float* intensity) const;

 private:
  void applyTransfer(const Transfer& transfer);

  compute::DevicePtr device_;
  int n_, side_;
  compute::Buffer<Complexf> spectrum_, field_;
  bool spectrum_current_ = false, spectrum_of_means_ = false;
  compute::Fft<float> fft_;
};

double nearFieldBytes(int n, int padding);

}  // namespace simscope::diffraction
