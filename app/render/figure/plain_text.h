// Texts in letters that every font has: "psi" for ψ, "<=" for ≤, "x_0" for x₀. Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::render {

// `text` (UTF-8), its characters that `has` denies written plainly. What has no plain form stays; bytes that are no
// UTF-8 become "?".
std::string plainText(std::string_view text, const std::function<bool(char32_t)>& has);

// In lower-case ASCII, to be searched: `origin` tells of each letter at which byte of the text its character begins.
// Characters without a plain form are left out.
struct Folded {
  std::string letters;
  std::vector<std::size_t> origin;
};
Folded folded(std::string_view text);

}  // namespace simscope::render
