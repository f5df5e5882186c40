// Why a request is refused.
#pragma once

#include <string>

#include "sims/compute/error.h"

namespace simscope::tests {

// The message of the exception; empty where the request is accepted. Exceptions of other classes go on.
template <class Refused = UsageError, class Request>
std::string refusal(const Request& request) {
  try {
    request();
  } catch (const Refused& error) {
    return error.what();
  }
  return {};
}

}  // namespace simscope::tests
