// The window while the lab covers it.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

#include "app/gui/window/shell.h"

namespace simscope::gui {

void Shell::openLab(Session& session) {
  if (session.recording()) {
    session.say(Message::Level::Info, "The lab cannot be opened while recording");
    return;
  }
  if (gallery_.shown()) closeGallery(session);
  session.commitEdits(false);
  resume_ = session.playing() || resume_;
  if (session.playing()) session.togglePlay();
  lab_.open();
}

void Shell::closeLab(Session& session) {
  lab_live_ = false;
  lab_.close();
  if (std::exchange(resume_, false) && !session.playing()) session.togglePlay();
}

void Shell::handleLabKeys(Ui& ui, const std::vector<Key>& keys) {
  const bool dropdown = std::exchange(ui.dropdown, false);
  ui.escape = ui.escape_typing = ui.close_dropdown = false;
  const bool typing = ImGui::GetIO().WantTextInput, asking = lab_.dialog().isOpen();
  for (const Key& key : keys) {
    const Command* const command = commandOf(commands_, key);
    if (palette_.isOpen()) {
      palette_.take(key);
    } else if (command && command->reach == Command::Reach::Anywhere) {
      command->run();
    } else if (key.key == GLFW_KEY_TAB && typing && asking) {
      // It completes a file's name.
    } else if (key.key == GLFW_KEY_TAB && !key.control) {
      ui.focus.move(key.shift ? -1 : 1);
    } else if (key.key == GLFW_KEY_F6) {
      ui.focus.movePanel(key.shift ? -1 : 1);
    } else if (key.key == GLFW_KEY_ESCAPE && dropdown) {
      ui.close_dropdown = true;
    } else if (key.key == GLFW_KEY_ESCAPE && typing) {
      ui.escape_typing = true;
    } else if (key.key == GLFW_KEY_ESCAPE && help_.isOpen()) {
      help_.close();
    } else if (key.key == GLFW_KEY_ESCAPE && asking) {
      ui.escape = true;
    } else if (key.key == GLFW_KEY_ESCAPE) {
      lab_.escape(ui);
    } else if (ui.focus.shown() && (key.key == GLFW_KEY_ENTER || key.key == GLFW_KEY_KP_ENTER) && !typing) {
      ui.focus.press();
    }
  }
}

void Shell::drawLab(Session& session, Ui& ui) {
  // A run that was started behind it, by a scene that was dropped on the window, say, would be measured, too.
  const bool live = lab_.live(), left = std::exchange(lab_live_, live) && !live;
  if ((lab_.measuring() || left) && session.playing()) {
    session.togglePlay();
    resume_ = true;
  } else if (live && std::exchange(resume_, false) && !session.playing()) {
    session.togglePlay();
  }
  const LabPage::Actions wanted = lab_.draw(session, ui);
  if (wanted.toggle_theme) now_.actions->toggle_theme = true;
  if (wanted.back) closeLab(session);
}

}  // namespace simscope::gui
