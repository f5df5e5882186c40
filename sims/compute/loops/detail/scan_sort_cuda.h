// CUDA's part of sims/compute/loops/scan_sort.h, which has checked n (from 1 to INT_MAX) and bits (from 1 on). With a
// null scratch these only compute the bytes that they need. Otherwise the caller has checked that scratch has them.
#pragma once

#include "sims/compute/loops/scan_sort.h"

namespace simscope::compute::detail {

template <class T>
void scanOnCuda(Device& device, bool inclusive, const T* values, T* sums, int n, void* scratch, std::size_t& bytes);
template <class Key>
void sortOnCuda(Device& device, Pairs<Key>& pairs, int n, int bits, void* scratch, std::size_t& bytes);

}  // namespace simscope::compute::detail
