// The actions that mouse and keyboard make. Thread: the window's.
#pragma once

#include <vector>

#include "tests/soak/actions.h"

namespace simscope::soak {

std::vector<Action> handActions();

}  // namespace simscope::soak
