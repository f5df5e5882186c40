#include "sims/core/relevance.h"

#include <algorithm>
#include <utility>

#include "sims/core/parameters.h"

namespace simscope {
namespace {

bool isMet(const Condition& condition, const ParameterSet& parameters) {
  const std::size_t index = parameters.find(condition.key);
  if (!parameters.matters(index)) return false;
  if (condition.values.empty()) return (parameters.real(condition.key) > condition.above) == condition.has;
  const std::string value = toText(parameters[index]);
  const auto& values = condition.values;
  return (std::find(values.begin(), values.end(), value) != values.end()) == condition.has;
}

// "a", "a or b", "a, b, or c".
std::string joined(const std::vector<std::string>& words, const std::string& last) {
  std::string text;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool ends = i + 1 == words.size();
    if (i > 0) text += words.size() > 2 ? ", " : " ";
    if (i > 0 && ends) text += last + " ";
    text += words[i];
  }
  return text;
}

// name(key): what the parameter is called; shown(key, value): likewise its value; is: what stands between them.
template <class Name, class Shown>
std::string textOf(const Relevance& relevance, const std::string& is, const Name& name, const Shown& shown) {
  if (relevance.always()) return {};
  if (relevance.never()) return "nothing";
  std::vector<std::string> ways;
  for (const std::vector<Condition>& way : relevance.ways) {
    std::vector<std::string> parts;
    for (const Condition& each : way) {
      std::vector<std::string> values;
      for (const std::string& value : each.values) values.push_back(shown(each.key, value));
      const std::string bound = (each.has ? " above " : " at most ") + toText(each.above);
      parts.push_back(name(each.key) + (values.empty() ? bound
                                        : each.has     ? is + joined(values, "or")
                                                       : " other than " + joined(values, "or")));
    }
    ways.push_back(joined(parts, "and"));
  }
  std::string text;
  for (const std::string& way : ways) text += (text.empty() ? "" : "; or ") + way;
  return text;
}

const ParameterInfo* infoOf(std::span<const ParameterInfo> infos, const std::string& key) {
  const auto found =
      std::find_if(infos.begin(), infos.end(), [&](const ParameterInfo& info) { return info.key == key; });
  return found == infos.end() ? nullptr : &*found;
}

}  // namespace

bool Relevance::always() const noexcept {
  return std::any_of(ways.begin(), ways.end(), [](const auto& way) { return way.empty(); });
}

bool Relevance::holds(const ParameterSet& parameters) const {
  return std::any_of(ways.begin(), ways.end(), [&](const std::vector<Condition>& way) {
    return std::all_of(way.begin(), way.end(), [&](const Condition& each) { return isMet(each, parameters); });
  });
}

Relevance operator&&(const Relevance& a, const Relevance& b) {
  Relevance both = never();
  for (const std::vector<Condition>& one : a.ways) {
    for (const std::vector<Condition>& other : b.ways) {
      both.ways.push_back(one);
      both.ways.back().insert(both.ways.back().end(), other.begin(), other.end());
    }
  }
  return both;
}

Relevance operator||(const Relevance& a, const Relevance& b) {
  Relevance either = a;
  either.ways.insert(either.ways.end(), b.ways.begin(), b.ways.end());
  return either;
}

std::string typedText(const Relevance& relevance) {
  return textOf(
      relevance, "=", [](const std::string& key) { return key; },
      [](const std::string&, const std::string& value) { return value; });
}

std::string shownText(const Relevance& relevance, std::span<const ParameterInfo> infos) {
  return textOf(
      relevance, " = ",
      [&](const std::string& key) {
        const ParameterInfo* const info = infoOf(infos, key);
        return info ? info->title : key;
      },
      [&](const std::string& key, const std::string& value) {
        const ParameterInfo* const info = infoOf(infos, key);
        return info ? choiceTitle(*info, value) : value;
      });
}

}  // namespace simscope
