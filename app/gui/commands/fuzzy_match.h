// How well what was typed fits a title. Pure; any thread.
//
// Letters may be left out ("brhe" finds "Barrier height"), words may change places ("height barrier"), letters are
// those of any keyboard ("psi" finds "ψ", "V0" finds "V₀"). What begins a word, or lies together, counts for more.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::gui {

struct FuzzyMatch {
  int score = 0;                     // higher is better; of one query alone
  std::vector<std::size_t> letters;  // bytes of the title at which the matched characters begin, in order
};

// Nothing where a word of `query` is not in `title`. An empty query fits everything alike.
std::optional<FuzzyMatch> fuzzyMatch(std::string_view query, std::string_view title);

}  // namespace simscope::gui
