// SIMSCOPE_HD marks functions for host and device; in plain C++ it is empty.
#pragma once

#if defined(__CUDACC__)
#define SIMSCOPE_HD __host__ __device__
#else
#define SIMSCOPE_HD
#endif
