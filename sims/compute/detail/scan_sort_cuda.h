// CUDA's part of sims/compute/scan_sort.h, which has checked n (from 1 to what an int holds) and bits (from 1 on).
// With a null scratch these only find the bytes that they need. False: there are too few, and nothing was done.
#pragma once

#include "sims/compute/scan_sort.h"

namespace simscope::compute::detail {

template <class T>
bool scanOnCuda(Device& device, bool inclusive, const T* values, T* sums, int n, void* scratch, std::size_t& bytes);
template <class Key>
bool sortOnCuda(Device& device, Pairs<Key>& pairs, int n, int bits, void* scratch, std::size_t& bytes);

}  // namespace simscope::compute::detail
