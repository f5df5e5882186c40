// The line in which a parameter that is a text is typed: a formula, the path of an image. Thread: the UI's.
//
// Enter, or going elsewhere, applies it; Esc goes back to what runs. A text that the run has refused stays in the line,
// framed in red, so that it can be mended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class TextLine {
 public:
  // The text to apply, where the user has just entered one. `typing` becomes the key while the user types here;
  // `waiting` is shown in the place of the scene's text, where there is one.
  std::optional<std::string> draw(Session& session, Ui& ui, std::size_t index, float width, const std::string& help,
                                  std::string& typing, const std::string* waiting = nullptr);
  void forget() { index_ = SIZE_MAX; }

 private:
  std::size_t index_ = SIZE_MAX;  // of the parameter that is being typed
  std::string text_;
};

}  // namespace simscope::gui
