// Which view of the simulation the figure shows. Thread: the session's.
#pragma once

#include <string>

#include "app/session/session.h"

namespace simscope {

// UsageError, with the closest key, for an unknown one. Limits and ranges of the view before do not fit another.
void showView(Session& session, const std::string& key);

}  // namespace simscope
