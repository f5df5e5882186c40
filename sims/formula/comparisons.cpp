#include "sims/formula/comparisons.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sims/foreign/words.h"

namespace simscope::formula {
namespace {

// The longer ones first.
constexpr std::array<std::string_view, 6> kComparisons = {"<=", ">=", "==", "!=", "<", ">"};
constexpr std::array<std::string_view, 5> kLooser = {"&&", "||", "?", ":", ","};  // these end a comparison

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{}
                                         : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
}

template <std::size_t N>
std::string_view startOf(std::string_view rest, const std::array<std::string_view, N>& any) {
  const auto found =
      std::find_if(any.begin(), any.end(), [&](std::string_view each) { return rest.starts_with(each); });
  return found == any.end() ? std::string_view{} : *found;
}

// One operand of what binds less than a comparison: between two of them, or between parentheses.
struct Part {
  std::size_t begin = 0;
  std::vector<std::pair<std::size_t, std::string_view>> comparisons = {};
};

std::optional<ComparisonChain> chainIn(std::string_view formula, const Part& part, std::size_t end) {
  const auto& all = part.comparisons;
  if (all.size() < 2) return std::nullopt;
  std::string pairs;
  std::size_t left = part.begin;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const auto [at, sign] = all[i];
    const std::size_t right = at + sign.size(), stop = i + 1 < all.size() ? all[i + 1].first : end;
    pairs += fmt::format("{}{} {} {}", i == 0 ? "" : " && ", trimmed(formula.substr(left, at - left)), sign,
                         trimmed(formula.substr(right, stop - right)));
    left = right;
  }
  return ComparisonChain{all[1].first, "comparisons do not chain; write " + foreign::shown(pairs, 200)};
}

}  // namespace

std::optional<ComparisonChain> findComparisonChain(std::string_view formula) {
  std::vector<Part> open(1);  // the innermost parenthesis last
  for (std::size_t i = 0; i < formula.size(); ++i) {
    const std::string_view rest = formula.substr(i);
    const std::string_view comparison = startOf(rest, kComparisons), looser = startOf(rest, kLooser);
    if (!comparison.empty()) {
      open.back().comparisons.emplace_back(i, comparison);
      i += comparison.size() - 1;
    } else if (formula[i] == '(') {
      open.push_back({i + 1});
    } else if (formula[i] == ')' || !looser.empty()) {
      if (auto chain = chainIn(formula, open.back(), i)) return chain;
      if (!looser.empty()) {
        i += looser.size() - 1;
        open.back() = {i + 1};
      } else if (open.size() > 1) {
        open.pop_back();
      }
    }
  }
  return chainIn(formula, open.back(), formula.size());
}

}  // namespace simscope::formula
