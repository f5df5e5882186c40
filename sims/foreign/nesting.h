// The nesting depth of the objects and lists of a JSON text, found before a parser sees it: reading, writing, and
// freeing a document recurse with its nesting, and nlohmann's own hook takes time quadratic in a list's length. Pure;
// any thread.
#pragma once

#include <string_view>

namespace simscope::foreign {

inline constexpr int kDeepest = 64;  // objects and lists in each other, of every document that is read

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

// The document; discarded (is_discarded()) where the text is no JSON, or is nested deeper than kDeepest.
template <class Json>
Json parsedJson(std::string_view text) {
  if (nestedOver(text, kDeepest)) return Json(Json::value_t::discarded);
  return Json::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace simscope::foreign
