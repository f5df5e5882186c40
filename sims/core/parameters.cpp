#include "sims/core/parameters.h"
#include "sims/core/nearest.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <limits>
#include <system_error>

namespace simscope {
namespace {

constexpr std::size_t kLongestText = 4096;             // bytes: of a formula, and of a path
constexpr double kInt64Limit = 9223372036854775808.0;  // 2⁶³, the first double beyond the type

std::string realText(double value) {
  char text[32];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), value);
  return error == std::errc() ? std::string(text, end) : std::string("?");
}

// The bounds of an Integer as integers, whatever the description's doubles are.
std::int64_t integerBound(double bound) {
  if (!(bound > -kInt64Limit)) return std::numeric_limits<std::int64_t>::min();
  if (!(bound < kInt64Limit)) return std::numeric_limits<std::int64_t>::max();
  return static_cast<std::int64_t>(bound);
}

std::string boundText(const ParameterInfo& info, double bound) {
  return info.kind == Kind::Integer ? std::to_string(integerBound(bound)) : realText(bound);
}

bool isPowerOfTwo(std::int64_t value) {
  return value > 0 && std::has_single_bit(static_cast<std::uint64_t>(value));
}

[[noreturn]] void refuse(const ParameterInfo& info, std::string_view text, const std::string& why,
                         const std::string& nearest) {
  std::string message = info.key + " = " + foreign::shown(text) + " " + why + ": " + rangeText(info);
  message += nearest.empty() ? " (default: " + toText(info.initial) + ")" : " (nearest: " + nearest + ")";
  throw ParameterError(info.key, message);
}

[[noreturn]] void refuseInteger(const ParameterInfo& info, std::string_view text, double value) {
  const bool whole = std::trunc(value) == value;
  const bool inside = value >= info.minimum && value <= info.maximum;
  refuse(info, text,
         !whole   ? "is not a whole number"
         : inside ? "is not a power of two"
                  : "is out of range",
         std::to_string(nearestInteger(info, value)));
}

std::int64_t checkedInteger(const ParameterInfo& info, std::string_view text, std::int64_t value) {
  const double real = static_cast<double>(value);
  if (!(real >= info.minimum && real <= info.maximum) || (info.power_of_two && !isPowerOfTwo(value))) {
    refuseInteger(info, text, real);
  }
  return value;
}

double checkedReal(const ParameterInfo& info, std::string_view text, double value) {
  if (!std::isfinite(value)) refuse(info, text, "is not a finite number", {});
  if (!(value >= info.minimum && value <= info.maximum)) {
    refuse(info, text, "is out of range", realText(value < info.minimum ? info.minimum : info.maximum));
  }
  return value == 0 ? 0.0 : value;  // no negative zero: it prints as "-0"
}

// Arrays and scenes of old name a precision by its format. A choice that has both precisions and no such key of its own
// takes the format's name for the precision.
std::string precisionOf(const std::string& format) {
  return format == "float32" ? "single" : format == "float64" ? "double" : format;
}

std::string checkedChoice(const ParameterInfo& info, const std::string& value) {
  std::vector<std::string> keys;
  for (const Choice& choice : info.choices) keys.push_back(choice.key);
  const auto known = [&](const std::string& key) { return std::find(keys.begin(), keys.end(), key) != keys.end(); };
  if (known(value)) return value;
  if (known("single") && known("double") && known(precisionOf(value))) return precisionOf(value);
  refuse(info, value, "is not a choice", closestName(value, keys));
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

// std::from_chars does not know a leading plus sign.
std::string_view withoutPlus(std::string_view text) {
  return text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+' ? text.substr(1) : text;
}

// A control character has no meaning in a formula or a name; the system's calls stop reading at a NUL.
const std::string& checkedText(const ParameterInfo& info, const std::string& value) {
  const std::size_t control = foreign::findControl(value);
  if (control != std::string::npos) {
    refuse(info, value, "contains a control character at byte " + std::to_string(control), {});
  }
  if (value.size() > kLongestText) {
    refuse(info, value, "is longer than " + std::to_string(kLongestText) + " bytes", {});
  }
  return value;
}

Value readFlag(const ParameterInfo& info, std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (lower == "on" || lower == "true" || lower == "1") return true;
  if (lower == "off" || lower == "false" || lower == "0") return false;
  static const std::vector<std::string> words = {"on", "off", "true", "false"};
  refuse(info, text, "is neither on nor off", closestName(lower, words));
}

Value readInteger(const ParameterInfo& info, std::string_view text) {
  std::int64_t value = 0;
  const std::string_view digits = withoutPlus(text);
  const char* const end = digits.data() + digits.size();
  const auto [stop, error] = std::from_chars(digits.data(), end, value);
  if (stop == end && error == std::errc()) return checkedInteger(info, text, value);
  const std::optional<double> real = readReal(digits);
  if (!real) refuse(info, text, "is not a whole number", {});
  if (!std::isfinite(*real)) {
    const bool overflow = digits.find_first_of("nN") == std::string_view::npos;  // not the words inf and nan
    if (!overflow) refuse(info, text, "is not a whole number", {});
    refuse(info, text, "is out of range", std::to_string(nearestInteger(info, *real)));
  }
  if (std::trunc(*real) == *real && std::abs(*real) < kInt64Limit) {
    return checkedInteger(info, text, static_cast<std::int64_t>(*real));  // 4e3
  }
  refuseInteger(info, text, *real);
}

Value readRealValue(const ParameterInfo& info, std::string_view text) {
  const std::optional<double> value = readReal(withoutPlus(text));
  if (!value) refuse(info, text, "is not a number", {});
  const bool overflow = std::isinf(*value) && text.find_first_of("nN") == std::string_view::npos;
  if (overflow) refuse(info, text, "is out of range", realText(*value < 0 ? info.minimum : info.maximum));
  return checkedReal(info, text, *value);
}

}  // namespace

std::optional<double> readReal(std::string_view text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty() || error == std::errc::invalid_argument) return std::nullopt;
  if (error == std::errc::result_out_of_range) {
    long double wide = 0;
    const auto again = std::from_chars(text.data(), end, wide);
    if (again.ec == std::errc()) return static_cast<double>(wide);
    const std::size_t exponent = text.find_first_of("eE");
    const bool tiny = exponent != std::string_view::npos && text.substr(exponent + 1).starts_with('-');
    return tiny ? 0.0 : (text[0] == '-' ? -1 : 1) * std::numeric_limits<double>::infinity();
  }
  return value;
}

std::string toText(const Value& value) {
  if (const bool* flag = std::get_if<bool>(&value)) return *flag ? "on" : "off";
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) return std::to_string(*integer);
  if (const double* real = std::get_if<double>(&value)) return realText(*real);
  return std::get<std::string>(value);
}

std::string choiceTitle(const ParameterInfo& info, const std::string& key) {
  for (const Choice& choice : info.choices) {
    if (choice.key == key) return choice.title;
  }
  return key;
}

std::string shownText(const ParameterInfo& info, const Value& value) {
  return info.kind == Kind::Choice ? choiceTitle(info, std::get<std::string>(value)) : toText(value);
}

std::string rangeText(const ParameterInfo& info) {
  switch (info.kind) {
    case Kind::Flag:
      return "on or off";
    case Kind::Integer:
    case Kind::Real:
      return boundText(info, info.minimum) + " to " + boundText(info, info.maximum) +
             (info.kind == Kind::Integer && info.power_of_two ? ", powers of two" : "");
    case Kind::Choice: {
      std::string text;
      for (const Choice& choice : info.choices) text += (text.empty() ? "one of: " : ", ") + choice.key;
      return text;
    }
    case Kind::Text:
      return info.text_use == TextUse::Formula     ? "a formula"
             : info.text_use == TextUse::ImageFile ? "the name of an image file"
             : info.text_use == TextUse::DataFile  ? "the name of a table's file"
                                                   : "any text";
  }
  return {};
}

Value parseValue(const ParameterInfo& info, std::string_view text) {
  if (info.kind == Kind::Text) return checkedText(info, std::string(text));
  const std::string_view word = trimmed(text);
  if (word.empty())
    throw ParameterError(info.key,
                         info.key + " has no value: " + rangeText(info) + " (default: " + toText(info.initial) + ")");
  switch (info.kind) {
    case Kind::Flag:
      return readFlag(info, word);
    case Kind::Integer:
      return readInteger(info, word);
    case Kind::Real:
      return readRealValue(info, word);
    default:
      return checkedChoice(info, std::string(word));
  }
}

Value checkedValue(const ParameterInfo& info, const Value& value) {
  const auto mismatch = [&](const char* wanted) { refuse(info, toText(value), wanted, {}); };
  switch (info.kind) {
    case Kind::Flag:
      if (!std::holds_alternative<bool>(value)) mismatch("is neither on nor off");
      return value;
    case Kind::Integer:
      if (!std::holds_alternative<std::int64_t>(value)) mismatch("is not a whole number");
      return checkedInteger(info, toText(value), std::get<std::int64_t>(value));
    case Kind::Real:
      if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) {
        return checkedReal(info, toText(value), static_cast<double>(*integer));
      }
      if (!std::holds_alternative<double>(value)) mismatch("is not a number");
      return checkedReal(info, toText(value), std::get<double>(value));
    case Kind::Choice:
      if (!std::holds_alternative<std::string>(value)) mismatch("is not a choice");
      return checkedChoice(info, std::get<std::string>(value));
    case Kind::Text:
      if (!std::holds_alternative<std::string>(value)) mismatch("is not a text");
      return checkedText(info, std::get<std::string>(value));
  }
  return value;
}

ParameterSet::ParameterSet(std::shared_ptr<const std::vector<ParameterInfo>> infos) : infos_(std::move(infos)) {
  values_.reserve(this->infos().size());
  for (const ParameterInfo& info : this->infos()) values_.push_back(checkedValue(info, info.initial));
}

std::span<const ParameterInfo> ParameterSet::infos() const noexcept {
  return infos_ ? std::span<const ParameterInfo>(*infos_) : std::span<const ParameterInfo>();
}

std::size_t ParameterSet::find(std::string_view key) const {
  const auto all = infos();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].key == key) return i;
  }
  std::vector<std::string> keys;
  std::string known;
  for (const ParameterInfo& info : all) {
    keys.push_back(info.key);
    known += (known.empty() ? "" : ", ") + info.key;
  }
  throw UsageError("there is no parameter " + foreign::quoted(key) + didYouMean(key, keys, ".") +
                   " Parameters: " + known);
}

double ParameterSet::real(std::string_view key) const {
  const Value& value = get(key);
  if (const std::int64_t* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const double* number = std::get_if<double>(&value)) return *number;
  throw ParameterError(std::string(key), std::string(key) + " is not a number; it is " + foreign::shown(toText(value)));
}

std::int64_t ParameterSet::integer(std::string_view key) const {
  const Value& value = get(key);
  if (const std::int64_t* number = std::get_if<std::int64_t>(&value)) return *number;
  throw ParameterError(std::string(key),
                       std::string(key) + " is not a whole number; it is " + foreign::shown(toText(value)));
}

bool ParameterSet::flag(std::string_view key) const {
  const Value& value = get(key);
  if (const bool* on = std::get_if<bool>(&value)) return *on;
  throw ParameterError(std::string(key), std::string(key) + " is not a switch; it is " + foreign::shown(toText(value)));
}

const std::string& ParameterSet::text(std::string_view key) const {
  const Value& value = get(key);
  if (const std::string* words = std::get_if<std::string>(&value)) return *words;
  throw ParameterError(std::string(key), std::string(key) + " is not a text; it is " + toText(value));
}

bool ParameterSet::matters(std::size_t index) const {
  return infos().subspan(index, 1).front().relevant.holds(*this);
}

const Alias* ParameterSet::alias(std::size_t index) const {
  for (const Alias& each : infos().subspan(index, 1).front().aliases) {
    if (each.when.holds(*this)) return &each;
  }
  return nullptr;
}

const std::string& ParameterSet::title(std::size_t index) const {
  const Alias* const other = alias(index);
  return other ? other->title : infos()[index].title;
}

const std::string& ParameterSet::unit(std::size_t index) const {
  const Alias* const other = alias(index);
  return other ? other->unit : infos()[index].unit;
}

void ParameterSet::set(std::size_t index, const Value& value) {
  values_.at(index) = checkedValue(infos().subspan(index, 1).front(), value);
}

void ParameterSet::setText(std::string_view key, std::string_view text) {
  const std::size_t index = find(key);
  values_[index] = parseValue(infos()[index], text);
}

std::vector<std::size_t> ParameterSet::changed() const {
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] != checkedValue(infos()[i], infos()[i].initial)) indices.push_back(i);
  }
  return indices;
}

std::vector<std::size_t> ParameterSet::changed(const ParameterSet& other) const {
  if (infos_ != other.infos_) {
    throw UsageError("these parameters belong to another simulation; make them from this one's description");
  }
  std::vector<std::size_t> indices;
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (values_[i] != other.values_[i]) indices.push_back(i);
  }
  return indices;
}

const ParameterInfo* ParameterSet::firstOnReset(const ParameterSet& other) const {
  for (const std::size_t i : changed(other)) {
    if (infos()[i].applies == Applies::OnReset) return &infos()[i];
  }
  return nullptr;
}

}  // namespace simscope
