#include "app/sweep/axis.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/quantity.h"

namespace simscope::sweep {

namespace {

bool isNumber(const ParameterInfo& info) {
  return info.kind == Kind::Integer || info.kind == Kind::Real;
}

double numberOf(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

std::vector<std::string> splitAt(const std::string& text, char separator) {
  std::vector<std::string> parts(1);
  for (const char each : text) {
    if (each == separator) {
      parts.emplace_back();
    } else {
      parts.back() += each;
    }
  }
  return parts;
}

int readCount(const std::string& key, const std::string& text) {
  int count = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), count);
  if (error == std::errc::invalid_argument || end != text.data() + text.size() || text.empty()) {
    throw UsageError(fmt::format("{}: {} is not a valid number of values; range {} to {}", key, foreign::quoted(text),
                                 kFewestValues, kMostValues));
  }
  if (error == std::errc::result_out_of_range) count = text[0] == '-' ? kFewestValues - 1 : kMostValues + 1;
  if (count < kFewestValues || count > kMostValues) {
    throw UsageError(fmt::format("{}: {} values are out of range; range {} to {}, nearest {}", key,
                                 foreign::shown(text), kFewestValues, kMostValues,
                                 std::clamp(count, kFewestValues, kMostValues)));
  }
  return count;
}

Value nearestValue(double place, const ParameterInfo& info) {
  if (info.kind == Kind::Real) return place;
  if (!info.power_of_two) return static_cast<std::int64_t>(std::llround(place));
  return std::int64_t{1} << std::llround(std::log2(place));
}

std::vector<std::string> keysOfNumbers(std::span<const ParameterInfo> infos) {
  std::vector<std::string> keys;
  for (const ParameterInfo& info : infos) {
    if (isNumber(info)) keys.push_back(info.key);
  }
  return keys;
}

// The largest distance between neighbours over the smallest one.
double unevenness(const std::vector<double>& ascending) {
  double smallest = std::numeric_limits<double>::infinity(), largest = 0;
  for (std::size_t i = 1; i < ascending.size(); ++i) {
    smallest = std::min(smallest, ascending[i] - ascending[i - 1]);
    largest = std::max(largest, ascending[i] - ascending[i - 1]);
  }
  return largest / smallest;
}

// Whether the values grow by factors rather than by distances.
bool growsByFactors(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  if (!(values.front() > 0)) return false;
  std::vector<double> decades;
  for (const double each : values) decades.push_back(std::log10(each));
  return unevenness(decades) < unevenness(values);
}

}  // namespace

std::vector<double> Axis::places() const {
  if (!listed.empty()) return listed;
  std::vector<double> all;
  all.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    const double share = static_cast<double>(i) / (count - 1);
    // The ends are what was typed, to the bit.
    if (i == 0 || i == count - 1) {
      all.push_back(i == 0 ? from : to);
    } else {
      // 0.18125, not 0.18125000000000002: a short decimal number, the same from either end.
      all.push_back(rounded(log ? from * std::pow(to / from, share) : from + (to - from) * share, 12));
    }
  }
  return all;
}

Axis listedAxis(const ParameterSet& parameters, std::size_t parameter, std::vector<double> values) {
  const ParameterInfo& info = parameters.infos()[parameter];
  if (values.size() < static_cast<std::size_t>(kFewestValues) ||
      values.size() > static_cast<std::size_t>(kMostListed)) {
    throw UsageError(fmt::format("{}: {} listed values are out of range; range {} to {}, nearest {}{}", info.key,
                                 values.size(), kFewestValues, kMostListed,
                                 values.empty() ? kFewestValues : kMostListed,
                                 values.empty() ? "" : "; from:to:count has room for more"));
  }
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end()) {
    throw UsageError(fmt::format("{}: {} is listed twice; list each value once", info.key, *twice));
  }
  Axis axis{parameter, values.front(), values.back(), static_cast<int>(values.size())};
  axis.log = info.power_of_two || growsByFactors(values);
  axis.listed = std::move(values);
  return axis;
}

Axis readAxis(const ParameterSet& parameters, const std::string& text) {
  const std::size_t equals = text.find('=');
  const std::string form = "write key=from:to:count, key=from:to:count:log, or key=value,value,...";
  if (equals == std::string::npos || equals == 0) {
    throw UsageError(fmt::format("{} is not a range of a parameter; {}", foreign::quoted(text), form));
  }
  const std::size_t parameter = parameters.find(text.substr(0, equals));
  const ParameterInfo& info = parameters.infos()[parameter];
  if (!isNumber(info)) {
    throw UsageError(
        fmt::format("{}: only numbers can be swept, and this is not a number ({}); set it with --set. Numbers: {}",
                    info.key, rangeText(info), fmt::join(keysOfNumbers(parameters.infos()), ", ")));
  }
  const std::string typed = text.substr(equals + 1);
  const auto numberIn = [&](const std::string& part) {
    return numberOf(formula::readValue(info, part, parameters.unit(parameter)));
  };
  const std::vector<std::string> parts = splitAt(typed, ':'), values = splitAt(typed, ',');
  if (parts.size() == 1 && values.size() > 1) {
    std::vector<double> listed;
    for (const std::string& each : values) listed.push_back(numberIn(each));
    return listedAxis(parameters, parameter, std::move(listed));
  }
  if (parts.size() < 3 || parts.size() > 4) {
    throw UsageError(fmt::format("{}: {} is neither a range nor a list; {}", info.key, foreign::quoted(typed), form));
  }
  Axis axis{parameter, numberIn(parts[0]), numberIn(parts[1]), readCount(info.key, parts[2])};
  if (parts.size() == 4 && parts[3] != "log") {
    throw UsageError(fmt::format("{}: unknown spacing {}; write log, or leave it out for equal distances", info.key,
                                 foreign::quoted(parts[3])));
  }
  axis.log = parts.size() == 4 || info.power_of_two;
  valuesOf(axis, info);
  return axis;
}

std::vector<Value> valuesOf(const Axis& axis, const ParameterInfo& info) {
  const bool range = axis.listed.empty();
  if (range && axis.from == axis.to) {
    throw UsageError(fmt::format("{}: from and to are both {}; they must differ, range {}", info.key, axis.from,
                                 formula::rangeIn(info, info.unit)));
  }
  if (range && axis.log && !(axis.from > 0 && axis.to > 0)) {
    throw UsageError(
        fmt::format("{}: equal factors need both ends above 0, but they are {} and {}; leave out log, or "
                    "begin above 0",
                    info.key, axis.from, axis.to));
  }
  std::vector<Value> values;
  for (const double place : axis.places()) values.push_back(checkedValue(info, nearestValue(place, info)));
  std::vector<Value> different = values;
  different.erase(std::unique(different.begin(), different.end()), different.end());
  if (different.size() < values.size()) {
    throw UsageError(fmt::format("{}: {} values from {} to {} are only {} different {}; nearest count {}", info.key,
                                 axis.count, axis.from, axis.to, different.size(),
                                 info.power_of_two ? "powers of two" : "numbers", different.size()));
  }
  return values;
}

}  // namespace simscope::sweep
