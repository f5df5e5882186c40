// The line at the bottom: where and how fast the run computes, and what crosses the bus. Thread: the UI's.
#pragma once

#include "app/gui/session.h"
#include "app/gui/widgets.h"
#include "app/render/transfer.h"

namespace simscope::gui {

void drawStatusLine(Session& session, Ui& ui, const render::TransferReport& transfer);

}  // namespace simscope::gui
