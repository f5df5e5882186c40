// SIMSCOPE_HD marks what runs on the host and on the device; as plain C++ it is nothing.
#pragma once

#if defined(__CUDACC__)
#define SIMSCOPE_HD __host__ __device__
#else
#define SIMSCOPE_HD
#endif
