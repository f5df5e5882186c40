// Split-operator steps of ψ whose rows ranks hold in slabs: half a potential step in the rows, a kinetic step in the
// columns, with two exchanges of the whole field a step (sims/compute/ranks/slab_fft.h).
//
// Owner, thread, errors: as Propagator; all ranks call it together. ψ and half: slab.cells() numbers each, of which the
// rank's own rows count.
#pragma once

#include <memory>
#include <vector>

#include "sims/compute/buffer.h"
#include "sims/compute/ranks/slab_fft.h"
#include "sims/schrodinger2d/propagation/operations.h"
#include "sims/schrodinger2d/propagation/part_rows.h"
#include "sims/schrodinger2d/propagation/piece_columns.h"
#include "sims/schrodinger2d/propagation/propagator.h"

namespace simscope::schrodinger2d {

template <class T>
class SlabPropagator final : public Propagator<T> {
 public:
  SlabPropagator(const compute::DevicePtr& device, const Slab& slab);
  ~SlabPropagator() override;

  void setKinetic(std::span<const Complex<T>> along_x, std::span<const Complex<T>> along_y) override;
  void advance(Complex<T>* psi, const Complex<T>* half, int n) override;
  std::string method() const override;
  bool inFusedPasses() const noexcept { return rows_ != nullptr; }  // of rows and columns

  // The momenta of ψ; valid until the next call of this object.
  Momenta<T> momenta(const Complex<T>* psi);

 private:
  class OnCpu;
  void kineticStep(int piece, const Complex<T>* across, const compute::RowsThere<T>& there);
  void advanceOnChip(Complex<T>* psi, const Complex<T>* half, int n);

  compute::SlabFft<T> fft_;
  Slab slab_;
  compute::Buffer<Complex<T>> across_, down_;  // the kinetic factors: of the pieces' k_x, piece after piece, and of k_y
  std::unique_ptr<OnCpu> on_cpu_;
  // In single precision, if the device has enough shared memory; rows only together with columns.
  std::unique_ptr<PieceColumns> columns_;
  std::unique_ptr<PartRows> rows_;
  compute::Buffer<Complex<T>> across_in_order_;  // as across_, in the order of rows_
};

}  // namespace simscope::schrodinger2d
