#include "sims/schrodinger2d/propagation/slab_propagator.h"

#include <bit>
#include <type_traits>

#include <fmt/format.h>

#include "sims/compute/fourier/plane_fft_cpu.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/compute/ranks/slab_fft_rows.h"

namespace simscope::schrodinger2d {
namespace functors {

template <class T>
struct LoadWave {
  const Complex<T>* psi;
  Slab slab;
  SIMSCOPE_HD Complex<T> operator()(int x, int y) const { return psi[slab.at(x, y)]; }
};
template <class T>
struct LoadHalf {
  const Complex<T>*psi, *half;
  Slab slab;
  SIMSCOPE_HD Complex<T> operator()(int x, int y) const {
    const std::size_t at = slab.at(x, y);
    return psi[at] * half[at];
  }
};
template <class T>
struct BothHalves {
  const Complex<T>* half;
  Slab slab;
  SIMSCOPE_HD Complex<T> operator()(int x, int y, Complex<T> z) const {
    const Complex<T> factor = half[slab.at(x, y)];
    return (z * factor) * factor;
  }
};
template <class T>
struct StoreHalf {
  Complex<T>* psi;
  const Complex<T>* half;
  Slab slab;
  SIMSCOPE_HD void operator()(int x, int y, Complex<T> z) const {
    const std::size_t at = slab.at(x, y);
    psi[at] = z * half[at];
  }
};
template <class T>
struct MultiplyPiece {
  Complex<T>* piece;
  const Complex<T>*across, *down;
  SIMSCOPE_HD void operator()(int column, int row, std::size_t i) const {
    piece[i] = piece[i] * (across[column] * down[row]);
  }
};

}  // namespace functors

// Forward and back down the columns in one pass over a piece.
template <class T>
class SlabPropagator<T>::OnCpu : public compute::PlaneFftCpu<T> {
 public:
  using compute::PlaneFftCpu<T>::PlaneFftCpu;
};

template <class T>
SlabPropagator<T>::SlabPropagator(const compute::DevicePtr& device, const Slab& slab)
    : fft_(device, slab),
      slab_(slab),
      across_(device, static_cast<std::size_t>(fft_.width()) * static_cast<std::size_t>(fft_.pieces())),
      down_(device, static_cast<std::size_t>(slab.n)) {
  if (!device->isCuda()) on_cpu_ = std::make_unique<OnCpu>(device, slab.n, fft_.width());
  if constexpr (std::is_same_v<T, float>) {
    columns_ = makePieceColumns(device, slab.n);
    if (columns_) rows_ = makePartRows(device, slab.n, fft_.rests());
  }
}

template <class T>
SlabPropagator<T>::~SlabPropagator() = default;

template <class T>
void SlabPropagator<T>::setKinetic(std::span<const Complex<T>> along_x, std::span<const Complex<T>> along_y) {
  const auto acrossBy = [&](const auto& frequency) {
    std::vector<Complex<T>> across;
    for (int i = 0; i < fft_.pieces(); ++i) {
      for (int m = 0; m < fft_.width(); ++m) {
        across.push_back(along_x[static_cast<std::size_t>(frequency(m) * fft_.rests() + fft_.rest(i))]);
      }
    }
    return across;
  };
  across_.upload(acrossBy([](int m) { return m; }));
  down_.upload(along_y);
  if constexpr (std::is_same_v<T, float>) {
    if (columns_) columns_->setKinetic(along_y);
    if (!rows_) return;
    const std::vector<int>& order = rows_->order();
    const std::vector<Complex<T>> across = acrossBy([&](int m) { return order[static_cast<std::size_t>(m)]; });
    across_in_order_ = compute::Buffer<Complex<T>>(fft_.device(), std::span<const Complex<T>>(across));
  }
}

// across: factors of all the rank's columns.
template <class T>
void SlabPropagator<T>::kineticStep(int piece, const Complex<T>* across, const compute::RowsThere<T>& there) {
  Complex<T>* const columns = fft_.piece(piece);
  across += static_cast<std::ptrdiff_t>(piece) * fft_.width();
  if (on_cpu_) return on_cpu_->downColumns(columns, across, down_.data());
  if constexpr (std::is_same_v<T, float>) {
    if (columns_) return columns_->step(columns, fft_.width(), across, fft_.turns(), there);
  }
  fft_.alongY(piece, false);
  compute::parallelFor2d(fft_.device(), fft_.width(), slab_.n,
                         functors::MultiplyPiece<T>{columns, across, down_.data()});
  fft_.alongY(piece, true);
}

template <class T>
void SlabPropagator<T>::advance(Complex<T>* psi, const Complex<T>* half, int n) {
  using Back = typename compute::SlabFft<T>::Back;
  if (rows_) return advanceOnChip(psi, half, n);
  fft_.begin(functors::LoadHalf<T>{psi, half, slab_});
  for (int step = 1; step <= n; ++step) {
    fft_.turn(
        [this](int piece) { kineticStep(piece, across_.data(), compute::RowsThere<T>::inPlace(fft_.piece(piece))); },
        Back::Transformed);
    if (step < n) fft_.between(functors::BothHalves<T>{half, slab_});
  }
  fft_.end(functors::StoreHalf<T>{psi, half, slab_});
}

template <class T>
void SlabPropagator<T>::advanceOnChip(Complex<T>* psi, const Complex<T>* half, int n) {
  if constexpr (std::is_same_v<T, float>) {
    const std::size_t own = slab_.at(0, slab_.first);
    PartRows::Arguments all{psi + own, half + own, {}, {}, fft_.turns(), slab_.count};
    for (int rest = 0; rest < fft_.rests(); ++rest) {
      all.parts.push_back(fft_.part(rest));
      all.there.push_back(fft_.partThere(rest));
    }
    const auto rowsOf = [&](int first, int count) {
      PartRows::Arguments some = all;
      const auto skipped = static_cast<std::size_t>(first);
      some.psi += skipped * static_cast<std::size_t>(fft_.length());
      some.half += skipped * static_cast<std::size_t>(fft_.length());
      for (auto* const parts : {&some.parts, &some.there}) {
        for (Complex<float>*& part : *parts) part += skipped * static_cast<std::size_t>(fft_.width());
      }
      some.count = count;
      return some;
    };
    const auto columns = [this](int piece) { kineticStep(piece, across_in_order_.data(), fft_.rowsThere(piece)); };
    for (int step = 0; step < n; ++step) {
      const auto rows = [&](int first, int count) {
        const PartRows::Arguments some = rowsOf(first, count);
        step == 0 ? rows_->begin(some) : rows_->between(some);
      };
      if (fft_.reaches()) {
        fft_.turnWritten([&] { rows(0, slab_.count); }, columns);
      } else {
        fft_.turnTransformed(rows, columns);
      }
    }
    fft_.arrive();
    rows_->end(all);
  }
}

template <class T>
Momenta<T> SlabPropagator<T>::momenta(const Complex<T>* psi) {
  fft_.begin(functors::LoadWave<T>{psi, slab_});
  fft_.turn([this](int piece) { fft_.alongY(piece, false); }, compute::SlabFft<T>::Back::No);
  return {fft_.piece(0), fft_.pieces(), std::countr_zero(static_cast<unsigned>(fft_.rests())), fft_.rest(0)};
}

template <class T>
std::string SlabPropagator<T>::method() const {
  const compute::Device& device = *fft_.device();
  const char* const by = rows_             ? "fused passes"
                         : columns_        ? "cuFFT, columns in fused passes"
                         : device.isCuda() ? "cuFFT"
                                           : "FFTW";
  if (!device.ranks()) return fmt::format("{}, rows in {} parts", by, fft_.rests());
  const std::string how = rows_ && fft_.reaches() ? "written to each other's memory" : "exchanged by " + device.link();
  return fmt::format("{} in slabs, {} pieces, {}", by, fft_.rests(), how);
}

template class SlabPropagator<float>;
template class SlabPropagator<double>;

}  // namespace simscope::schrodinger2d
