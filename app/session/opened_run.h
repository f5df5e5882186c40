// A run of a sweep, opened in the window. Thread: the UI's.
#pragma once

#include "app/session/session.h"
#include "app/sweep/plan.h"

namespace simscope {

// Plays the run from its beginning. If the present scene differs from the sweep's only in its parameters, only these
// change, as one step of undo(); otherwise the whole scene changes. UsageError: a recording is under way.
void openRun(Session& session, const sweep::Plan& plan, std::size_t run);

}  // namespace simscope
