// The CUDA that was built in, and the one that the driver here can run. Thread: any. Errors: none.
#pragma once

#include <string>
#include <vector>

namespace simscope::compute {

// As CUDA counts them: 12040 is 12.4. 0: none.
struct Toolkit {
  int built = 0;   // the runtime in the program
  int driver = 0;  // the newest that the installed driver runs
};
Toolkit toolkit();
// "12.4"
std::string versionText(int version);

// The toolkit's libraries that are loaded when they are needed (cuda/cuda_library.h), and whether they can be. Looks
// for each: tenths of a second. Empty where the program was built without CUDA.
struct ToolkitLibrary {
  std::string title;  // "cuFFT"
  std::string file;   // "libcufft.so.12"
  bool found = false;
};
std::vector<ToolkitLibrary> toolkitLibraries();

}  // namespace simscope::compute
