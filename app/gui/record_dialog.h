// The dialog that starts a recording: file, length, pace, and size. Thread: the UI's.
//
// An existing file is replaced only after the user agreed. What the recorder refuses is said in the dialog.
#pragma once

#include <array>
#include <string>

#include "app/gui/session.h"
#include "app/gui/widgets.h"

namespace simscope::gui {

class RecordDialog {
 public:
  // Shows the dialog with the next draw(), filled from the session's scene.
  void open(Session& session);
  void close() noexcept { wanted_ = Wanted::Closed; }
  bool isOpen() const noexcept { return open_; }
  // Whether an existing file is to be replaced.
  bool asking() const noexcept { return open_ && ask_overwrite_; }
  void draw(Session& session, Ui& ui, int figure_width, int figure_height);

 private:
  enum class Wanted { Nothing, Open, Closed };
  void drawSize(Ui& ui, float label, int figure_width, int figure_height);
  void start(Session& session, bool overwrite);

  Wanted wanted_ = Wanted::Nothing;
  bool open_ = false;
  bool ask_overwrite_ = false;
  std::array<char, 1024> file_{};
  RecordSettings settings_;
  std::string refusal_;
};

}  // namespace simscope::gui
