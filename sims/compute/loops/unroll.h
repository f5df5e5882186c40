// Hints to compilers about the following loop.
//   SIMSCOPE_UNROLL        device code: arrays that are indexed in it stay in registers only where it is unrolled. On
//                          the host it is nothing.
//   SIMSCOPE_INDEPENDENT   host code: its rounds are independent of each other, so that it may be vectorised without a
//                          proof.
#pragma once

#if defined(__CUDA_ARCH__)
#define SIMSCOPE_UNROLL _Pragma("unroll")
#else
#define SIMSCOPE_UNROLL
#endif

#if defined(__GNUC__) && !defined(__clang__)
#define SIMSCOPE_INDEPENDENT _Pragma("GCC ivdep")
#else
#define SIMSCOPE_INDEPENDENT
#endif
