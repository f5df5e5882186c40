// The nesting depth of the objects and lists of a JSON text, found before a parser sees it: reading, writing, and
// freeing a document recurse with its nesting, and nlohmann's own hook takes time quadratic in a list's length. Pure;
// any thread.
#pragma once

#include <string_view>

namespace simscope::foreign {

inline bool nestedOver(std::string_view json, int most) {
  int depth = 0;
  bool quoting = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = json[i];
    if (c == '"') quoting = !quoting;
    if (quoting && c == '\\') ++i;
    if (quoting) continue;
    if (c == '[' || c == '{') ++depth;
    if (c == ']' || c == '}') --depth;
    if (depth > most) return true;
  }
  return false;
}

}  // namespace simscope::foreign
