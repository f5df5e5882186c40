// Characters that numbers and names consist of, in ASCII whatever the locale.
#pragma once

namespace simscope::formula {

inline bool isDigit(char c) {
  return c >= '0' && c <= '9';
}
inline bool isLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

}  // namespace simscope::formula
