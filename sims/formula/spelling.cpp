#include "sims/formula/spelling.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>

#include "sims/foreign/words.h"
#include "sims/formula/characters.h"

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
    char before = '\0';  // the operator before the parenthesis
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
    if (c == ',') return comma();
    if (c == '|' && (last_ == Last::Nothing || !rest().starts_with("||"))) return fault("write abs(x) for |x|");
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
    if (word == "and" || word == "or") return operation(word == "and" ? "&&" : "||", word.size());
    if (word == "not") return fault("write (…) == 0 for 'not'");
    if (called && (word == "if" || word == "where")) {
      if (!multiplied()) return;
      put("((", next + 1 - at_);
      open_.push_back({.choice = true, .call = true, .before = before_});
      return begin();
    }
    if (!multiplied()) return;
    put(word, word.size());
    last_ = Last::Name;
    if (!called) return;
    put("(", next + 1 - at_);
    open_.push_back({.call = true, .before = before_});
    begin();
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

  void comma() {
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
