// Replaces special characters by ones in every font: "psi" for ψ, "<=" for ≤, "x_0" for x₀. Pure; any thread.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::render {

// `text` (UTF-8), with characters for which `has` is false replaced. Characters without a replacement stay; invalid
// UTF-8 bytes become "?".
std::string plainText(std::string_view text, const std::function<bool(char32_t)>& has);

// Lower-case ASCII for searching: `origin` holds, for each letter, the byte position of its character in the text.
// Characters without a replacement are left out.
struct Folded {
  std::string letters;
  std::vector<std::size_t> origin;
};
Folded folded(std::string_view text);

}  // namespace simscope::render
