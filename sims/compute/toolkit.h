// The built-in CUDA version, and the one that this machine's driver can run. Thread: any. Errors: none.
#pragma once

#include <string>
#include <vector>

namespace simscope::compute {

// In CUDA's numbering: 12040 is 12.4. 0: none.
struct Toolkit {
  int built = 0;   // the runtime in the program
  int driver = 0;  // the newest that the installed driver supports
};
Toolkit toolkit();
// "12.4"
std::string versionText(int version);

// The toolkit's libraries that are loaded on demand (cuda/cuda_library.h), and whether they can be loaded. The search
// takes tenths of a second. Empty where the program was built without CUDA.
struct ToolkitLibrary {
  std::string title;  // "cuFFT"
  std::string file;   // "libcufft.so.12"
  bool found = false;
};
std::vector<ToolkitLibrary> toolkitLibraries();

}  // namespace simscope::compute
