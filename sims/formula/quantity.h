// Numbers that people type for parameters: arithmetic ("1/3", "2*pi", "sqrt(2)", "3e-4*2"), and units with SI prefixes
// ("5 mm", "633 nm", "2.5 kV", "1/3 mm", "1 mm + 20 um"). Shared by the window's fields and the command line.
//
// A unit stands at the end of its term and applies to the whole term. If one term of a sum has a unit, all must have
// one. Counts and pure numbers take "%" and k, M, G, T. Decimal numbers are exact: 633 nm is 6.33e-07 m, to the bit.
// Plain functions; any thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "sims/core/parameters.h"

namespace simscope::formula {

// The typed text is not a value of the parameter. The message names the key, the fault, the range, and the nearest
// valid choice; `nearest` is that choice, if the text is a number.
class QuantityError : public ParameterError {
 public:
  QuantityError(const std::string& key, const std::string& message, std::optional<Value> nearest_value)
      : ParameterError(key, message), nearest(std::move(nearest_value)) {}
  std::optional<Value> nearest;
};

// What the text means in `unit`; numbers without a unit are in `bare`, a multiple of it. It may be NaN or infinite.
// UsageError names what was expected, and the position.
double readQuantity(std::string_view text, const std::string& unit, const std::string& bare);
// A checked value of the parameter. Kinds that are not numbers are read by parseValue. QuantityError, ParameterError.
Value readValue(const ParameterInfo& info, std::string_view text, const std::string& unit, const std::string& bare);
inline Value readValue(const ParameterInfo& info, std::string_view text, const std::string& unit) {
  return readValue(info, text, unit, unit);
}
// A value of the parameter's kind, whose refusal has the range in this form, too. ParameterError.
Value checkedQuantity(const ParameterInfo& info, const Value& value, const std::string& unit);

// The value as a number in `shown`, a multiple of `unit`, with as many digits as it takes to read back the same value.
std::string numberIn(const Value& value, const std::string& unit, const std::string& shown);
// With the unit that suits the parameter: "633 nm", "4096", "0.5 length".
std::string quantityText(const ParameterInfo& info, const Value& value, const std::string& unit);
// The allowed range in this form: "1 pm to 1 m". Of kinds that are not numbers, rangeText.
std::string rangeIn(const ParameterInfo& info, const std::string& unit);
// The unit that the value is shown in (suitedUnit, with the default as the usual value).
std::string shownUnit(const ParameterInfo& info, const Value& value, const std::string& unit);

}  // namespace simscope::formula
