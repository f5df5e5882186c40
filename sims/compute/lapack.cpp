#include "sims/compute/lapack.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "sims/compute/error.h"

namespace simscope::compute {
namespace {

void* loaded(const char* file, int scope) {
  // The loader counts how often a library is loaded: it stays for good.
  void* const library = dlopen(file, RTLD_NOW | scope);
  if (library != nullptr) return library;
  const char* const why = dlerror();
  throw Error(
      fmt::format("LAPACK is needed here and could not be loaded ({}): install the packages liblapacke and "
                  "libopenblas0-pthread",
                  why != nullptr ? why : file));
}

}  // namespace

void* lapackFunction(const char* name) {
  // In this order, and the first one for all: LAPACKE then calls OpenBLAS's LAPACK, whichever the system prefers.
  void* const openblas = loaded("libopenblas.so.0", RTLD_GLOBAL);
  void* const lapacke = loaded("liblapacke.so.3", RTLD_LOCAL);
  void* found = dlsym(openblas, name);
  if (found == nullptr) found = dlsym(lapacke, name);
  if (found == nullptr) throw Error(fmt::format("LAPACK has no function {}", name));
  return found;
}

}  // namespace simscope::compute
