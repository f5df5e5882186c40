// Where kernels write the rows of a piece of a slab transform (slab_fft.h): each rank's rows to that rank's memory, or
// all in place. Plain data, for host and device.
#pragma once

#include <cstddef>

#include "sims/compute/complex.h"
#include "sims/compute/host_device.h"

namespace simscope::compute {

template <class T>
struct RowsThere {
  static constexpr int kMostRanks = 8;

  int ranks = 1;
  int end[kMostRanks] = {};           // the row after a rank's last; unused for the last rank
  Complex<T>* base[kMostRanks] = {};  // row y begins at base + y·width

  static RowsThere inPlace(Complex<T>* piece) {
    RowsThere rows;
    rows.base[0] = piece;
    return rows;
  }
  SIMSCOPE_HD Complex<T>* of(int y) const {
    int rank = 0;
    while (rank < ranks - 1 && y >= end[rank]) ++rank;
    return base[rank];
  }
};

}  // namespace simscope::compute
