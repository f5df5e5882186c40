// Decimal numbers with as many digits as needed, by MPFR: the centre of a picture, and the reference orbit of all
// pixels of a deep one. Correctly rounded, so that every machine has the same bits. Any thread.
#pragma once

#include <string>
#include <vector>

namespace simscope::mandelbrot {

inline constexpr int kMostDigits = 320;  // of a centre's text

// "-0.75", "1.25e-3". ParameterError of `key` for anything else, more digits, or a number beyond ±4.
void checkDecimal(const char* key, const std::string& text);
double toDouble(const std::string& text);
// text + offset, rounded to `decimals` decimals; trailing zeros are omitted.
std::string moved(const std::string& text, double offset, int decimals);

// Bits that a coordinate needs for pixels of this size, with 64 to spare.
int bitsFor(double spacing);

// Z_0 = 0, Z_n+1 = Z_n² + c, rounded to float64, (re, im) each: Z_0 to Z_count at most; the first with |Z| beyond
// `bound` is the last, but Z_1 is always included.
std::vector<double> referenceOrbit(const std::string& x, const std::string& y, int bits, int count, double bound);

}  // namespace simscope::mandelbrot
