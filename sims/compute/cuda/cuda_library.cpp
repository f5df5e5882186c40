#include "sims/compute/cuda/cuda_library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include "sims/compute/library_missing.h"

namespace simscope::compute {

void* CudaLibrary::address(const char* name) {
  // The loader's places first (LD_LIBRARY_PATH, ldconfig), then where the toolkit was as the program was built. The
  // loader counts how often a library is loaded: it stays for good.
  void* library = dlopen(file_.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) library = dlopen((std::string(SIMSCOPE_CUDA_LIBRARIES "/") + file_).c_str(), RTLD_NOW);
  if (library == nullptr) {
    const char* const why = dlerror();
    throw LibraryMissing(
        fmt::format("{} is needed here and could not be loaded ({}): install NVIDIA's CUDA toolkit, or its "
                    "package of {}, or choose --device cpu",
                    title_, why != nullptr ? why : file_ + " was not found", title_));
  }
  void* const found = dlsym(library, name);
  if (found == nullptr) {
    throw LibraryMissing(
        fmt::format("{} has no function {}: {} belongs to another version of the CUDA toolkit than the one that "
                    "simscope was built with; install that one, or choose --device cpu",
                    title_, name, file_));
  }
  return found;
}

}  // namespace simscope::compute
