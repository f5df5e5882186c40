#include "sims/formula/formula.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/words.h"
#include "sims/formula/evaluation.h"
#include "sims/formula/functions.h"
#include "sims/formula/reader.h"

namespace simscope::formula {
namespace {

constexpr std::size_t kLongest = 4096;  // characters
constexpr std::size_t kShown = 200;     // of them, in a message

}  // namespace

struct Formula::Reader {
  std::string text;
  Reading reading;
  Evaluation evaluation;
  std::vector<double> values;           // of the variables
  std::vector<const double*> pointers;  // to them
  std::vector<double> stack;
};

Formula::Formula(const std::string& text, std::vector<std::string> names) : reader_(std::make_unique<Reader>()) {
  Reader& r = *reader_;
  r.text = text;
  r.values.resize(names.size());
  for (const double& value : r.values) r.pointers.push_back(&value);
  r.reading = read(text, {.names = std::move(names)});
  if (r.reading.fault.empty()) r.evaluation = Evaluation(r.reading.tree);
  r.stack.resize(r.evaluation.rows() * Evaluation::kLanes);
}
Formula::~Formula() = default;

void Formula::requireSound() {
  const Reader& r = *reader_;
  if (!r.reading.fault.empty()) refuse(r.text, r.reading.fault_at, r.reading.fault);
}

double Formula::at(std::initializer_list<double> place) {
  Reader& r = *reader_;
  std::copy(place.begin(), place.end(), r.values.begin());
  return r.evaluation.at(r.pointers.data(), r.stack.data());
}

void Formula::over(std::span<const double* const> places, std::span<double> values) {
  reader_->evaluation.over(places, values, reader_->stack.data());
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
      "the "
      "natural logarithm, round takes halves away from 0, rint to the even number",
      fmt::join(functionNames(), ", "));
}

std::string shown(const std::string& text) {
  return foreign::shown(text, kShown);
}

}  // namespace simscope::formula
