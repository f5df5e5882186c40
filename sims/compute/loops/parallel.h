// parallelFor and reduce over named host-device functors: one functor, two executors.
//
// Only device sources (*.cu) may include this header: nvcc compiles them where there is a CUDA toolkit, a C++ compiler
// where there is none, so that the templates mean the same in every translation unit of one build.
//
//   parallelFor(device, n, f)       calls f(i) for i in [0, n), in any order, asynchronously on the device's stream. A
//                                   fourth argument says how many elements one CPU thread takes at a time (16384);
//                                   give a small one where a single f(i) is costly.
//   parallelFor2d(device, width, height, f)   likewise f(x, y) for x in [0, width) and y in [0, height); or f(x, y, i)
//                                   for functors that take the element's place i = y·width + x in a row-major plane,
//                                   too. Neighbours along x run together. A fifth argument as the fourth above. A
//                                   width or height of 0 or less: nothing to do.
//   reduce(device, n, identity, f, combine)   combine over f(i); returns the value on the host (waits). T = the type
//                                   of identity, trivially copyable. The order of combination depends on n alone
//                                   (fixed blocks), not on the thread count: same bits in every run. T may be a
//                                   struct of several sums, found in one pass (at most 128 bytes).
//   reduceInto(device, n, identity, f, combine, result)   the same value, to *result in device memory; enqueued,
//                                   without waiting. Neither f nor combine may read *result.
//   reduceEachInto(device, count, n, identity, fs, combine, results)   reduceInto for each of `count` functors that lie
//                                   in device memory, over the same n, to results[0 .. count-1]: the same bits, in a
//                                   few launches.
//   reduce2d(device, width, height, identity, f, combine)   combine over f(x, y), or f(x, y, i); waits. The order
//                                   depends on the shape alone. On the CPU it is row by row, so that the bits differ
//                                   from those of reduce over i, and a row is one thread's.
// device: a Device& or a DevicePtr. Functors are structs with `SIMSCOPE_HD R operator()(std::size_t i) const`, or
// (int x, int y), or (int x, int y, std::size_t i), copied by value.
#pragma once

#if !defined(SIMSCOPE_DEVICE_SOURCE)
#error "sims/compute/loops/parallel.h belongs in device sources (*.cu); see simscope_library(... DEVICE_SOURCES ...)"
#endif

#include "sims/compute/loops/detail/parallel2d_impl.h"
#include "sims/compute/loops/detail/parallel_impl.h"
