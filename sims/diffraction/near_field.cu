#include "sims/diffraction/near_field.h"

#include <cmath>

#include "sims/compute/loops/parallel.h"

namespace simscope::diffraction {
namespace functors {

using Complexf = compute::Complex<float>;

// exp(2πi turns); whole turns are dropped in double precision, however many there are.
SIMSCOPE_HD inline Complexf phasor(double turns) {
  constexpr double kTwoPi = 6.28318530717958648;
  const auto angle = static_cast<float>(kTwoPi * (turns - rint(turns)));
  return {cosf(angle), sinf(angle)};
}

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
  int side;
  Complexf* plane;
  SIMSCOPE_HD double share(int at) const {
    const double turns = 3.14159265358979324 * (at < side / 2 ? at : at - side) / side;
    return turns == 0 ? 1 : sin(turns) / turns;
  }
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const double by = 1 / (share(column) * share(row));
    plane[i] = static_cast<float>(by) * plane[i];
  }
};

// Called for the frequencies ≥ 0; the factor is the same for all signs.
struct Multiply {
  Transfer::Kind kind;
  int n;
  double step;             // of frequency, times the wavelength: direction cosines
  double over_wavelength;  // z/λ
  double limit;            // of the direction cosines along an axis
  float scale;
  const Complexf* from;
  Complexf* to;

  SIMSCOPE_HD Complexf factor(int column, int row) const {
    const double a = step * column, b = step * row, sine2 = a * a + b * b;
    if (kind == Transfer::Kind::FresnelTransfer) return phasor(-0.5 * over_wavelength * sine2);
    const double a2 = a * a, b2 = b * b, limit2 = limit * limit;
    if (a2 + b2 * limit2 > limit2 || b2 + a2 * limit2 > limit2) return {0, 0};
    return phasor(-over_wavelength * sine2 / (1 + sqrt(sine2 < 1 ? 1 - sine2 : 0.0)));
  }
  SIMSCOPE_HD void operator()(int column, int row) const {
    const Complexf by = scale * factor(column, row);
    const int left = (n - column) & (n - 1), up = (n - row) & (n - 1);
    const std::size_t line = static_cast<std::size_t>(row) * n, mirror = static_cast<std::size_t>(up) * n;
    to[line + column] = by * from[line + column];
    if (left != column) to[line + left] = by * from[line + left];
    if (up == row) return;
    to[mirror + column] = by * from[mirror + column];
    if (left != column) to[mirror + left] = by * from[mirror + left];
  }
};

// Signs that alternate from cell to cell move the transform's origin to the middle, before and after.
SIMSCOPE_HD inline float checkered(int x, int y) {
  return (x + y) % 2 == 0 ? 1.0f : -1.0f;
}

struct Chirp {
  const float* transmission;
  Complexf* plane;
  int n;
  double turns;  // of the quadratic phase, a cell from the middle
  float scale;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    const double x = column - n / 2, y = row - n / 2;
    const float t = transmission[i];
    plane[i] = t == 0 ? Complexf{0, 0} : (scale * t * checkered(column, row)) * phasor(turns * (x * x + y * y));
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
  return {kind, p.grid_points, p.cell(), p.wavelength, p.distance, kind == Kind::AngularSpectrum};
}

NearField::NearField(compute::DevicePtr device, int n, int padding)
    : device_(std::move(device)),
      n_(n),
      side_(padding * n),
      spectrum_(device_, static_cast<std::size_t>(side_) * static_cast<std::size_t>(side_)),
      field_(device_, spectrum_.size()),
      fft_(device_, {.dimensions = {side_, side_}}) {}

void NearField::propagate(const float* transmission, const Transfer& transfer) {
  if (transfer.kind == Transfer::Kind::FresnelTransform) {
    if (side_ != n_) throw UsageError("diffraction: a field in one transform takes no padding");
    const double depth = transfer.wavelength * transfer.distance;
    const functors::Chirp chirp{transmission, field_.data(), n_, transfer.cell * transfer.cell / (2 * depth),
                                static_cast<float>(transfer.cell * transfer.cell / depth)};
    compute::parallelFor2d(device_, n_, n_, chirp);
    fft_.forward(field_.data());
    compute::parallelFor2d(device_, n_, n_, functors::Checker{field_.data()});
    return;
  }
  if (!spectrum_current_ || spectrum_of_means_ != transfer.means) {
    compute::parallelFor2d(device_, side_, side_, functors::LoadCorner{transmission, n_, spectrum_.data()});
    fft_.forward(spectrum_.data());
    if (transfer.means) compute::parallelFor2d(device_, side_, side_, functors::Sharpen{side_, spectrum_.data()});
    spectrum_current_ = true;
    spectrum_of_means_ = transfer.means;
  }
  applyTransfer(transfer);
}

void NearField::propagateFurther(const Transfer& transfer) {
  if (transfer.kind == Transfer::Kind::FresnelTransform) {
    throw UsageError("diffraction: a field is taken further by transfer functions only, which keep its window");
  }
  std::swap(spectrum_, field_);
  fft_.forward(spectrum_.data());
  spectrum_current_ = false;
  applyTransfer(transfer);
}

// field from spectrum
void NearField::applyTransfer(const Transfer& t) {
  const double window = side_ * t.cell, steepness = 2 * t.distance / window;
  const functors::Multiply multiply{t.kind,
                                    side_,
                                    t.wavelength / window,
                                    t.distance / t.wavelength,
                                    1 / std::sqrt(steepness * steepness + 1),
                                    static_cast<float>(1.0 / (static_cast<double>(side_) * side_)),
                                    spectrum_.data(),
                                    field_.data()};
  const int reach = side_ / 2 + 1;
  constexpr std::size_t kCostly = 2048;  // a phase each
  compute::parallelFor2d(device_, reach, reach, multiply, kCostly);
  fft_.inverse(field_.data());
}

void NearField::intensity(float* intensity) const {
  compute::parallelFor2d(device_, n_, n_, functors::IntensityWithin{field_.data(), side_, intensity});
}

double nearFieldBytes(int n, int padding) {
  return 2 * 8.0 * n * n * padding * padding;
}

}  // namespace simscope::diffraction
