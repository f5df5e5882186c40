#include "app/session/readings/parameter_list.h"

#include <algorithm>

namespace simscope {

namespace {

// Greek letters in titles have one case.
std::string plainLetters(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (c == '_' || c == '\t') c = ' ';
  }
  return out;
}

}  // namespace

bool isFound(const ParameterSet& parameters, std::size_t index, std::string_view words) {
  const ParameterInfo& info = parameters.infos()[index];
  // Lines, so that no word is found across two of them.
  std::string all = parameters.title(index) + '\n' + info.title + '\n' + info.key + '\n' + parameters.unit(index) +
                    '\n' + info.help + '\n' + info.group;
  for (const Choice& choice : info.choices) all += '\n' + choice.title + '\n' + choice.key;
  all = plainLetters(all);
  const std::string wanted = plainLetters(words);
  std::size_t at = wanted.find_first_not_of(' ');
  while (at != std::string::npos) {
    const std::size_t end = std::min(wanted.find(' ', at), wanted.size());
    if (all.find(wanted.substr(at, end - at)) == std::string::npos) return false;
    at = wanted.find_first_not_of(' ', end);
  }
  return true;
}

ParameterSet valuesOf(const Description& description, const std::string& key) {
  return key.empty() ? description.defaults() : description.preset(key);
}

std::vector<std::size_t> differing(const ParameterSet& parameters, const ParameterSet& reference,
                                   const Timeline& timeline) {
  std::vector<std::size_t> indices = parameters.changed(reference);
  std::erase_if(indices, [&](std::size_t index) { return timeline.track(parameters.infos()[index].key) != nullptr; });
  return indices;
}

std::vector<std::string> groupsOf(std::span<const ParameterInfo> infos) {
  std::vector<std::string> groups;
  for (const ParameterInfo& info : infos) {
    if (std::find(groups.begin(), groups.end(), info.group) == groups.end()) groups.push_back(info.group);
  }
  return groups;
}

}  // namespace simscope
