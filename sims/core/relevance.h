// When a parameter, diagnostic, plot, or tool matters: a condition on parameters. Panels fold away those that do not
// matter, captions and summaries leave them out, and the command line's help states the condition.
//
// Plain data, any thread. A condition on a parameter that does not matter itself does not hold. Conditions have no
// cycles, and name existing parameters and values; the contract test checks that.
//
// Conditions consider parameters only; strokes of the mouse and keyframes may also make something matter. In doubt, it
// matters.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace simscope {

class ParameterSet;
struct ParameterInfo;

// Holds if a parameter has one of some values, or none of them; or if it is a number above a bound, or not above it.
struct Condition {
  std::string key = {};
  std::vector<std::string> values = {};  // in the form of toText(); empty: the bound counts
  bool has = true;
  double above = 0;
  bool operator==(const Condition&) const = default;
};

struct Relevance {
  // It matters if all conditions of any of these ways hold. A way without conditions: always; no ways: never.
  std::vector<std::vector<Condition>> ways = std::vector<std::vector<Condition>>(1);

  bool always() const noexcept;
  bool never() const noexcept { return ways.empty(); }
  bool holds(const ParameterSet& parameters) const;
  bool operator==(const Relevance&) const = default;
};

inline Relevance never() {
  return {.ways = {}};
}
inline Relevance when(std::string key, std::vector<std::string> values) {
  return {.ways = {{{.key = std::move(key), .values = std::move(values)}}}};
}
inline Relevance unless(std::string key, std::vector<std::string> values) {
  return {.ways = {{{.key = std::move(key), .values = std::move(values), .has = false}}}};
}
inline Relevance whenAbove(std::string key, double bound) {
  return {.ways = {{{.key = std::move(key), .above = bound}}}};
}
inline Relevance whenAtMost(std::string key, double bound) {
  return {.ways = {{{.key = std::move(key), .has = false, .above = bound}}}};
}
Relevance operator&&(const Relevance& a, const Relevance& b);
Relevance operator||(const Relevance& a, const Relevance& b);

// The condition in typed form: "aperture=slit or grating", "method other than tree and bodies above 64". Empty where it
// always matters.
std::string typedText(const Relevance& relevance);
// The same with titles: "Aperture = Slit or Grating".
std::string shownText(const Relevance& relevance, std::span<const ParameterInfo> infos);

}  // namespace simscope
