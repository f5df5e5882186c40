// Thrown where a device no longer answers.
#pragma once

#include "sims/compute/error.h"

namespace simscope::compute {

// Nothing on the device can be read, and every later call fails, too: only earlier copies remain.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

}  // namespace simscope::compute
