// The patterns of an aperture of which ranks hold slabs of rows: far field and near field, equal to those of FarField
// and NearField up to rounding. All ranks exchange their parts, so that each transforms whole columns
// (sims/compute/ranks/slab_fft.h): twice for a pattern, once where the aperture's spectrum is known already.
//
// Planes are slabs of N × N, of which the rank's own rows are read and written. Owner: the pieces of the transforms; in
// the near field also their spectrum and the field. Thread: inside Device::run; enqueued. All ranks call it together.
// Errors: UsageError (too many ranks), and as Device::exchange.
#pragma once

#include <functional>
#include <string>

#include "sims/compute/ranks/slab_fft.h"
#include "sims/diffraction/near_field.h"

namespace simscope::diffraction {

class SlabWaves {
 public:
  using Complexf = compute::Complex<float>;
  enum class Kind { Far, Near };

  // padding: as NearField's; 1 for the far field.
  SlabWaves(const compute::DevicePtr& device, const compute::Slab& slab, Kind kind, int padding);
  // Bytes that one of `ranks` ranks takes at most, with a halo of `halo` rows.
  static double bytes(int n, int halo, int ranks, Kind kind, int padding);

  Kind kind() const noexcept { return kind_; }
  int padding() const noexcept { return fft_.length() / slab_.n; }

  // Far field: as FarField::intensity.
  void farField(const float* transmission, float* intensity);

  // Near field: as NearField's.
  void apertureChanged() noexcept { spectrum_current_ = false; }
  void propagate(const float* transmission, const Transfer& transfer, const StraightSpectrum& straight = {});
  const Complexf* field() const noexcept { return field_.data(); }  // in the slab's order of cells
  void intensity(float* intensity) const;

  std::string method() const;

 private:
  Complexf* spectrumOf(int piece);
  void keepSpectrum(int piece, bool means, const StraightSpectrum& straight);
  void multiply(int piece, const Transfer& transfer);

  compute::Slab slab_;
  Kind kind_;
  compute::SlabFft<float> fft_;
  compute::Buffer<Complexf> spectrum_, field_;  // piece after piece; slab.cells()
  bool spectrum_current_ = false, spectrum_of_means_ = false;
};

}  // namespace simscope::diffraction
