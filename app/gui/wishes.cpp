#include "app/gui/wishes.h"

#include <algorithm>
#include <cctype>
#include <utility>

namespace simscope::gui {

void Wishes::ask(std::vector<std::size_t> indices) {
  if (indices.empty()) return;
  std::erase_if(asked_, [&](const auto& each) { return each.front() == indices.front(); });
  asked_.push_back(std::move(indices));
}

std::vector<std::size_t> Wishes::settle(const ParameterSet& wanted, const ParameterSet& run) {
  std::vector<std::size_t> settled;
  std::erase_if(asked_, [&](const auto& each) {
    const bool granted = std::all_of(each.begin(), each.end(), [&](std::size_t i) { return wanted[i] == run[i]; });
    if (granted) settled.push_back(each.front());
    return granted;
  });
  return settled;
}

std::optional<std::size_t> Wishes::takeBack(const std::string& message, ParameterSet& wanted, const ParameterSet& run) {
  if (asked_.empty()) return std::nullopt;
  auto meant = std::find_if(asked_.rbegin(), asked_.rend(),
                            [&](const auto& each) { return namesWord(message, wanted.infos()[each.front()].key); });
  if (meant == asked_.rend()) meant = asked_.rbegin();
  const std::vector<std::size_t> indices = *meant;
  asked_.erase(std::next(meant).base());
  for (const std::size_t index : indices) wanted.set(index, run[index]);
  return indices.front();
}

bool namesWord(const std::string& text, const std::string& word) {
  const auto inside = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; };
  for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !inside(text[at - 1])) && (end == text.size() || !inside(text[end]))) return !word.empty();
  }
  return false;
}

}  // namespace simscope::gui
