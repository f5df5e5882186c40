// How much memory the past of a run may take, kept from one start to the next in past.json of the state folder: the
// number of bytes, 0 for what the run finds right. Thread: the UI's. Errors: none; a file that is damaged counts as 0.
#pragma once

#include <cstddef>
#include <filesystem>

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class PastSetting {
 public:
  explicit PastSetting(const std::filesystem::path& folder);

  // Hands the remembered choice to the session, once, and the user's to the file.
  void follow(Session& session);
  // A small button that tells the memory and offers others, and the list that it opens.
  void drawButton(Session& session, Ui& ui, float width);
  void drawList(Session& session, Ui& ui);
  static void openList();

 private:
  std::filesystem::path path_;  // empty: nowhere
  std::size_t chosen_ = 0;
  bool told_ = false;
};

}  // namespace simscope::gui
