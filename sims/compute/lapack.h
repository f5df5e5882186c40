// LAPACK and BLAS of OpenBLAS, loaded at the first call. A program that is linked to them maps 40 MB and starts a
// thread a core at each start, and ends where the system refuses one, though few simulations use them. Thread: any. The
// types are those of lapacke.h and cblas.h, which a caller includes.
#pragma once

namespace simscope::compute {

// Of LAPACKE or of OpenBLAS. Throws Error, which says what to install, where a library or the function is missing.
void* lapackFunction(const char* name);

// SIMSCOPE_LAPACK(LAPACKE_dsyevd)(LAPACK_COL_MAJOR, ...): looked up once.
#define SIMSCOPE_LAPACK(name)                                                                                   \
  ([]() -> decltype(::name)* {                                                                                  \
    static auto* const found = reinterpret_cast<decltype(::name)*>(::simscope::compute::lapackFunction(#name)); \
    return found;                                                                                               \
  }())

}  // namespace simscope::compute
