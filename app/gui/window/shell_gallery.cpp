// The window while the gallery covers it.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <utility>

#include "app/gui/window/shell.h"

namespace simscope::gui {

void Shell::openGallery(Session& session) {
  if (session.recording()) {
    session.say(Message::Level::Info, "The gallery cannot be opened while recording");
    return;
  }
  if (lab_.shown()) closeLab(session);
  session.commitEdits(false);
  resume_ = session.playing();
  if (resume_) session.togglePlay();
  gallery_state_ = session.state();
  gallery_scene_ = session.scene.description;
  gallery_.open(session);
}

void Shell::closeGallery(Session& session) {
  gallery_.close();
  if (std::exchange(resume_, false) && !session.playing()) session.togglePlay();
}

void Shell::start(Session& session, const gallery::Subject& subject) {
  try {
    if (!subject.isFile()) {
      session.start(*subject.description, subject.preset);
    } else if (subject.file == last_session_) {
      session.restore(subject.file);
    } else {
      session.open(subject.file);
    }
    if (!session.playing() && !session.awaitsStroke()) session.togglePlay();
    resume_ = false;
    closeGallery(session);
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void Shell::handleGalleryKeys(Session& session, Ui& ui, const std::vector<Key>& keys) {
  ui.escape = ui.escape_typing = ui.close_dropdown = false;
  const bool typing = ImGui::GetIO().WantTextInput;
  for (const Key& key : keys) {
    const Command* const command = commandOf(commands_, key);
    if (command && command->reach == Command::Reach::Anywhere) {
      command->run();
    } else if (help_.isOpen() && key.key == GLFW_KEY_ESCAPE) {
      help_.close();
    } else if (typing || files_.isOpen()) {
      ui.escape = ui.escape || (key.key == GLFW_KEY_ESCAPE && !typing);
      ui.escape_typing = ui.escape_typing || (key.key == GLFW_KEY_ESCAPE && typing);
    } else if (key.control && key.letter == 'o') {
      files_.open(session);
    } else {
      gallery_.handleKey(key);
    }
  }
}

void Shell::drawGallery(Session& session, Ui& ui) {
  if (files_.isOpen() || help_.isOpen()) gallery_.touch();
  files_.drawOffer(session, ui);
  const GalleryPage::Actions wanted = gallery_.draw(session, ui);
  if (wanted.help) help_.toggle();
  if (wanted.toggle_theme) now_.actions->toggle_theme = true;
  if (wanted.start) {
    start(session, *wanted.start);
  } else if (wanted.back) {
    closeGallery(session);
  } else if (session.state() != gallery_state_ || session.scene.description != gallery_scene_) {
    gallery_.close();  // a scene was opened by a dialog, or dropped on the window
    resume_ = false;
  }
}

}  // namespace simscope::gui
