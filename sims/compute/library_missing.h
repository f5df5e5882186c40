// Thrown where a library that only the GPU's code needs is not installed.
#pragma once

#include "sims/compute/error.h"

namespace simscope::compute {

// The message says which, and how to get it. Nothing has been computed yet; the CPU needs no such library.
class LibraryMissing : public Error {
 public:
  using Error::Error;
};

}  // namespace simscope::compute
