// The input line of a text parameter: a formula, the path of an image. Thread: the UI's.
//
// Enter, or leaving the line, applies it; Esc restores the run's text. A text that the run refused stays in the line,
// framed in red, so that it can be corrected.
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
  // The text to apply, if the user has just entered one. `typing` becomes the key while the user types here; `waiting`,
  // if there is one, is shown instead of the scene's text.
  std::optional<std::string> draw(Session& session, Ui& ui, std::size_t index, float width, const std::string& help,
                                  std::string& typing, const std::string* waiting = nullptr);
  void forget() { index_ = SIZE_MAX; }

 private:
  std::size_t index_ = SIZE_MAX;  // of the parameter being typed
  std::string text_;
};

}  // namespace simscope::gui
