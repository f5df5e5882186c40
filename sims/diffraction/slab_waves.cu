#include "sims/diffraction/slab_waves.h"

#include <fmt/format.h>

#include "sims/compute/loops/rows.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/compute/ranks/slab_fft_rows.h"
#include "sims/diffraction/transfer_factor.h"

namespace simscope::diffraction {
namespace functors {

using compute::Slab;
using Complexf = compute::Complex<float>;

// Rows of the aperture, within the larger plane of zeros.
struct LoadRows {
  const float* transmission;
  Slab slab;
  SIMSCOPE_HD Complexf operator()(int x, int y) const { return {x < slab.n ? transmission[slab.at(x, y)] : 0.0f, 0}; }
};
struct LoadCheckered {
  const float* transmission;
  Slab slab;
  SIMSCOPE_HD Complexf operator()(int x, int y) const { return {checkered(x, y) * transmission[slab.at(x, y)], 0}; }
};
struct LoadChirpRows {
  Chirp chirp;
  const float* transmission;
  Slab slab;
  SIMSCOPE_HD Complexf operator()(int x, int y) const { return chirp(x, y, transmission[slab.at(x, y)]); }
};

struct StoreRows {
  Complexf* field;
  Slab slab;
  SIMSCOPE_HD void operator()(int x, int y, Complexf z) const {
    if (x < slab.n) field[slab.at(x, y)] = z;
  }
};
struct StoreCheckered {
  Complexf* field;
  Slab slab;
  SIMSCOPE_HD void operator()(int x, int y, Complexf z) const { field[slab.at(x, y)] = checkered(x, y) * z; }
};
struct StoreIntensity {
  float* intensity;
  Slab slab;
  SIMSCOPE_HD void operator()(int x, int y, Complexf z) const { intensity[slab.at(x, y)] = norm2(z); }
};

struct IntensityOfRows {
  const Complexf* field;
  Slab slab;
  float* intensity;
  SIMSCOPE_HD void operator()(int x, int y) const {
    const std::size_t at = slab.at(x, y);
    intensity[at] = norm2(field[at]);
  }
};

// A piece: column m has the frequency m·rests + rest along x; rows are frequencies along y.
struct KeepSpectrum {
  const Complexf* piece;
  Complexf* spectrum;
  CellMeans means;
  bool sharpened;
  StraightSpectrum straight;
  int rests, rest;
  SIMSCOPE_HD void operator()(int m, int row, std::size_t i) const {
    const int column = m * rests + rest;
    spectrum[i] = !sharpened ? piece[i] : straight.factors ? straight(column, row) : means(column, row) * piece[i];
  }
};
// Called for the rows of frequencies ≥ 0.
struct MultiplyPiece {
  TransferFactor factor;
  const Complexf* spectrum;
  Complexf* piece;
  int side, width, rests, rest;
  SIMSCOPE_HD void operator()(int m, int row) const {
    const int k = m * rests + rest;
    const Complexf by = factor(k <= side / 2 ? k : side - k, row);
    const std::size_t at = static_cast<std::size_t>(row) * width + m;
    const std::size_t mirror = static_cast<std::size_t>((side - row) & (side - 1)) * width + m;
    piece[at] = by * spectrum[at];
    if (mirror != at) piece[mirror] = by * spectrum[mirror];
  }
};

}  // namespace functors

namespace {

using Back = compute::SlabFft<float>::Back;

}  // namespace

SlabWaves::SlabWaves(const compute::DevicePtr& device, const compute::Slab& slab, Kind kind, int padding)
    : slab_(slab), kind_(kind), fft_(device, slab, padding) {
  if (kind == Kind::Far) return;
  const auto piece = static_cast<std::size_t>(fft_.length()) * static_cast<std::size_t>(fft_.width());
  spectrum_ = compute::Buffer<Complexf>(device, piece * static_cast<std::size_t>(fft_.pieces()));
  field_ = compute::Buffer<Complexf>(device, slab.cells());
}

double SlabWaves::bytes(int n, int halo, int ranks, Kind kind, int padding) {
  const double length = static_cast<double>(padding) * n;
  const int rests = compute::restsFor(padding * n, ranks), most = (rests + ranks - 1) / ranks;
  const double piece = 8 * length * length / rests;
  // With cuFFT's workspace for a piece.
  const double transform = compute::SlabFft<float>::bytes(n, ranks, padding) + 2 * piece;
  if (kind == Kind::Far) return transform;
  return transform + most * piece + 8.0 * (compute::largestSlab(n, ranks) + 2 * halo) * n;
}

SlabWaves::Complexf* SlabWaves::spectrumOf(int piece) {
  const auto elements = static_cast<std::size_t>(fft_.length()) * static_cast<std::size_t>(fft_.width());
  return spectrum_.data() + static_cast<std::size_t>(piece) * elements;
}

void SlabWaves::farField(const float* transmission, float* intensity) {
  fft_.begin(functors::LoadCheckered{transmission, slab_});
  fft_.turn([this](int piece) { fft_.alongY(piece, false); }, Back::AsItIs);
  fft_.endParts(functors::StoreIntensity{intensity, slab_});
}

void SlabWaves::keepSpectrum(int piece, bool means, const StraightSpectrum& straight) {
  fft_.alongY(piece, false);
  compute::parallelFor2d(
      *fft_.device(), fft_.width(), fft_.length(),
      functors::KeepSpectrum{
          fft_.piece(piece), spectrumOf(piece), {fft_.length()}, means, straight, fft_.rests(), fft_.rest(piece)});
}

void SlabWaves::multiply(int piece, const Transfer& transfer) {
  const int side = fft_.length();
  compute::parallelFor2d(*fft_.device(), fft_.width(), side / 2 + 1,
                         functors::MultiplyPiece{factorOf(transfer, side), spectrumOf(piece), fft_.piece(piece), side,
                                                 fft_.width(), fft_.rests(), fft_.rest(piece)},
                         kPhaseGrain);
  fft_.alongY(piece, true);
}

void SlabWaves::propagate(const float* transmission, const Transfer& transfer, const StraightSpectrum& straight) {
  if (transfer.kind == Transfer::Kind::FresnelTransform) {
    fft_.begin(functors::LoadChirpRows{chirpOf(transfer), transmission, slab_});
    fft_.turn([this](int piece) { fft_.alongY(piece, false); }, Back::AsItIs);
    fft_.endParts(functors::StoreCheckered{field_.data(), slab_});
    return;
  }
  if (spectrum_current_ && spectrum_of_means_ == transfer.means) {
    fft_.comeBack([&](int piece) { multiply(piece, transfer); }, Back::Transformed);
  } else {
    fft_.begin(functors::LoadRows{transmission, slab_});
    const auto work = [&](int piece) {
      keepSpectrum(piece, transfer.means, straight);
      multiply(piece, transfer);
    };
    fft_.turn(work, Back::Transformed);
    spectrum_current_ = true;
    spectrum_of_means_ = transfer.means;
  }
  fft_.end(functors::StoreRows{field_.data(), slab_});
}

void SlabWaves::intensity(float* intensity) const {
  compute::forRows(*fft_.device(), slab_.n, slab_.first, slab_.count,
                   functors::IntensityOfRows{field_.data(), slab_, intensity});
}

std::string SlabWaves::method() const {
  const compute::Device& device = *fft_.device();
  return fmt::format("{} in slabs, {} pieces{}", device.isCuda() ? "cuFFT" : "FFTW", fft_.rests(),
                     device.ranks() ? ", exchanged by " + device.link() : std::string());
}

}  // namespace simscope::diffraction
