// The line at the bottom: on which device and how fast the run computes, and the transfers over the bus. Thread: the
// UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/render/gl/transfer.h"
#include "app/session/processor_share.h"
#include "app/session/session.h"

namespace simscope::gui {

struct StatusLineActions {
  bool device = false;  // a number was clicked: open the device window
};
StatusLineActions drawStatusLine(Session& session, Ui& ui, const render::TransferReport& transfer,
                                 const ProcessorShare& processor);

}  // namespace simscope::gui
