// What is thrown where a device does not answer any more.
#pragma once

#include "sims/compute/error.h"

namespace simscope::compute {

// Nothing that lies on the device can be read, and every later call fails, too: what was copied before is all there is.
class DeviceLost : public Error {
 public:
  using Error::Error;
};

}  // namespace simscope::compute
