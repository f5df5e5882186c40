// How much memory a run's past may take, kept from one start to the next in past.json of the state folder: a number of
// bytes, 0: the run decides. Thread: the UI's. Errors: none; a damaged file counts as 0.
#pragma once

#include <cstddef>
#include <filesystem>

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"
#include "app/session/stored/stored_json.h"

namespace simscope::gui {

class PastSetting {
 public:
  explicit PastSetting(const std::filesystem::path& folder);

  // Sends the stored choice to the session, once, and writes the user's choice to the file.
  void follow(Session& session);
  // A small button that shows the memory, and the list of choices that it opens.
  void drawButton(Session& session, Ui& ui, float width);
  void drawList(Session& session, Ui& ui);
  static void openList();

 private:
  stored::Document file_;
  std::size_t chosen_ = 0;
  bool told_ = false;
};

}  // namespace simscope::gui
