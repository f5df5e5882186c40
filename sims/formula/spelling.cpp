#include "sims/formula/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sims/foreign/words.h"
#include "sims/formula/characters.h"
#include "sims/formula/formula.h"

namespace simscope::formula {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 18> kSigns = {{{"**", "^"},
                                                                                   {"−", "-"},
                                                                                   {"–", "-"},
                                                                                   {"·", "*"},
                                                                                   {"⋅", "*"},
                                                                                   {"∙", "*"},
                                                                                   {"×", "*"},
                                                                                   {"∗", "*"},
                                                                                   {"÷", "/"},
                                                                                   {"∕", "/"},
                                                                                   {"≤", "<="},
                                                                                   {"≥", ">="},
                                                                                   {"≠", "!="},
                                                                                   {"∧", "&&"},
                                                                                   {"∨", "||"},
                                                                                   {"\u00a0", " "},
                                                                                   {"\u2009", " "},
                                                                                   {"\u202f", " "}}};
constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kNames = {{{"π", "pi"}, {"ħ", "hbar"}}};
constexpr std::array<std::pair<std::string_view, char>, 11> kRaised = {{{"⁰", '0'},
                                                                        {"¹", '1'},
                                                                        {"²", '2'},
                                                                        {"³", '3'},
                                                                        {"⁴", '4'},
                                                                        {"⁵", '5'},
                                                                        {"⁶", '6'},
                                                                        {"⁷", '7'},
                                                                        {"⁸", '8'},
                                                                        {"⁹", '9'},
                                                                        {"⁻", '-'}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 7> kFractions = {
    {{"½", "(1/2)"}, {"⅓", "(1/3)"}, {"⅔", "(2/3)"}, {"¼", "(1/4)"}, {"¾", "(3/4)"}, {"⅛", "(1/8)"}, {"⅜", "(3/8)"}}};
// Of Python's libraries, whose names or roundings are others.
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kLibraryNames = {{{"arcsin", "asin"},
                                                                                          {"arccos", "acos"},
                                                                                          {"arctan", "atan"},
                                                                                          {"arcsinh", "asinh"},
                                                                                          {"arccosh", "acosh"},
                                                                                          {"arctanh", "atanh"},
                                                                                          {"round", "rint"},
                                                                                          {"absolute", "abs"},
                                                                                          {"fabs", "abs"},
                                                                                          {"maximum", "max"},
                                                                                          {"minimum", "min"}}};

bool isFunctionName(std::string_view word) {
  const auto& all = functionNames();
  return std::find(all.begin(), all.end(), word) != all.end();
}
std::string lowered(std::string_view word) {
  std::string low(word);
  for (char& c : low) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return low;
}

// How many bytes the character has that begins with this one.
std::size_t lengthOf(unsigned char first) {
  return first < 0xC0 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

class Speller {
 public:
  explicit Speller(std::string_view typed) : typed_(typed) {}

  Spelled read() {
    while (at_ < typed_.size() && out_.fault.empty()) token();
    out_.from.push_back(typed_.size());
    return std::move(out_);
  }

 private:
  enum class Last { Nothing, Number, Name, Closed };  // before this place; Nothing: an operand is expected here
  struct Open {
    bool choice = false;  // of if(c, a, b)
    bool call = false;    // its commas divide arguments
    int commas = 0;
    char divider = '\0';  // of its arguments: a comma or a semicolon
    char before = '\0';   // the operator before the parenthesis
  };

  std::string_view rest() const { return typed_.substr(at_); }
  void put(std::string_view text, std::size_t length) {
    for (std::size_t i = 0; i < text.size(); ++i) out_.from.push_back(text.size() == length ? at_ + i : at_);
    out_.text += text;
    at_ += length;
  }
  void fault(std::string what) {
    out_.fault_at = at_;
    out_.fault = std::move(what);
  }
  bool depthIsOfCall() const { return !open_.empty() && open_.back().call; }

  void token() {
    const char c = typed_[at_];
    if (c == ' ' || c == '\t') return put(" ", 1);
    if (isDigit(c) || (c == '.' && at_ + 1 < typed_.size() && isDigit(typed_[at_ + 1]))) return number();
    if (isLetter(c)) return name();
    for (const auto& [sign, plain] : kNames) {
      if (rest().starts_with(sign)) return operand(plain, sign.size());
    }
    for (const auto& [sign, plain] : kRaised) {
      if (rest().starts_with(sign)) return raised();
    }
    for (const auto& [sign, plain] : kFractions) {
      if (rest().starts_with(sign)) return fraction(plain, sign.size());
    }
    if (rest().starts_with("√")) return fault("write sqrt(…) for √");
    for (const auto& [sign, plain] : kSigns) {
      if (rest().starts_with(sign)) return operation(plain, sign.size());
    }
    if (static_cast<unsigned char>(c) >= 0x80) {
      const std::string_view character = rest().substr(0, lengthOf(static_cast<unsigned char>(c)));
      return fault(fmt::format("'{}' has no meaning in a formula", foreign::shown(std::string(character))));
    }
    if (c == '(') return opens();
    if (c == ')') return closes();
    if (c == ',' || (c == ';' && depthIsOfCall())) return divides(c);
    if (c == ';') return fault("unexpected ';'; expected the value of V alone");
    if (c == '|' && last_ == Last::Nothing) return fault("write abs(x) for |x|");
    if (c == '|' && !rest().starts_with("||")) return fault("write || for 'or', and abs(x) for |x|");
    if (c == '&' && !rest().starts_with("&&")) return fault("write && for 'and'");
    if (c == '%') return fault("write mod(x, y) for the remainder of a division");
    if (c == '!' && last_ != Last::Nothing && !rest().starts_with("!=")) return factorial();
    const bool two = rest().starts_with("&&") || rest().starts_with("||") || rest().starts_with("==") ||
                     rest().starts_with("<=") || rest().starts_with(">=") || rest().starts_with("!=");
    operation(rest().substr(0, two ? 2 : 1), two ? 2 : 1);
  }

  void operation(std::string_view plain, std::size_t length) {
    if (plain == " ") return put(plain, length);
    const bool sign = last_ == Last::Nothing;
    if (!sign) before_ = plain[0];
    put(plain, length);
    last_ = Last::Nothing;
  }

  // 2x is a product. False: it might mean two things.
  bool multiplied() {
    if (last_ != Last::Number && last_ != Last::Closed) return true;
    if (before_ == '/' || before_ == '^') {
      fault("write the * of this product, and parentheses about what is divided by or is the power");
      return false;
    }
    put("*", 0);
    before_ = '*';
    return true;
  }

  void operand(std::string_view plain, std::size_t length) {
    if (!multiplied()) return;
    put(plain, length);
    last_ = Last::Name;
  }

  void fraction(std::string_view plain, std::size_t length) {
    if (last_ == Last::Number) return fault("write this number with a decimal point");
    if (!multiplied()) return;
    put(plain, length);
    last_ = Last::Closed;
  }

  // 0x10 and 1_000, which other languages take.
  bool isOfAnotherLanguage(std::size_t end) {
    const std::string_view after = typed_.substr(end);
    const auto digits = [&](auto&& is) {
      std::size_t count = 1;
      while (count < after.size() && is(after[count])) ++count;
      return count;
    };
    const bool zero = typed_.substr(at_, end - at_) == "0";
    if (zero && after.size() > 1 && (after[0] == 'x' || after[0] == 'X')) {
      const std::string hex(after.substr(
          1, digits([](char c) { return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }) - 1));
      const std::string_view behind = after.substr(1 + hex.size());
      if (hex.empty() || hex.size() > 12 || (!behind.empty() && isLetter(behind[0]))) return false;
      fault(fmt::format("write {} for 0x{}", std::strtoll(hex.c_str(), nullptr, 16), hex));
      return true;
    }
    if (after.size() > 1 && after[0] == '_' && isDigit(after[1])) {
      const std::string more(after.substr(0, digits([](char c) { return isDigit(c) || c == '_'; })));
      std::string plain(typed_.substr(at_, end - at_));
      for (const char c : more) {
        if (c != '_') plain += c;
      }
      fault(fmt::format("write {} without '_'", foreign::shown(plain)));
      return true;
    }
    return false;
  }

  void number() {
    std::size_t end = at_;
    const auto digits = [&] {
      while (end < typed_.size() && isDigit(typed_[end])) ++end;
    };
    digits();
    if (end < typed_.size() && typed_[end] == '.') {
      ++end;
      digits();
    }
    if (end < typed_.size() && (typed_[end] == 'e' || typed_[end] == 'E')) {
      const std::size_t mantissa = end++;
      if (end < typed_.size() && (typed_[end] == '+' || typed_[end] == '-')) ++end;
      const std::size_t exponent = end;
      digits();
      if (end == exponent) end = mantissa;
    }
    const std::string_view text = typed_.substr(at_, end - at_);
    if (end + 1 < typed_.size() && typed_[end] == ',' && isDigit(typed_[end + 1]) && !depthIsOfCall()) {
      std::size_t last = end + 1;
      while (last < typed_.size() && isDigit(typed_[last])) ++last;
      const std::string fraction(typed_.substr(end + 1, last - end - 1));
      at_ = end;
      return fault(fmt::format("decimals are written with a point: {}.{}", text, fraction));
    }
    if (isOfAnotherLanguage(end)) return;
    if (std::isinf(std::strtod(std::string(text).c_str(), nullptr))) {
      return fault(fmt::format("{} is too large; numbers reach up to 1.7e308", foreign::shown(std::string(text))));
    }
    put(text, text.size());
    last_ = Last::Number;
  }

  void name() {
    std::size_t end = at_;
    while (end < typed_.size() && (isLetter(typed_[end]) || isDigit(typed_[end]))) ++end;
    const std::string_view word = typed_.substr(at_, end - at_);
    std::size_t next = end;
    while (next < typed_.size() && typed_[next] == ' ') ++next;
    const bool called = next < typed_.size() && typed_[next] == '(';
    const std::string low = lowered(word);
    if (low == "and" || low == "or") return operation(low == "and" ? "&&" : "||", word.size());
    if (low == "true" || low == "false") return operand(low == "true" ? "1" : "0", word.size());
    if (low == "not") return fault("write (…) == 0 for 'not'");
    if (called && (word == "if" || word == "where")) {
      if (!multiplied()) return;
      put("((", next + 1 - at_);
      open_.push_back({.choice = true, .call = true, .before = before_});
      return begin();
    }
    if (end + 1 < typed_.size() && typed_[end] == '.' && isLetter(typed_[end + 1])) return ofLibrary(end + 1);
    const bool function = isFunctionName(word);
    if (function && raisedAt(word, next)) return;
    if (!multiplied()) return;
    put(word, word.size());
    last_ = Last::Name;
    if (!called) return;
    if (!function) {  // x(x+1)
      last_ = Last::Closed;
      at_ = next;
      return opens();
    }
    put("(", next + 1 - at_);
    open_.push_back({.call = true, .before = before_});
    begin();
  }

  // np.sin: what to write instead.
  void ofLibrary(std::size_t from) {
    std::size_t end = from;
    while (end < typed_.size() && (isLetter(typed_[end]) || isDigit(typed_[end]) || typed_[end] == '.')) ++end;
    const std::string_view whole = typed_.substr(at_, end - at_);
    const std::string_view word = whole.substr(whole.rfind('.') + 1);
    const auto known =
        std::find_if(kLibraryNames.begin(), kLibraryNames.end(), [&](const auto& each) { return each.first == word; });
    fault(fmt::format("write {} for {}",
                      foreign::shown(std::string(known == kLibraryNames.end() ? word : known->second)),
                      foreign::shown(std::string(whole))));
  }

  // sin²(x) and sin^2(x): the power of what, or the inverse function?
  bool raisedAt(std::string_view word, std::size_t place) {
    const std::string_view after = typed_.substr(place);
    std::string power;
    if (after.starts_with("^") || after.starts_with("**")) {
      std::size_t end = place + (after[0] == '^' ? 1 : 2);
      if (end < typed_.size() && typed_[end] == '-') power += typed_[end++];
      while (end < typed_.size() && isDigit(typed_[end])) power += typed_[end++];
      if (power.empty()) power = "2";
    } else {
      for (std::size_t end = place;;) {
        const auto sign = std::find_if(kRaised.begin(), kRaised.end(),
                                       [&](const auto& each) { return typed_.substr(end).starts_with(each.first); });
        if (sign == kRaised.end()) break;
        power += sign->second;
        end += sign->first.size();
      }
    }
    if (power.empty()) return false;
    const std::string inverse = fmt::format("a{}", word);
    const bool ambiguous = power == "-1" && isFunctionName(inverse);
    fault(fmt::format("write {}(…)^{}", word, power.size() < 8 ? power : "2") +
          (ambiguous ? fmt::format(", or {}(…)", inverse) : ""));
    return true;
  }

  void begin() {
    before_ = '\0';
    last_ = Last::Nothing;
  }

  void opens() {
    if (!multiplied()) return;
    put("(", 1);
    open_.push_back({.before = before_});
    begin();
  }

  void closes() {
    if (open_.empty()) return put(")", 1);  // a fault for the reader
    const Open left = open_.back();
    if (left.choice && left.commas != 2) {
      return fault("expected three arguments: if(condition, value where it holds, other value)");
    }
    open_.pop_back();
    put(left.choice ? "))" : ")", 1);
    before_ = left.before;
    last_ = Last::Closed;
  }

  // Arguments, by commas or semicolons: then 0,5 might be a decimal.
  void divides(char sign) {
    if (!open_.empty() && open_.back().call) {
      char& divider = open_.back().divider;
      if (divider != '\0' && divider != sign) {
        return fault("arguments are divided by commas, and decimals are written with a point");
      }
      divider = sign;
    }
    if (open_.empty() || !open_.back().choice) {
      put(",", 1);
      return begin();
    }
    if (++open_.back().commas > 2) {
      return fault("expected three arguments: if(condition, value where it holds, other value)");
    }
    put(open_.back().commas == 1 ? ")?(" : "):(", 1);
    begin();
  }

  void raised() {
    if (last_ == Last::Nothing) return fault("expected a number, a name, or ')' before the raised digit");
    put("^", 0);
    std::size_t digits = 0;
    for (bool more = true; more;) {
      more = false;
      for (const auto& [sign, plain] : kRaised) {
        if (!rest().starts_with(sign) || (plain == '-' && digits > 0)) continue;
        put(std::string_view(&plain, 1), sign.size());
        ++digits;
        more = true;
        break;
      }
    }
    last_ = Last::Closed;
  }

  void factorial() {
    std::size_t begin = at_;
    while (begin > 0 && isDigit(typed_[begin - 1])) --begin;
    const std::string digits(typed_.substr(begin, at_ - begin));
    const long n =
        digits.empty() || digits.size() > 2 || last_ != Last::Number ? -1 : std::strtol(digits.c_str(), nullptr, 10);
    if (n < 0 || n > 18) return fault("factorials are not known; write the number");
    fault(fmt::format("factorials are not known; write {:.0f} for {}!", std::tgamma(static_cast<double>(n) + 1), n));
  }

  std::string_view typed_;
  std::size_t at_ = 0;
  Last last_ = Last::Nothing;
  char before_ = '\0';  // the operator before the operand that was read last
  std::vector<Open> open_;
  Spelled out_;
};

}  // namespace

Spelled spelled(std::string_view typed) {
  return Speller(typed).read();
}

}  // namespace simscope::formula
