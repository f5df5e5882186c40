#include "tests/soak/random_values.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace simscope::soak {

namespace {

constexpr double kMostBytes = 96e6;

double number(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&value);
  return real ? *real : 0;
}

std::int64_t wholeWithin(const ParameterInfo& info, double usual, Random& random) {
  const double factor = std::exp2(-4 + 5 * random.share());  // to twice as many
  double value = std::round(std::abs(usual) < 1 ? 4 * random.share() : usual * factor);
  value = std::clamp(value, info.minimum, std::min(info.maximum, std::max(2 * std::abs(usual), info.minimum + 8)));
  if (info.power_of_two) value = std::exp2(std::floor(std::log2(std::max(value, 1.0))));
  return static_cast<std::int64_t>(std::clamp(value, info.minimum, info.maximum));
}

double realWithin(const ParameterInfo& info, double usual, Random& random) {
  switch (random.below(6)) {
    case 0:
      return info.minimum;
    case 1:
      return info.maximum;
    case 2:
      return info.minimum + (info.maximum - info.minimum) * random.share();
    default:
      return std::clamp(usual * std::exp2(-2 + 4 * random.share()), info.minimum, info.maximum);
  }
}

}  // namespace

Value valueWithin(const ParameterInfo& info, const Value& usual, Random& random) {
  switch (info.kind) {
    case Kind::Flag:
      return random.chance(0.5);
    case Kind::Integer:
      return wholeWithin(info, number(usual), random);
    case Kind::Real:
      return realWithin(info, number(usual), random);
    case Kind::Choice:
      return random.of(info.choices).key;
    case Kind::Text:
      return typed(random);
  }
  return info.initial;
}

Value valueBeyond(const ParameterInfo& info, Random& random) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  const double below = info.minimum - 1 - std::abs(info.minimum), above = info.maximum + 1 + std::abs(info.maximum);
  switch (info.kind) {
    case Kind::Integer:
      return info.minimum > 0 && random.chance(0.5) ? Value(std::int64_t{0} - random.from(0, 9))
                                                    : Value(std::numeric_limits<std::int64_t>::max());
    case Kind::Real:
      return random.of(std::vector<Value>{nan, infinity, -infinity, below, above});
    default:
      return Value(std::string("no such choice"));
  }
}

std::string typed(Random& random) {
  static const std::vector<std::string> all = {
      "",        "0",    "-1",       "1/3",  "2*pi", "5 mm", "1e308",       "nan",     "inf",       "x",
      "x*y",     "x^2+", "sin(3*x)", "((x)", "1/0",  "--",   "nowhere.png", "0.2*x^2", "exp(-x^2)", "100 %s%n",
      "1e-9 km", "on",   "0x10",     "1,5",  "3k",   "x>0?", "abs(x)<1",    "#",       "e",         "1 2"};
  if (random.chance(0.03)) return std::string(5000, 'x');
  return random.of(all);
}

bool small(const Description& description, const ParameterSet& parameters) {
  return !description.memory || description.memory(parameters, compute::Backend::Cpu) < kMostBytes;
}

}  // namespace simscope::soak
