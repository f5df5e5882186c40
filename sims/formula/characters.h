// Characters that numbers and names consist of, in ASCII whatever the locale.
#pragma once

#include <cstddef>
#include <string_view>

namespace simscope::formula {

inline bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
inline bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

// Of the decimal number that the text begins with: 12, 1.5, .5, 2e-3; with strokes 1_000, too. 0: it begins with none.
inline std::size_t lengthOfNumber(std::string_view text, bool strokes = false) {
  std::size_t end = 0;
  const auto is = [&](std::size_t at, auto&& wanted) { return at < text.size() && wanted(text[at]); };
  const auto digits = [&] {
    const std::size_t first = end;
    const auto stroke = [](char c) { return c == '_'; };
    while (is(end, isDigit) ||
           (strokes && end > first && is(end, stroke) && text[end - 1] != '_' && is(end + 1, isDigit)))
      ++end;
    return end - first;
  };
  std::size_t count = digits();
  if (is(end, [](char c) { return c == '.'; })) {
    ++end;
    count += digits();
  }
  if (count == 0) return 0;
  if (is(end, [](char c) { return c == 'e' || c == 'E'; })) {
    const std::size_t mantissa = end++;
    if (is(end, [](char c) { return c == '+' || c == '-'; })) ++end;
    if (digits() == 0) end = mantissa;  // 5 eV
  }
  return end;
}

}  // namespace simscope::formula
