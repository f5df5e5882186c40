// Scores how well a typed query matches a title. Pure; any thread.
//
// Letters may be left out ("brhe" finds "Barrier height"), words may be in another order ("height barrier"), and plain
// letters match special ones ("psi" finds "ψ", "V0" finds "V₀"). Matches at the beginning of a word, and adjacent
// matches, score higher.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::gui {

struct FuzzyMatch {
  int score = 0;                     // higher is better; comparable only within one query
  std::vector<std::size_t> letters;  // byte positions in the title of the matched characters, ascending
};

// Nothing if a word of `query` is not in `title`. An empty query matches every title equally.
std::optional<FuzzyMatch> fuzzyMatch(std::string_view query, std::string_view title);

}  // namespace simscope::gui
