#include "sims/formula/quantity.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <initializer_list>
#include <iterator>

#include "sims/core/nearest.h"
#include "sims/foreign/words.h"
#include "sims/formula/arithmetic.h"
#include "sims/formula/unit.h"

namespace simscope::formula {
namespace {

std::string_view withoutBlanks(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// A decimal number times a power of ten, rounded once.
double shifted(std::string_view literal, int decade) {
  const std::size_t mark = literal.find_first_of("eE");
  int exponent = decade;
  if (mark != std::string_view::npos) {
    std::string_view digits = literal.substr(mark + 1);
    if (digits.starts_with('+')) digits.remove_prefix(1);
    int own = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), own);
    constexpr int kBeyond = 100'000;  // any double
    if (error == std::errc::result_out_of_range || std::abs(own) > kBeyond) {
      own = digits.starts_with('-') ? -kBeyond : kBeyond;
    }
    exponent += own;
  }
  return readReal(fmt::format("{}e{}", literal.substr(0, mark), exponent)).value_or(0);
}

double scaled(double value, int decade) {
  // Dividing by a whole power of ten rounds once where multiplying with its inverse rounds twice.
  return decade < 0 ? value / std::pow(10.0, -decade) : value * std::pow(10.0, decade);
}

// How what is in `typed` is counted in `own`.
struct Conversion {
  double factor = 1;
  int decade = 0;
  double offset = 0;
};

std::string packed(const std::string& text) {
  std::string all;
  for (const char c : text) {
    if (c != ' ') all += c;
  }
  return all;
}

Conversion conversionOf(const std::string& typed, const std::string& unit) {
  if (packed(typed) == packed(unit)) return {};
  const std::optional<Unit> own = readUnit(unit), given = readUnit(typed);
  if (own && given && own->dimension == given->dimension && own->zero == 0) {
    return {given->factor / own->factor, given->decade - own->decade, given->zero};
  }
  if (unit.empty()) {
    if (typed == "k") return {1, 3, 0};
    if (typed == "M") return {1, 6, 0};
    if (typed == "G") return {1, 9, 0};
    if (typed == "T") return {1, 12, 0};
  }
  const std::string what = given ? "does not fit" : "is not a known unit";
  if (unit.empty()) {
    throw UsageError(
        fmt::format("{} {}: the parameter is a pure number; expected a number alone, or with %, k, M, G, or T",
                    foreign::quoted(typed), what));
  }
  if (!own) {
    throw UsageError(fmt::format("{} {}: the parameter has the unit {} of the simulation; expected a number alone",
                                 foreign::quoted(typed), what, unit));
  }
  throw UsageError(fmt::format("{} {}; expected {}", foreign::quoted(typed), what, multiplesOf(unit)));
}

double converted(const Term& term, const std::string& typed, const std::string& unit) {
  const Conversion to = conversionOf(typed, unit);
  if (term.literal && to.factor == 1 && to.offset == 0) return shifted(term.arithmetic, to.decade);
  return scaled(evaluate(term.arithmetic) * to.factor, to.decade) + to.offset;
}

// Plain decimal notation is read as it always was, with its errors. Words are not.
bool plainNumber(std::string_view text) {
  const std::string_view word = withoutBlanks(text);
  return word.empty() || readReal(word.find_first_of("+-") == 0 ? word.substr(1) : word);
}

bool isOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  std::string lower(withoutBlanks(text));
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower.starts_with('+') || lower.starts_with('-')) lower.erase(0, 1);
  return std::find(words.begin(), words.end(), lower) != words.end();
}

[[noreturn]] void refuseQuantity(const ParameterInfo& info, std::string_view text, const std::string& why,
                                 const std::string& unit, std::optional<Value> nearest, const std::string& hint = "") {
  const std::string offer =
      nearest ? "nearest: " + quantityText(info, *nearest, unit) : "default: " + quantityText(info, info.initial, unit);
  const std::string message = fmt::format("{} = {} {}: {}{} ({})", info.key, foreign::shown(withoutBlanks(text)), why,
                                          rangeIn(info, unit), hint, offer);
  throw QuantityError(info.key, message, std::move(nearest));
}

// `hint`: for a number that is out of range.
Value checkedNumber(const ParameterInfo& info, std::string_view text, double number, const std::string& unit,
                    const std::string& hint) {
  const auto refuse = [&](const std::string& why) {
    refuseQuantity(info, text, why, unit, std::isnan(number) ? std::nullopt : std::optional(nearestValue(info, number)),
                   why == "is out of range" ? hint : "");
  };
  if (std::isnan(number)) refuse("is not a number");
  if (info.kind == Kind::Integer) {
    constexpr double kLargest = 9007199254740992.0;  // 2⁵³: doubles beyond are no certain integers
    // 3*(1/3) is 1, whatever the last bit says.
    const double whole = std::round(number);
    if (std::abs(number) > kLargest) refuse("is out of range");
    if (std::abs(number - whole) > 1e-9 * std::max(1.0, std::abs(whole))) refuse("is not a whole number");
    const Value nearest = nearestValue(info, whole);
    if (std::get<std::int64_t>(nearest) != static_cast<std::int64_t>(whole)) {
      refuse(whole >= info.minimum && whole <= info.maximum ? "is not a power of two" : "is out of range");
    }
    return nearest;
  }
  if (!(number >= info.minimum && number <= info.maximum)) refuse("is out of range");
  return nearestValue(info, number);
}

}  // namespace

double readQuantity(std::string_view text, const std::string& unit, const std::string& bare) {
  const std::vector<Term> terms = termsOf(text);
  bool any = false, all = true;
  for (const Term& term : terms) {
    any = any || !term.unit.empty();
    all = all && !term.unit.empty();
  }
  if (any && !all) {
    throw UsageError(
        fmt::format("some terms have a unit and others do not; expected one with each, or parentheses around the sum, "
                    "as in (1 + 2) {}",
                    bare.empty() ? "%" : bare));
  }
  if (terms.size() == 1) return converted(terms.front(), any ? terms.front().unit : bare, unit);
  double sum = 0;
  for (const Term& term : terms) {
    const std::string& typed = any ? term.unit : bare;
    if (conversionOf(typed, unit).offset != 0) {
      throw UsageError(
          fmt::format("{} has its own zero and cannot be added; expected one number", foreign::quoted(typed)));
    }
    sum += converted(term, typed, unit);
  }
  return sum;
}

namespace {

// "; 633 nm?" where a number without a unit would be in range in the unit that the default is shown in.
std::string otherUnit(const ParameterInfo& info, std::string_view text, const std::string& unit,
                      const std::string& bare) {
  const std::string usual = shownUnit(info, info.initial, unit);
  if (!plainNumber(text) || packed(usual) == packed(bare)) return "";
  const double meant = readQuantity(text, unit, usual);
  if (!(meant >= info.minimum && meant <= info.maximum)) return "";
  return fmt::format("; {} {}?", withoutBlanks(text), usual);
}

}  // namespace

Value checkedQuantity(const ParameterInfo& info, const Value& value, const std::string& unit) {
  const double* const real = std::get_if<double>(&value);
  const std::int64_t* const whole = std::get_if<std::int64_t>(&value);
  if (info.kind != Kind::Real) return checkedValue(info, value);
  const std::string text = toText(value);
  if (!real && !whole) refuseQuantity(info, text, "is not a number", unit, std::nullopt);
  return checkedNumber(info, text, real ? *real : static_cast<double>(*whole), unit, otherUnit(info, text, unit, unit));
}

Value readValue(const ParameterInfo& info, std::string_view text, const std::string& unit, const std::string& bare) {
  const bool number = info.kind == Kind::Integer || info.kind == Kind::Real;
  if (number && isOneOf(text, {"nan", "inf", "infinity"})) {
    refuseQuantity(info, text, "is not a finite number", unit, std::nullopt);
  }
  if (number && isOneOf(text, {"on", "off", "true", "false"})) {
    refuseQuantity(info, text, "is the value of a switch, not a number", unit, std::nullopt);
  }
  if (!number || (plainNumber(text) && (bare == unit || withoutBlanks(text).empty()))) {
    try {
      return parseValue(info, text);
    } catch (const ParameterError& error) {
      if (!number || withoutBlanks(text).empty()) throw;
      double typed = 0;
      try {
        typed = readQuantity(text, unit, bare);
      } catch (const UsageError&) {
        throw error;
      }
      if (!unit.empty()) return checkedNumber(info, text, typed, unit, otherUnit(info, text, unit, bare));
      throw QuantityError(info.key, error.what(), nearestValue(info, typed));
    }
  }
  double typed = 0;
  try {
    typed = readQuantity(text, unit, bare);
  } catch (const UsageError& error) {
    const std::string why = error.what();
    refuseQuantity(info, text, fmt::format("is not a number: {}{} Range", why, why.ends_with('?') ? "" : "."), unit,
                   std::nullopt);
  }
  return checkedNumber(info, text, typed, unit, otherUnit(info, text, unit, bare));
}

std::string numberIn(const Value& value, const std::string& unit, const std::string& shown) {
  const double* const real = std::get_if<double>(&value);
  if (!real || unit == shown || *real == 0 || !std::isfinite(*real)) return toText(value);
  const std::optional<Unit> own = readUnit(unit), as = readUnit(shown);
  if (!own || !as || own->factor != as->factor) return toText(value);
  // The shortest digits, with the point elsewhere.
  char text[48];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), *real, std::chars_format::scientific);
  if (error != std::errc()) return toText(value);
  const std::string_view all(text, static_cast<std::size_t>(end - text));
  const std::size_t mark = all.find('e');
  std::string digits(all.substr(0, mark));
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  if (digits.size() > 1) digits.erase(1, 1);
  int exponent = 0;
  const std::size_t sign = all[mark + 1] == '+' ? 2 : 1;
  std::from_chars(all.data() + mark + sign, end, exponent);
  exponent += own->decade - as->decade;
  constexpr int kMostDigits = 7;  // digits before the point
  std::string out;
  if (exponent >= kMostDigits || exponent < -4) {
    out = digits.substr(0, 1) + (digits.size() > 1 ? "." + digits.substr(1) : "") +
          fmt::format("e{}{:02d}", exponent < 0 ? '-' : '+', std::abs(exponent));
  } else if (exponent < 0) {
    out = "0." + std::string(static_cast<std::size_t>(-exponent - 1), '0') + digits;
  } else {
    const auto whole = static_cast<std::size_t>(exponent) + 1;
    if (digits.size() < whole) digits.append(whole - digits.size(), '0');
    out = digits.substr(0, whole) + (digits.size() > whole ? "." + digits.substr(whole) : "");
  }
  return negative ? "-" + out : out;
}

std::string shownUnit(const ParameterInfo& info, const Value& value, const std::string& unit) {
  const double* const real = std::get_if<double>(&value);
  const double* const usual = std::get_if<double>(&info.initial);
  return real ? suitedUnit(unit, *real, usual ? *usual : 0) : unit;
}

std::string quantityText(const ParameterInfo& info, const Value& value, const std::string& unit) {
  if (info.kind != Kind::Real && info.kind != Kind::Integer) return shownText(info, value);
  const std::string shown = shownUnit(info, value, unit);
  const std::string text = numberIn(value, unit, shown);
  return shown.empty() ? text : text + (shown == "°" || shown == "%" ? "" : " ") + shown;
}

std::string rangeIn(const ParameterInfo& info, const std::string& unit) {
  const bool one = shownUnit(info, info.minimum, unit) == shownUnit(info, info.maximum, unit);
  if (info.kind != Kind::Real || (one && shownUnit(info, info.maximum, unit) == unit)) {
    return rangeText(info) + (unit.empty() ? "" : " " + unit);
  }
  return fmt::format("{} to {}", quantityText(info, info.minimum, unit), quantityText(info, info.maximum, unit));
}

}  // namespace simscope::formula
