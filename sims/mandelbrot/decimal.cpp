#include "sims/mandelbrot/decimal.h"

#include <mpfr.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "sims/core/parameters.h"
#include "sims/foreign/words.h"

namespace simscope::mandelbrot {
namespace {

constexpr int kTextBits = 1200;  // kMostDigits decimals and some

class Real {
 public:
  explicit Real(int bits) { mpfr_init2(value_, bits); }
  Real(int bits, const std::string& text) : Real(bits) { mpfr_set_str(value_, text.c_str(), 10, MPFR_RNDN); }
  ~Real() { mpfr_clear(value_); }
  Real(const Real&) = delete;
  Real& operator=(const Real&) = delete;
  operator mpfr_ptr() { return value_; }
  double toDouble() const { return mpfr_get_d(value_, MPFR_RNDN); }

 private:
  mpfr_t value_;
};

// An optional sign, digits with at most one point, and an exponent of at most four digits.
bool isDecimal(const std::string& text) {
  std::size_t at = 0, digits = 0, points = 0;
  const auto sign = [&] { at += at < text.size() && (text[at] == '-' || text[at] == '+') ? 1 : 0; };
  const auto digit = [&] { return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])); };
  for (sign(); digit() || (at < text.size() && text[at] == '.' && points++ == 0); ++at) digits += text[at] != '.';
  if (digits == 0 || digits > kMostDigits) return false;
  if (at == text.size()) return true;
  if (text[at] != 'e' && text[at] != 'E') return false;
  ++at;
  sign();
  const std::size_t from = at;
  while (digit()) ++at;
  return at == text.size() && at > from && at - from <= 4;
}

}  // namespace

void checkDecimal(const char* key, const std::string& text) {
  if (!isDecimal(text)) {
    throw ParameterError(key, std::string(key) + ": " + foreign::quoted(text) + " is not a decimal number of at most " +
                                  std::to_string(kMostDigits) + " digits; an example is -0.75");
  }
  if (!(std::abs(toDouble(text)) <= 4)) {
    throw ParameterError(key,
                         std::string(key) + ": " + foreign::quoted(text) + " is beyond ±4; the set lies within ±2");
  }
}

double toDouble(const std::string& text) {
  return Real(kTextBits, text).toDouble();
}

std::string moved(const std::string& text, double offset, int decimals) {
  Real sum(kTextBits, text);
  mpfr_add_d(sum, sum, offset, MPFR_RNDN);
  char* written = nullptr;
  if (mpfr_asprintf(&written, "%.*Rf", std::clamp(decimals, 0, kMostDigits - 2), static_cast<mpfr_ptr>(sum)) < 0)
    return text;
  std::string result = written;
  mpfr_free_str(written);
  if (result.find('.') != std::string::npos) {
    result.erase(result.find_last_not_of('0') + 1);
    if (result.back() == '.') result.pop_back();
  }
  return result == "-0" ? "0" : result;
}

int bitsFor(double spacing) {
  return 64 + std::max(0, -std::ilogb(spacing)) + 2;
}

std::vector<double> referenceOrbit(const std::string& x, const std::string& y, int bits, int count, double bound) {
  Real cx(bits, x), cy(bits, y), zx(bits), zy(bits), xx(bits), yy(bits), xy(bits);
  mpfr_set_zero(zx, 1);
  mpfr_set_zero(zy, 1);
  std::vector<double> orbit{0, 0};
  orbit.reserve(2 * (static_cast<std::size_t>(count) + 1));
  for (int n = 1; n <= std::max(count, 1); ++n) {
    mpfr_sqr(xx, zx, MPFR_RNDN);
    mpfr_sqr(yy, zy, MPFR_RNDN);
    mpfr_mul(xy, zx, zy, MPFR_RNDN);
    mpfr_sub(zx, xx, yy, MPFR_RNDN);
    mpfr_add(zx, zx, cx, MPFR_RNDN);
    mpfr_mul_2ui(zy, xy, 1, MPFR_RNDN);
    mpfr_add(zy, zy, cy, MPFR_RNDN);
    orbit.push_back(zx.toDouble());
    orbit.push_back(zy.toDouble());
    if (std::hypot(orbit[orbit.size() - 2], orbit.back()) > bound) break;
  }
  return orbit;
}

}  // namespace simscope::mandelbrot
