#include "sims/diffraction/near_field.h"

#include <cmath>

#include "sims/compute/loops/parallel.h"
#include "sims/diffraction/transfer_factor.h"

namespace simscope::diffraction {
namespace functors {

using Complexf = compute::Complex<float>;

// n × n transmissions in a corner of side × side.
struct LoadCorner {
  const float* transmission;
  int n;
  Complexf* plane;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const bool within = column < n && row < n;
    plane[i] = {within ? transmission[static_cast<std::size_t>(row) * n + column] : 0.0f, 0};
  }
};

// From the spectrum of means over cells to that of the values.
struct Sharpen {
  CellMeans means;
  Complexf* plane;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const { plane[i] = means(column, row) * plane[i]; }
};

struct Straight {
  StraightSpectrum spectrum;
  Complexf* plane;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const { plane[i] = spectrum(column, row); }
};

// Called for the frequencies ≥ 0; the factor does not depend on the signs.
struct Multiply {
  TransferFactor factor;
  int n;
  const Complexf* from;
  Complexf* to;

  SIMSCOPE_HD void operator()(int column, int row) const {
    const Complexf by = factor(column, row);
    const int left = (n - column) & (n - 1), up = (n - row) & (n - 1);
    const std::size_t line = static_cast<std::size_t>(row) * n, mirror = static_cast<std::size_t>(up) * n;
    to[line + column] = by * from[line + column];
    if (left != column) to[line + left] = by * from[line + left];
    if (up == row) return;
    to[mirror + column] = by * from[mirror + column];
    if (left != column) to[mirror + left] = by * from[mirror + left];
  }
};

struct LoadChirp {
  Chirp chirp;
  const float* transmission;
  Complexf* plane;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    plane[i] = chirp(column, row, transmission[i]);
  }
};

struct Checker {
  Complexf* plane;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    plane[i] = checkered(column, row) * plane[i];
  }
};

struct IntensityWithin {
  const Complexf* plane;
  int side;
  float* intensity;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    intensity[i] = norm2(plane[static_cast<std::size_t>(row) * side + column]);
  }
};

}  // namespace functors

Transfer transferFor(const Parameters& p) {
  using Kind = Transfer::Kind;
  Kind kind = Kind::AngularSpectrum;
  if (p.propagation == Propagation::Fresnel) kind = keepsWindow(p) ? Kind::FresnelTransfer : Kind::FresnelTransform;
  const bool means = kind == Kind::AngularSpectrum && p.aperture != Aperture::Image;
  return {kind, p.grid_points, p.cell(), p.wavelength, p.distance, means};
}

NearField::NearField(compute::DevicePtr device, int n, int padding)
    : device_(std::move(device)),
      n_(n),
      side_(padding * n),
      spectrum_(device_, static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_)),
      field_(device_, spectrum_.size()),
      fft_(device_, {.dimensions = {side_, side_}}) {}

void NearField::propagate(const float* transmission, const Transfer& transfer, const StraightSpectrum& straight) {
  if (transfer.kind == Transfer::Kind::FresnelTransform) {
    if (side_ != n_) throw UsageError("diffraction: a field of a single transform cannot be padded");
    const functors::LoadChirp chirp{chirpOf(transfer), transmission, field_.data()};
    compute::parallelFor2d(device_, n_, n_, chirp);
    fft_.forward(field_.data());
    compute::parallelFor2d(device_, n_, n_, functors::Checker{field_.data()});
    return;
  }
  if (!spectrum_current_ || spectrum_of_means_ != transfer.means) {
    if (transfer.means && straight.factors) {
      compute::parallelFor2d(device_, side_, side_, functors::Straight{straight, spectrum_.data()});
    } else {
      compute::parallelFor2d(device_, side_, side_, functors::LoadCorner{transmission, n_, spectrum_.data()});
      fft_.forward(spectrum_.data());
      if (transfer.means) compute::parallelFor2d(device_, side_, side_, functors::Sharpen{{side_}, spectrum_.data()});
    }
    spectrum_current_ = true;
    spectrum_of_means_ = transfer.means;
  }
  applyTransfer(transfer);
}

void NearField::propagateFurther(const Transfer& transfer) {
  if (transfer.kind == Transfer::Kind::FresnelTransform) {
    throw UsageError("diffraction: only transfer functions, which keep the window, can propagate a field further");
  }
  std::swap(spectrum_, field_);
  fft_.forward(spectrum_.data());
  spectrum_current_ = false;
  applyTransfer(transfer);
}

// field from spectrum
void NearField::applyTransfer(const Transfer& t) {
  const functors::Multiply multiply{factorOf(t, side_), side_, spectrum_.data(), field_.data()};
  const int reach = side_ / 2 + 1;
  compute::parallelFor2d(device_, reach, reach, multiply, kPhaseGrain);
  fft_.inverse(field_.data());
}

void NearField::intensity(float* intensity) const {
  compute::parallelFor2d(device_, n_, n_, functors::IntensityWithin{field_.data(), side_, intensity});
}

double nearFieldBytes(int n, int padding) {
  return 2 * 8.0 * n * n * padding * padding;
}

}  // namespace simscope::diffraction
