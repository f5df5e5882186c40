// Units as people write them: "nm", "m/s²", "mN/m", "W/(m·K)", "GeV", "°", "%". SI with its prefixes, and common units
// outside it. A simulation's own units ("length", "ħ/(m·length²)") are not units in this sense. Pure; any thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace simscope::formula {

// factor · 10^decade of SI's own units. The two are kept apart so that decimal numbers stay exact.
struct Unit {
  std::array<int, 7> dimension{};  // exponents of metre, kilogram, second, ampere, kelvin, mole, radian
  double factor = 1;
  int decade = 0;
  double zero = 0;  // zero point, for degrees Celsius
};

// Nothing if the text is not such a unit; an empty text is a pure number.
std::optional<Unit> readUnit(std::string_view text);

// The unit with a suitable prefix: "mm" for 5e-4 m, "nm" for 6.33e-7 m. `usual` is a usual value of the quantity: the
// unit that suits it is kept as long as numbers are between 0.1 and 10,000. Units with unusual prefixes
// (kelvins), and unknown units, are returned unchanged.
std::string suitedUnit(const std::string& unit, double value, double usual);
// Common multiples of the unit, for a message: "pm, nm, µm, mm, m, km". The unit alone where there are none.
std::string multiplesOf(const std::string& unit);

}  // namespace simscope::formula
