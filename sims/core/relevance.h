// When something matters: a condition on parameters that parameters, diagnostics, plots, and tools state. What shows
// them follows: panels fold away what does not matter, captions and summaries leave it out, the command line's help
// says when it would.
//
// Plain data, any thread. A condition on a parameter that does not matter itself does not hold. Conditions go in no
// circle, and name parameters and values that there are; the contract test holds descriptions to that.
//
// It is about parameters alone: what the mouse does, and keyframes, may matter besides. Where in doubt, it matters.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace simscope {

class ParameterSet;
struct ParameterInfo;

// That a parameter has one of some values, or none of them; or that it is a number above a bound, or not above it.
struct Condition {
  std::string key = {};
  std::vector<std::string> values = {};  // as toText() writes them; empty: the bound counts
  bool has = true;
  double above = 0;
  bool operator==(const Condition&) const = default;
};

struct Relevance {
  // It matters in any of these ways, each of them with all of its conditions. One without a condition: always; no way
  // at all: never.
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

// What it asks for, as one types it: "aperture=slit or grating", "method other than tree and bodies above 64". Empty
// where it always matters.
std::string typedText(const Relevance& relevance);
// The same with titles: "Aperture = Slit or Grating".
std::string shownText(const Relevance& relevance, std::span<const ParameterInfo> infos);

}  // namespace simscope
