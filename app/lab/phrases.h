// Numbers for the findings of lessons: rounded, and without the exponents of programming languages. Plain functions;
// any thread.
#pragma once

#include <string>

namespace simscope::lab {

// To this many significant digits.
double rounded(double value, int digits = 2);

// "0.75", "38", "1,700", "2.6·10⁴", "3.4·10⁻⁸".
std::string roundText(double value, int digits = 2);

// "2.1 times as long"; for a ratio that differs from 1 by less than 5 % "about as long". how: "long", "fast", "many".
std::string timesAs(double ratio, const std::string& how);

// "38 %".
std::string percentText(double share);

}  // namespace simscope::lab
