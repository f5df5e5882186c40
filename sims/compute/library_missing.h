// What is thrown where a library is needed that only the GPU's way needs, and that is not installed.
#pragma once

#include "sims/compute/error.h"

namespace simscope::compute {

// The message says which, and how to get it. Nothing has been computed with it: the CPU can do the same without.
class LibraryMissing : public Error {
 public:
  using Error::Error;
};

}  // namespace simscope::compute
