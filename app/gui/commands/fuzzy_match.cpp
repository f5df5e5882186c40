#include "app/gui/commands/fuzzy_match.h"

#include <algorithm>
#include <limits>

#include "app/render/figure/plain_text.h"

namespace simscope::gui {

namespace {

constexpr int kLetter = 16, kTogether = 14, kWordBegins = 12, kTitleBegins = 6, kGap = -1, kFirstGap = -4, kWhole = 40;
constexpr int kNever = std::numeric_limits<int>::min() / 2;

bool partOfWord(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}

// The best way to find the letters of `word` in `text`, in order: how good it is, and where they are.
struct Way {
  int score = kNever;
  std::vector<std::size_t> places;
};

// Letters that neither begin a word nor follow the one before. Many of them are no match.
std::size_t strewn(const std::vector<std::size_t>& places, std::string_view text) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < places.size(); ++i) {
    const bool begins = places[i] == 0 || !partOfWord(text[places[i] - 1]);
    const bool follows = i > 0 && places[i] == places[i - 1] + 1;
    if (!begins && !follows) ++count;
  }
  return count;
}

Way bestWay(std::string_view word, std::string_view text) {
  const std::size_t rows = word.size(), columns = text.size();
  if (rows == 0 || rows > columns) return {};
  // ends[i][j]: the first i + 1 letters found, the last of them at j; from[i][j]: where the one before is.
  std::vector<int> ends(rows * columns, kNever);
  std::vector<std::size_t> from(rows * columns, 0);
  for (std::size_t i = 0; i < rows; ++i) {
    int carried = kNever;  // the best of the row before that ends earlier, less the gap up to here
    std::size_t carried_at = 0;
    for (std::size_t j = i; j < columns; ++j) {
      if (i > 0 && j >= 1) {
        if (carried > kNever) carried += kGap;
        if (j >= 2 && ends[(i - 1) * columns + j - 2] + kFirstGap > carried) {
          carried = ends[(i - 1) * columns + j - 2] + kFirstGap;
          carried_at = j - 2;
        }
      }
      if (text[j] != word[i]) continue;
      const bool begins = j == 0 || !partOfWord(text[j - 1]);
      const int own = kLetter + (begins ? kWordBegins : 0) + (j == 0 ? kTitleBegins : 0);
      if (i == 0) {
        ends[j] = own;
        continue;
      }
      const int together = j >= 1 ? ends[(i - 1) * columns + j - 1] + kTogether : kNever;
      const bool joins = together >= carried;
      const int before = joins ? together : carried;
      if (before <= kNever / 2) continue;
      ends[i * columns + j] = before + own;
      from[i * columns + j] = joins ? j - 1 : carried_at;
    }
  }
  const auto last = ends.begin() + static_cast<std::ptrdiff_t>((rows - 1) * columns);
  const auto best = std::max_element(last, ends.end());
  Way way{*best, {}};
  if (way.score <= kNever / 2) return {};
  std::size_t at = static_cast<std::size_t>(best - last);
  for (std::size_t i = rows; i-- > 0; at = from[i * columns + at]) way.places.insert(way.places.begin(), at);
  return strewn(way.places, text) <= std::max<std::size_t>(1, rows / 3) ? way : Way{};
}

}  // namespace

std::optional<FuzzyMatch> fuzzyMatch(std::string_view query, std::string_view title) {
  const std::string typed = render::folded(query).letters;
  const render::Folded text = render::folded(title);
  FuzzyMatch match;
  std::size_t words = 0;
  for (std::size_t begin = 0; begin < typed.size();) {
    const std::size_t end = std::min(typed.find(' ', begin), typed.size());
    if (end > begin) {
      const Way way = bestWay(std::string_view(typed).substr(begin, end - begin), text.letters);
      if (way.score == kNever) return std::nullopt;
      match.score += way.score;
      for (const std::size_t place : way.places) match.letters.push_back(text.origin[place]);
      ++words;
    }
    begin = end + 1;
  }
  if (words > 0 && typed == text.letters) match.score += kWhole;
  if (words > 0) match.score -= static_cast<int>(text.letters.size() / 4);  // of two that fit alike, the shorter one
  std::sort(match.letters.begin(), match.letters.end());
  match.letters.erase(std::unique(match.letters.begin(), match.letters.end()), match.letters.end());
  return match;
}

}  // namespace simscope::gui
