// The scene's menu with its dialogs, the undo and redo buttons, and the offer to restore the scene after a crash.
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

  // `autosave` holds the scenes of the last sessions; it must outlive the menu.
  FileMenu(const std::filesystem::path& state_folder, const Autosave& autosave);

  // The menu's button, and those of undo and redo. `more` draws further entries at the menu's end.
  void drawRow(Session& session, Ui& ui, const std::function<void()>& more);
  static void drawChanges(Session& session, Ui& ui);
  void drawDialogs(Session& session, Ui& ui);
  // A bar that offers the scene left by a crash, as wide as the space allows. Nothing if there is none, once the user
  // has answered, and after a while: then the offer is only in the menu.
  void drawOffer(Session& session, Ui& ui);
  bool offers() const { return offered_ && !last_session_.empty(); }
  // True if the offer disappears now, so that the window must be drawn.
  bool expire(double now);

  // By keys.
  void open(const Session& session);
  void save(Session& session);  // asks for a name if the scene has none
  void saveAs(const Session& session);
  void saveSnapshot(const Session& session);

  bool isOpen() const noexcept { return dialog_.isOpen(); }
  const FileDialog& dialog() const noexcept { return dialog_; }
  FileDialog& dialog() noexcept { return dialog_; }

 private:
  void drawMenu(Session& session, Ui& ui);
  void drawEarlier(Session& session, Ui& ui);
  void drawRecent(Session& session, Ui& ui);
  template <class Action>
  static void attempt(Session& session, const Action& action);

  Recent recent_;
  std::filesystem::path last_session_;  // empty: none
  struct Earlier {
    std::filesystem::path file;
    std::string label;  // "Heat diffusion, 28 Nov 09:25"
  };
  std::vector<Earlier> earlier_;  // the newest first
  bool offered_;                  // to restore it, and not answered yet
  double offered_at_ = -1;        // seconds of expire()'s clock; negative: expire() has not been called yet
  FileDialog dialog_;
};

}  // namespace simscope::gui
