// Units as people write them: "nm", "m/s²", "mN/m", "W/(m·K)", "GeV", "°", "%". SI with its prefixes, and what else is
// in use beside it. Units of a simulation's own ("length", "ħ/(m·length²)") are no units in this sense. Pure; any
// thread.
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
  double zero = 0;  // of degrees Celsius: where they begin
};

// Nothing where the text is no such unit; an empty one is a pure number.
std::optional<Unit> readUnit(std::string_view text);

// The unit with the prefix that suits: "mm" for 5e-4 m, "nm" for 6.33e-7 m. `usual` is what the quantity usually is:
// the unit that suits that stays as long as numbers are between 0.1 and 10,000. Units with unusual prefixes
// (kelvins), and unknown units, are returned unchanged.
std::string suitedUnit(const std::string& unit, double value, double usual);
// Multiples of the unit that people know, for a message: "pm, nm, µm, mm, m, km". The unit alone where there are none.
std::string multiplesOf(const std::string& unit);

}  // namespace simscope::formula
