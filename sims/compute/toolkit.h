// The CUDA that was built in, and the one that the driver here can run. Thread: any. Errors: none.
#pragma once

#include <string>

namespace simscope::compute {

// As CUDA counts them: 12040 is 12.4. 0: none.
struct Toolkit {
  int built = 0;   // the runtime in the program
  int driver = 0;  // the newest that the installed driver runs
};
Toolkit toolkit();
// "12.4"
std::string versionText(int version);

}  // namespace simscope::compute
