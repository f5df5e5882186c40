// The scene's menu with its dialogs, the buttons that undo and redo, and the offer to restore what a crash has left.
// Thread: the UI's.
#pragma once

#include <functional>

#include "app/gui/dialogs/file_dialog.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"
#include "app/session/stored/autosave.h"
#include "app/session/stored/recent.h"

namespace simscope::gui {

class FileMenu {
 public:
  static constexpr double kOfferSeconds = 60;

  // `autosave` tells what the last session has left; it must outlive the menu.
  FileMenu(const std::filesystem::path& state_folder, const Autosave& autosave);

  // The menu's button, and those of undo and redo. `more` draws what the menu has at its end.
  void drawRow(Session& session, Ui& ui, const std::function<void()>& more);
  static void drawChanges(Session& session, Ui& ui);
  void drawDialogs(Session& session, Ui& ui);
  // A bar that offers what a crash has left, as wide as there is room; nothing where there is none, once it has been
  // answered, and after a while: it stays in the menu.
  void drawOffer(Session& session, Ui& ui);
  bool offers() const { return offered_ && !last_session_.empty(); }
  // True where the offer goes now: the window is to be drawn.
  bool expire(double now);

  // By keys.
  void open(const Session& session);
  void save(Session& session);  // asks for a name where the scene has none
  void saveAs(const Session& session);
  void saveSnapshot(const Session& session);

  bool isOpen() const noexcept { return dialog_.isOpen(); }
  const FileDialog& dialog() const noexcept { return dialog_; }
  FileDialog& dialog() noexcept { return dialog_; }

 private:
  void drawMenu(Session& session, Ui& ui);
  void drawRecent(Session& session, Ui& ui);
  template <class Action>
  static void attempt(Session& session, const Action& action);

  Recent recent_;
  std::filesystem::path last_session_;  // empty: none
  bool offered_;                        // to restore it, and not answered
  double offered_at_ = -1;              // seconds, as expire() is told; negative: it has not been told yet
  FileDialog dialog_;
};

}  // namespace simscope::gui
