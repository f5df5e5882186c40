// SIMSCOPE_CLONES marks a function whose loop is compiled for several kinds of processors: the widest that there is is
// called. On compilers that cannot, it is nothing. Host code.
#pragma once

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_THREAD__)
#define SIMSCOPE_CLONES __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define SIMSCOPE_CLONES
#endif
