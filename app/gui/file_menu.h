// The scene's menu with its dialogs, the buttons that undo and redo, and the offer to restore what a crash has left.
// Thread: the UI's.
#pragma once

#include "app/gui/autosave.h"
#include "app/gui/file_dialog.h"
#include "app/gui/recent.h"
#include "app/gui/session.h"
#include "app/gui/widgets.h"

namespace simscope::gui {

class FileMenu {
 public:
  // `autosave` tells what the last session has left; it must outlive the menu.
  FileMenu(const std::filesystem::path& state_folder, const Autosave& autosave);

  // One row of buttons, as wide as there is room.
  void drawRow(Session& session, Ui& ui);
  // `top`: where the offer hangs from, the middle of its upper edge.
  void drawDialogs(Session& session, Ui& ui, ImVec2 top);

  // By keys.
  void open(const Session& session);
  void save(Session& session);  // asks for a name where the scene has none
  void saveAs(const Session& session);

  bool isOpen() const noexcept { return dialog_.isOpen(); }
  const FileDialog& dialog() const noexcept { return dialog_; }

 private:
  void drawMenu(Session& session, Ui& ui);
  void drawRecent(Session& session, Ui& ui);
  void drawOffer(Session& session, Ui& ui, ImVec2 top);
  template <class Action>
  static void attempt(Session& session, const Action& action);

  Recent recent_;
  std::filesystem::path last_session_;  // empty: none
  bool offered_;                        // to restore it, and not answered
  FileDialog dialog_;
};

}  // namespace simscope::gui
