#include "sims/formula/formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"
#include "sims/formula/functions.h"

namespace simscope::formula {
namespace {

constexpr std::size_t kLongest = 4096;  // characters
constexpr std::size_t kShown = 200;     // of them, in a message

}  // namespace

Formula::Formula(const std::string& text, std::vector<std::string> names) : text_(text), values_(names.size()) {
  for (const double& value : values_) pointers_.push_back(&value);
  reading_ = read(text, {.names = std::move(names)});
  if (reading_.fault.empty()) evaluation_ = Evaluation(reading_.tree);
  stack_.resize(evaluation_.rows() * Evaluation::kLanes);
}

void Formula::requireSound() const {
  if (!reading_.fault.empty()) refuse(text_, reading_.fault_at, reading_.fault);
}

double Formula::at(std::initializer_list<double> place) {
  std::copy(place.begin(), place.end(), values_.begin());
  return evaluation_.at(pointers_.data(), stack_.data());
}

void Formula::over(std::span<const double* const> places, std::span<double> values) {
  evaluation_.over(places, values, stack_.data());
}

void requireSound(const std::string& text, const std::vector<std::string>& names) {
  if (text.size() > kLongest) {
    throw UsageError(fmt::format("formula: {} characters; at most {} are allowed", text.size(), kLongest));
  }
  readSound(text, {.names = names});
}

const std::vector<std::string>& functionNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Function& each : functions()) all.emplace_back(each.name);
    return all;
  }();
  return names;
}

std::string grammar() {
  return fmt::format(
      "Known are pi, e, + - * / ^, comparisons, &&, ||, c ? a : b, and {}. -x^2 is -(x^2), 2^3^2 is 2^(3^2), log is "
      "the natural logarithm, round takes halves away from 0, rint to the even number",
      fmt::join(functionNames(), ", "));
}

std::string shown(const std::string& text) {
  return foreign::shown(text, kShown);
}

}  // namespace simscope::formula
