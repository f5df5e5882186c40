#include <algorithm>
#include <string>
#include <vector>

#include "sims/core/parameters.h"

namespace simscope {
namespace {

// Lower case, with one separator: what people mix up without meaning another name.
std::string folded(std::string_view name) {
  std::string out(name);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '-' || c == ' ') c = '_';
  }
  return out;
}

// Insertions, deletions, substitutions, and swaps of neighbours that turn `a` into `b` (optimal string alignment).
std::size_t editDistance(const std::string& a, const std::string& b) {
  const std::size_t columns = b.size() + 1;
  std::vector<std::size_t> before(columns), above(columns), row(columns);
  for (std::size_t j = 0; j < columns; ++j) above[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < columns; ++j) {
      const std::size_t substitution = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, substitution});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, above);
    std::swap(above, row);
  }
  return above[b.size()];
}

}  // namespace

std::string closestName(std::string_view name, std::span<const std::string> names) {
  constexpr std::size_t kLongestComparable = 256;  // the distance takes time as the product of the lengths
  if (name.empty() || name.size() > kLongestComparable) return {};
  const std::string wanted = folded(name);
  const std::string* best = nullptr;
  std::size_t best_distance = 0;
  for (const std::string& each : names) {
    const std::size_t distance = editDistance(wanted, folded(each));
    // A third of the letters may be wrong; beyond that the likeness is chance.
    const std::size_t allowed = std::max<std::size_t>(1, std::max(wanted.size(), each.size()) / 3);
    if (distance <= allowed && (!best || distance < best_distance)) {
      best = &each;
      best_distance = distance;
    }
  }
  if (best) return *best;
  // A part of a name ("height") is as good a hint as a typo.
  if (wanted.size() < 3) return {};
  for (const std::string& each : names) {
    if (folded(each).find(wanted) != std::string::npos && (!best || each.size() < best->size())) best = &each;
  }
  return best ? *best : std::string();
}

}  // namespace simscope
