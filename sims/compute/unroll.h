// SIMSCOPE_UNROLL, before a loop of device code: arrays that are indexed in it stay in registers only where it is
// unrolled. On the host it is nothing.
#pragma once

#if defined(__CUDA_ARCH__)
#define SIMSCOPE_UNROLL _Pragma("unroll")
#else
#define SIMSCOPE_UNROLL
#endif
