// Which view of the simulation the figure shows. Thread: the session's.
#pragma once

#include <string>

#include "app/session/session.h"

namespace simscope {

// UsageError, with the closest key, for an unknown key. Resets the previous view's limits and ranges.
void showView(Session& session, const std::string& key);

}  // namespace simscope
