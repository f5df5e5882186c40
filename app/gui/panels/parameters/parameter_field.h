// The input field of a number: shows it in a suitable unit, takes typed text. Thread: the UI's, between NewFrame and
// Render.
//
// It shows as many digits as fit; typing starts with all of them. Enter, or leaving the field, submits the text; Esc
// does not.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

class ParameterField {
 public:
  struct Shown {
    std::string text;      // all digits, or the refused text
    std::string unit;      // of the text, and of typed numbers without a unit
    bool refused = false;  // framed in red
  };

  // The text that the user has just submitted in the field of this parameter, marked as `mark`.
  std::optional<std::string> draw(Ui& ui, std::size_t index, const std::string& mark, const Shown& shown, float width);
  // The text so far, while the user types in this field; otherwise null.
  const std::string* typed(std::size_t index) const { return index_ == index ? &text_ : nullptr; }
  // The unit of the numbers typed last.
  const std::string& unit() const noexcept { return unit_; }
  // Whether Esc has just ended the typing.
  bool escaped() const noexcept { return escaped_; }
  // Moves the keyboard focus to the field when it is drawn next.
  void focus(std::size_t index) { focus_ = index; }
  void forget() { index_ = focus_ = SIZE_MAX; }

 private:
  std::size_t index_ = SIZE_MAX, focus_ = SIZE_MAX;
  std::string text_, unit_;
  bool escaped_ = false;
};

// A decimal number of at most this width, with as many digits as fit.
std::string digitsThatFit(const std::string& number, float width);

}  // namespace simscope::gui
