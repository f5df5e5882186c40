// LAPACK and BLAS of OpenBLAS, loaded at the first call. A program that is linked to them maps 40 MB and starts a
// thread a core at each start, and ends where the system refuses one, though few simulations use them. Thread: any. The
// types are those of lapacke.h and cblas.h, which a caller includes.
//
// OpenBLAS repeats an allocation that fails for ever, in each of its threads, and interrupts the process where it
// cannot start a thread. So what it takes is tried before it is loaded.
#pragma once

#include <cstddef>

namespace simscope::compute {

// Before a call that takes so many bytes beside its arguments: OutOfMemory where they, and what the library takes for
// itself if it is not yet loaded, are more than this process may have. Error where its threads cannot be started.
void requireLapackMemory(std::size_t work_bytes);

// Of LAPACKE or of OpenBLAS. Throws Error, which says what to install, where a library or the function is missing.
void* lapackFunction(const char* name);

// SIMSCOPE_LAPACK(LAPACKE_dsyevd)(LAPACK_COL_MAJOR, ...): looked up once.
#define SIMSCOPE_LAPACK(name)                                                                                   \
  ([]() -> decltype(::name)* {                                                                                  \
    static auto* const found = reinterpret_cast<decltype(::name)*>(::simscope::compute::lapackFunction(#name)); \
    return found;                                                                                               \
  }())

}  // namespace simscope::compute
