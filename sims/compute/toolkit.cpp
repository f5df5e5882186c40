#include "sims/compute/toolkit.h"

#if SIMSCOPE_HAVE_CUDA
#include <cuda_runtime_api.h>
#include <cufft.h>
#if __has_include(<cusolverDn.h>)
#include <cusolver_common.h>
#endif
#include <dlfcn.h>
#endif

namespace simscope::compute {

Toolkit toolkit() {
  Toolkit found;
#if SIMSCOPE_HAVE_CUDA
  if (cudaRuntimeGetVersion(&found.built) != cudaSuccess) found.built = CUDART_VERSION;
  if (cudaDriverGetVersion(&found.driver) != cudaSuccess) found.driver = 0;
  (void)cudaGetLastError();  // it would stick to the next call otherwise
#endif
  return found;
}

std::vector<ToolkitLibrary> toolkitLibraries() {
  std::vector<ToolkitLibrary> all;
#if SIMSCOPE_HAVE_CUDA
  all.push_back({"cuFFT", "libcufft.so." + std::to_string(CUFFT_VER_MAJOR)});
#ifdef CUSOLVER_VER_MAJOR
  all.push_back({"cuSOLVER", "libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR)});
#endif
  for (ToolkitLibrary& each : all) {
    for (const std::string& file : {each.file, std::string(SIMSCOPE_CUDA_LIBRARIES "/") + each.file}) {
      // It stays, as those that are used do.
      each.found = each.found || dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL) != nullptr;
    }
  }
#endif
  return all;
}

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace simscope::compute
