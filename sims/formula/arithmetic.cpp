#include "sims/formula/arithmetic.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <system_error>
#include <utility>

#include "sims/core/parameters.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/characters.h"
#include "sims/formula/evaluation.h"
#include "sims/formula/formula.h"
#include "sims/formula/functions.h"
#include "sims/formula/reader.h"

namespace simscope::formula {
namespace {

constexpr std::size_t kLongestQuantity = 200;  // bytes

class TermReader {
 public:
  explicit TermReader(std::string_view text) : text_(text) {}

  std::vector<Term> read() {
    for (blanks(); at_ < text_.size(); blanks()) token();
    if (wants_operand_) {
      refuseHere(terms_.empty() && term_.arithmetic.empty() ? "the text is empty; expected a number"
                                                            : "it ends too early; expected a number");
    }
    if (depth_ > 0) refuseHere("expected ')'");
    finish();
    return std::move(terms_);
  }

 private:
  [[noreturn]] void refuseHere(const std::string& what) const {
    throw UsageError(fmt::format("column {}: {}", columnOf(text_, at_), what));
  }

  std::string_view rest() const { return text_.substr(at_); }
  void blanks() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }

  // The operator here in plain ASCII, and its length; 0 where there is none.
  std::pair<char, std::size_t> operatorHere() const {
    static constexpr std::pair<std::string_view, char> kSigns[] = {{"+", '+'}, {"-", '-'}, {"−", '-'}, {"**", '^'},
                                                                   {"*", '*'}, {"·", '*'}, {"×", '*'}, {"/", '/'},
                                                                   {"÷", '/'}, {"^", '^'}};
    for (const auto& [sign, plain] : kSigns) {
      if (rest().starts_with(sign)) return {plain, sign.size()};
    }
    return {'\0', 0};
  }

  void token() {
    const char c = text_[at_];
    const auto [sign, length] = operatorHere();
    if (fraction()) return;
    if (isDigit(c) || c == '.') {
      number();
    } else if (length > 0) {
      operation(sign, length);
    } else if (c == '(') {
      if (!wants_operand_) refuseHere("unexpected '('; expected an operator before it");
      ++depth_;
      put("(");
    } else if (c == ')') {
      if (depth_ == 0) refuseHere("unexpected ')'");
      if (wants_operand_) refuseHere("expected a number before ')'");
      --depth_;
      put(")");
    } else if (c == ',') {
      if (depth_ == 0) refuseHere("unexpected ','; write decimals with a point");
      if (wants_operand_) refuseHere("expected a number before ','");
      put(",");
      wants_operand_ = true;
    } else if (isLetter(c) || c == '%' || static_cast<unsigned char>(c) >= 0x80) {
      word();
    } else {
      refuseHere(fmt::format("unexpected {}; expected a number, an operator, or a unit",
                             foreign::quoted(std::string_view(&c, 1))));
    }
  }

  void put(std::string_view plain, std::size_t length = 1) {
    term_.arithmetic += plain;
    at_ += length;
    ++tokens_;
    last_operator_ = '\0';
    negative_ = false;
  }

  void number() {
    if (!wants_operand_) {
      // 5 1/s
      if (depth_ == 0 && rest().starts_with("1/")) return unit("");
      refuseHere("unexpected number; expected an operator before it");
    }
    refuseHexadecimal();
    const std::size_t length = lengthOfNumber(rest(), true);
    if (length == 0) refuseHere("a decimal point without digits");
    const bool alone = term_.arithmetic.empty() || term_.arithmetic == "-";
    std::string digits(rest().substr(0, length));
    std::erase(digits, '_');
    put(digits, length);
    term_.literal = alone;
    wants_operand_ = false;
  }

  void refuseHexadecimal() const {
    if (!rest().starts_with("0x") && !rest().starts_with("0X")) return;
    std::uint64_t value = 0;
    const std::string_view digits = rest().substr(2);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (end == digits.data()) return;
    refuseHere("hexadecimal numbers are not taken; write " +
               (error == std::errc() ? std::to_string(value) : std::string("a decimal number")));
  }

  // ½ is a number, but not behind another one.
  bool fraction() {
    static constexpr std::pair<std::string_view, std::string_view> kFractions[] = {
        {"½", "0.5"}, {"¼", "0.25"}, {"¾", "0.75"}};
    for (const auto& [sign, decimal] : kFractions) {
      if (!rest().starts_with(sign)) continue;
      if (!wants_operand_) {
        refuseHere(fmt::format("unexpected '{}' after a number; write the sum as a decimal number, as in 1{}", sign,
                               decimal.substr(1)));
      }
      put(decimal, sign.size());
      wants_operand_ = false;
      return true;
    }
    return false;
  }

  void operation(char sign, std::size_t length) {
    const bool additive = sign == '+' || sign == '-';
    if (wants_operand_) {
      if (!additive) refuseHere(fmt::format("unexpected '{}'; expected a number before it", sign));
      // A sign. Two minus signs cancel.
      if (sign == '-' && negative_) {
        term_.arithmetic.pop_back();
      } else if (sign == '-') {
        term_.arithmetic += '-';
      }
      if (sign == '-') negative_ = !negative_;
      at_ += length;
      return;
    }
    if (additive && depth_ == 0) {
      finish();
      if (sign == '-') term_.arithmetic.assign(1, '-');
      negative_ = sign == '-';
      at_ += length;
    } else {
      put(std::string_view(&sign, 1), length);
      term_.literal = false;
      last_operator_ = sign;
    }
    wants_operand_ = true;
  }

  void word() {
    std::size_t end = at_;
    if (rest().starts_with("π")) {
      end += std::string_view("π").size();
    } else {
      while (end < text_.size() && (isLetter(text_[end]) || (end > at_ && isDigit(text_[end])))) ++end;
    }
    const std::string_view name = text_.substr(at_, end - at_);
    std::size_t next = end;
    while (next < text_.size() && text_[next] == ' ') ++next;
    const bool call = next < text_.size() && text_[next] == '(';
    const bool pi = name == "pi" || name == "π";
    if (pi || (findFunction(name) && call) || (name == "e" && wants_operand_)) {
      if (!wants_operand_) put("*", 0);  // 2 pi
      put(pi ? "pi" : name, end - at_);
      term_.literal = false;
      wants_operand_ = findFunction(name) != nullptr;
      return;
    }
    if (!wants_operand_) {
      if (depth_ > 0) refuseHere("unexpected unit within parentheses; expected it at the end");
      return unit("");
    }
    // 5/s, and 5*mm
    if (depth_ == 0 && !findFunction(name) && (last_operator_ == '/' || last_operator_ == '*')) {
      term_.arithmetic.pop_back();
      return unit(last_operator_ == '/' ? "1/" : "");
    }
    if (findFunction(name)) refuseHere(fmt::format("{} needs its argument in parentheses: {}(2)", name, name));
    std::vector<std::string> known = functionNames();
    known.emplace_back("pi");
    const std::string expected = "; expected a number";
    // Of two letters half are one away from a name.
    refuseHere(fmt::format("{} is not known{}", foreign::quoted(name.empty() ? rest() : name),
                           name.size() > 2 ? didYouMean(name, known, expected) : expected));
  }

  // All that is left of the term.
  void unit(std::string_view before) {
    std::size_t end = at_;
    while (end < text_.size() && ((text_[end] != '+' && text_[end] != '-') || (end > at_ && text_[end - 1] == '^'))) {
      ++end;
    }
    std::string_view name = text_.substr(at_, end - at_);
    name = name.substr(0, name.find_last_not_of(" \t") + 1);
    term_.unit = std::string(before) + std::string(name);
    // A number is left of 5*mm.
    term_.literal = term_.literal || tokens_ <= 2;
    term_.literal = term_.literal && term_.arithmetic.find_first_not_of("0123456789.eE+-") == std::string::npos;
    wants_operand_ = false;
    at_ = end;
  }

  void finish() {
    terms_.push_back(std::move(term_));
    term_ = {};
    tokens_ = 0;
    last_operator_ = '\0';
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool wants_operand_ = true;
  char last_operator_ = '\0';  // where the token before is one
  bool negative_ = false;      // the token before is a minus sign, and no operator
  int tokens_ = 0;             // of this term, signs aside
  Term term_;
  std::vector<Term> terms_;
};

}  // namespace

std::vector<Term> termsOf(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  text = first == std::string_view::npos ? std::string_view{}
                                         : text.substr(first, text.find_last_not_of(" \t\r\n") + 1 - first);
  if (text.size() > kLongestQuantity) {
    throw UsageError(fmt::format("{} characters; at most {} are allowed", text.size(), kLongestQuantity));
  }
  std::vector<Term> terms = TermReader(text).read();
  const bool plain = std::all_of(terms.begin(), terms.end(), [](const Term& term) { return term.unit.empty(); });
  if (!plain || terms.size() == 1) return terms;
  Term sum;
  for (const Term& term : terms) {
    if (!sum.arithmetic.empty() && !term.arithmetic.starts_with('-')) sum.arithmetic += '+';
    sum.arithmetic += term.arithmetic;
  }
  return {sum};
}

double evaluate(const std::string& arithmetic) {
  const Reading reading = read(arithmetic, {});
  if (!reading.fault.empty()) throw UsageError(reading.fault);
  const Evaluation evaluation(reading.tree);
  std::vector<double> stack(evaluation.rows());
  return evaluation.at(nullptr, stack.data());
}

}  // namespace simscope::formula
