// Below the figure: the time slider, and the row with play, step, reset, the pace, and the record button or its
// progress. Thread: the UI's.
#pragma once

#include <filesystem>

#include "app/gui/panels/transport/past_setting.h"
#include "app/gui/widgets/widgets.h"
#include "app/gui/window/window.h"
#include "app/session/session.h"

namespace simscope::gui {

struct TransportActions {
  bool record = false;
};

class TransportPanel {
 public:
  explicit TransportPanel(const std::filesystem::path& state_folder) : setting_(state_folder) {}

  TransportActions draw(Session& session, Ui& ui);
  // The time keys: comma, full stop, Home, End. False: not one of them.
  static bool handleKey(Session& session, const Key& key);

 private:
  TransportActions drawButtons(Session& session, Ui& ui);

  PastSetting setting_;
};

}  // namespace simscope::gui
