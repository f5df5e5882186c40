#include "sims/formula/reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>
#include <utility>

#include "sims/compute/error.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/characters.h"
#include "sims/formula/formula.h"
#include "sims/formula/functions.h"

namespace simscope::formula {
namespace {

constexpr std::pair<std::string_view, std::string_view> kSigns[] = {
    {"**", "^"}, {"−", "-"},  {"–", "-"},  {"·", "*"},      {"⋅", "*"},      {"∙", "*"},
    {"×", "*"},  {"∗", "*"},  {"÷", "/"},  {"∕", "/"},      {"≤", "<="},     {"≥", ">="},
    {"≠", "!="}, {"∧", "&&"}, {"∨", "||"}, {"\u00a0", " "}, {"\u2009", " "}, {"\u202f", " "}};
constexpr std::pair<std::string_view, std::string_view> kNames[] = {{"π", "pi"}, {"ħ", "hbar"}};
constexpr std::pair<std::string_view, char> kRaised[] = {{"⁰", '0'}, {"¹", '1'}, {"²", '2'}, {"³", '3'},
                                                         {"⁴", '4'}, {"⁵", '5'}, {"⁶", '6'}, {"⁷", '7'},
                                                         {"⁸", '8'}, {"⁹", '9'}, {"⁻", '-'}};
constexpr std::pair<std::string_view, std::string_view> kFractions[] = {
    {"½", "(1/2)"}, {"⅓", "(1/3)"}, {"⅔", "(2/3)"}, {"¼", "(1/4)"}, {"¾", "(3/4)"}, {"⅛", "(1/8)"}, {"⅜", "(3/8)"}};
// Of Python's libraries, whose names or roundings are others.
constexpr std::pair<std::string_view, std::string_view> kLibraryNames[] = {
    {"arcsin", "asin"},   {"arccos", "acos"},   {"arctan", "atan"}, {"arcsinh", "asinh"},
    {"arccosh", "acosh"}, {"arctanh", "atanh"}, {"round", "rint"},  {"absolute", "abs"},
    {"fabs", "abs"},      {"maximum", "max"},   {"minimum", "min"}};

constexpr int kSignBinds = 6, kLoosest = 1;  // as in operators
constexpr const char* kChoiceWanted = "misplaced '?' or ':'; expected them as in x > 0 ? 1 : 0";
constexpr const char* kThreeWanted = "expected three arguments: if(condition, value where it holds, other value)";

std::string_view trimmedOf(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  return begin == std::string_view::npos ? std::string_view{}
                                         : text.substr(begin, text.find_last_not_of(" \t") + 1 - begin);
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

class FormulaReader {
 public:
  FormulaReader(std::string_view typed, const Rules& rules) : typed_(typed), rules_(rules) { open_.emplace_back(); }

  Reading read() {
    while (at_ < typed_.size() && sound()) token();
    if (sound()) end();
    if (!chain_.empty()) fault(chain_, chain_at_);
    if (!sound()) tree_.clear();
    return {std::move(tree_), fault_at_, std::move(fault_)};
  }

 private:
  enum class Last { Nothing, Number, Name, Closed };  // before this place; Nothing: an operand is expected here
  struct Comparison {
    std::size_t plain;  // byte of the plain text
    std::string_view sign;
    std::size_t at;
  };
  // The whole formula, or what stands between parentheses.
  struct Open {
    bool choice = false;                 // of if(c, a, b)
    bool call = false;                   // its commas divide arguments
    const Function* function = nullptr;  // that is called
    int commas = 0;
    char divider = '\0';                    // of its arguments: a comma or a semicolon
    char before = '\0';                     // the operator before the parenthesis
    std::size_t at = 0;                     // byte of the function's name, or of the parenthesis
    std::size_t pending = 0;                // the operators before it
    std::size_t part = 0;                   // byte of the plain text at which what && || ? : , divide begins
    std::vector<Comparison> compared = {};  // in this part
  };
  // An operator or a sign that waits for its last operand. Branch, Otherwise: a '?' without, and with, its ':'.
  struct Pending {
    Op op;
    int binds;
    std::size_t operands;
    std::size_t at;
  };

  bool sound() const { return fault_.empty(); }
  std::string_view rest() const { return typed_.substr(at_); }
  // `text`: what was typed, in ASCII, for messages.
  void put(std::string_view text, std::size_t length) {
    plain_ += text;
    at_ += length;
  }
  void fault(std::string what) { fault(std::move(what), at_); }
  void fault(std::string what, std::size_t at) {
    if (!sound()) return;
    fault_at_ = at;
    fault_ = std::move(what);
  }
  bool depthIsOfCall() const { return open_.back().call; }
  void nest(int by) {
    nested_ += by;
    if (nested_ > rules_.nested) {
      fault(fmt::format("nested more than {} deep; expected fewer parentheses", rules_.nested));
    }
  }

  // "a number, x, y, a function, or '('"
  std::string operandWords() const {
    return fmt::format("a number, {}a function, or '('",
                       rules_.names.empty() ? "" : fmt::format("{}, ", fmt::join(rules_.names, ", ")));
  }
  std::string unknown(std::string_view word) const {
    std::vector<std::string> known = rules_.names;
    known.insert(known.end(), {"pi", "e", "hbar", "m"});
    known.insert(known.end(), functionNames().begin(), functionNames().end());
    const std::string near = word.size() > 1 ? didYouMean(word, known) : "";
    if (!rules_.unknown.empty()) {
      return fmt::format("'{}' is not known{}", foreign::shown(word), near.empty() ? "; " + rules_.unknown : near);
    }
    return fmt::format("'{}' is not known{} a number, an operator, or one of {}", foreign::shown(word),
                       near.empty() ? "; expected" : near + " Expected:", fmt::join(known, ", "));
  }
  static std::string misplaced(std::string_view word) {
    return fmt::format("unexpected '{}'; expected an operator (+ - * / ^) before it", foreign::shown(word));
  }

  // The tree.

  void leaf(Node node) {
    operands_.push_back(tree_.size());
    tree_.push_back(std::move(node));
    last_ = Last::Closed;
  }
  void node(Op op, std::size_t operands, std::size_t at) {
    const auto first = operands_.end() - static_cast<std::ptrdiff_t>(operands);
    tree_.push_back({.op = op, .parts = {first, operands_.end()}, .at = at});
    operands_.erase(first, operands_.end());
    operands_.push_back(tree_.size() - 1);
  }
  bool waits() const { return pending_.size() > open_.back().pending; }
  void apply() {
    const Pending last = pending_.back();
    pending_.pop_back();
    if (last.operands != 2) nest(-1);
    node(last.op == Op::Otherwise ? Op::Select : last.op, last.operands, last.at);
  }
  void settle(int binds) {
    while (waits() && pending_.back().binds >= binds) apply();
  }
  // All that waits since the last parenthesis; a '?' must have its ':'.
  void settleAll() {
    while (waits() && sound()) {
      if (pending_.back().op == Op::Branch) return fault("expected ':' and the other value, as in x > 0 ? 1 : 0");
      apply();
    }
  }

  // Comparisons.

  // Ends what binds less than a comparison: between two of these, or between parentheses.
  void endPart(std::string_view text, std::size_t length) {
    Open& open = open_.back();
    if (open.compared.size() > 1 && chain_.empty()) {
      std::string pairs;
      std::size_t left = open.part;
      for (std::size_t i = 0; i < open.compared.size(); ++i) {
        const auto [at, sign, typed] = open.compared[i];
        const std::size_t right = at + sign.size();
        const std::size_t stop = i + 1 < open.compared.size() ? open.compared[i + 1].plain : plain_.size();
        const std::string_view plain = plain_;
        pairs += fmt::format("{}{} {} {}", i == 0 ? "" : " && ", trimmedOf(plain.substr(left, at - left)), sign,
                             trimmedOf(plain.substr(right, stop - right)));
        left = right;
      }
      chain_at_ = open.compared[1].at;
      chain_ = "comparisons do not chain; write " + foreign::shown(pairs, 200);
    }
    put(text, length);
    open.part = plain_.size();
    open.compared.clear();
  }

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
    if (c == ';') return fault(fmt::format("unexpected ';'; expected the value of {} alone", rules_.value));
    if (c == '?') return asks();
    if (c == ':') return answers();
    if (c == '"') return fault("unexpected text in quotes; expected a number");
    if (c == '|' && last_ == Last::Nothing) return fault("write abs(x) for |x|");
    if (c == '|' && !rest().starts_with("||")) return fault("write || for 'or', and abs(x) for |x|");
    if (c == '&' && !rest().starts_with("&&")) return fault("write && for 'and'");
    if (c == '%') return fault("write mod(x, y) for the remainder of a division");
    if (c == '!' && !rest().starts_with("!=")) return last_ == Last::Nothing ? sign(Op::Not, "!", 1) : factorial();
    if (const Operator* found = operatorAt(rest())) return operation(found->sign, found->sign.size());
    if (c == '=') {
      return fault(fmt::format("unexpected '='; expected the value of {} alone (to compare, write ==)", rules_.value));
    }
    fault(unknown(std::string_view(&c, 1)));
  }

  void end() {
    if (plain_.find_first_not_of(' ') == std::string::npos) {
      return fault(fmt::format("the formula is empty; expected {}({}), for example {}^2", rules_.value,
                               fmt::join(rules_.names, ", "), fmt::join(rules_.names, "^2 + ")));
    }
    if (last_ == Last::Nothing) return fault("the formula ends too early; expected " + operandWords());
    if (open_.size() > 1) return fault("expected ')'");
    settleAll();
    endPart("", 0);
  }

  // `plain`: the operator in ASCII, or a blank.
  void operation(std::string_view plain, std::size_t length) {
    if (plain == " ") return put(plain, length);
    const Operator& found = *operatorAt(plain);
    if (last_ == Last::Nothing) {
      if (plain == "-" || plain == "+") return sign(found.op == Op::Add ? Op::Add : Op::Negate, plain, length);
      return fault(fmt::format("unexpected '{}'; expected {}", plain, operandWords()));
    }
    binary(found);
    if (found.op == Op::And || found.op == Op::Or) return endPart(plain, length);
    if (found.op >= Op::Less && found.op <= Op::Unequal) {
      open_.back().compared.push_back({plain_.size(), found.sign, at_});
    }
    put(plain, length);
  }
  void binary(const Operator& found) {
    settle(found.op == Op::Power ? found.binds + 1 : found.binds);  // powers bind from the right
    pending_.push_back({found.op, found.binds, 2, at_});
    before_ = found.sign[0];
    last_ = Last::Nothing;
  }
  // A plus sign changes nothing.
  void sign(Op op, std::string_view plain, std::size_t length) {
    if (op != Op::Add) {
      pending_.push_back({op, kSignBinds, 1, at_});
      nest(1);
    }
    put(plain, length);
  }

  void asks() {
    if (last_ == Last::Nothing) return fault(kChoiceWanted);
    settle(kLoosest);
    pending_.push_back({Op::Branch, 0, 3, at_});
    nest(1);
    endPart("?", 1);
    begin();
  }
  void answers() {
    if (last_ == Last::Nothing) return fault(kChoiceWanted);
    settle(kLoosest);
    while (waits() && pending_.back().op == Op::Otherwise) apply();
    if (!waits()) return fault(kChoiceWanted);
    pending_.back().op = Op::Otherwise;
    endPart(":", 1);
    begin();
  }

  // 2x is a product. False: it might mean two things.
  bool multiplied() {
    if (last_ != Last::Number && last_ != Last::Closed) return true;
    if (before_ == '/' || before_ == '^') {
      fault("write the * of this product, and parentheses about what is divided by or is the power");
      return false;
    }
    binary(*operatorAt("*"));
    put("*", 0);
    return true;
  }

  // Whether an operand can begin here.
  bool fits(std::string_view word) {
    if (!multiplied()) return false;
    if (last_ != Last::Nothing) fault(misplaced(word));
    return sound();
  }

  // A constant or a variable.
  void operand(std::string_view word, std::size_t length) {
    if (!fits(word)) return;
    const auto variable = std::find(rules_.names.begin(), rules_.names.end(), word);
    const bool is_variable = variable != rules_.names.end();
    const NamedConstant* constant = findConstant(word);
    if (!is_variable && !constant) return fault(unknown(word));
    if (is_variable) {
      leaf({.op = Op::Variable, .variable = static_cast<std::size_t>(variable - rules_.names.begin()), .at = at_});
    } else {
      leaf({.value = constant->value, .at = at_});
    }
    put(word, length);
    last_ = Last::Name;
  }

  void fraction(std::string_view plain, std::size_t length) {
    if (last_ == Last::Number) return fault("write this number with a decimal point");
    if (!fits(rest().substr(0, length))) return;
    leaf({.value = static_cast<double>(plain[1] - '0') / (plain[3] - '0'), .at = at_});  // "(1/2)"
    put(plain, length);
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
    const std::size_t end = at_ + lengthOfNumber(rest());
    const std::string_view text = typed_.substr(at_, end - at_);
    if (end + 1 < typed_.size() && typed_[end] == ',' && isDigit(typed_[end + 1]) && !depthIsOfCall()) {
      std::size_t last = end + 1;
      while (last < typed_.size() && isDigit(typed_[last])) ++last;
      return fault(
          fmt::format("decimals are written with a point: {}.{}", text, typed_.substr(end + 1, last - end - 1)), end);
    }
    if (isOfAnotherLanguage(end)) return;
    if (last_ != Last::Nothing) return fault(misplaced(text));
    constant(text, text.size());
    last_ = Last::Number;
  }

  void constant(std::string_view text, std::size_t length) {
    const double value = std::strtod(std::string(text).c_str(), nullptr);
    if (std::isinf(value)) {
      return fault(fmt::format("{} is too large; numbers reach up to 1.7e308", foreign::shown(text)));
    }
    leaf({.value = value, .at = at_});
    put(text, length);
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
    if (low == "true" || low == "false") {
      if (!fits(word)) return;
      constant(low == "true" ? "1" : "0", word.size());
      last_ = Last::Name;
      return;
    }
    if (low == "not") return fault("write (…) == 0 for 'not'");
    if (called && (word == "if" || word == "where")) {
      if (!fits(word)) return;
      return enters({.choice = true, .call = true}, "((", next + 1 - at_);
    }
    if (end + 1 < typed_.size() && typed_[end] == '.' && isLetter(typed_[end + 1])) return ofLibrary(end + 1);
    const bool is_variable = std::find(rules_.names.begin(), rules_.names.end(), word) != rules_.names.end();
    const Function* function = is_variable ? nullptr : findFunction(word);
    if (function && raisedAt(word, next)) return;
    if (function) {
      if (!called) return fault(fmt::format("the function {0} needs its argument in parentheses: {0}(x)", word));
      if (!fits(word)) return;
      return enters({.call = true, .function = function}, fmt::format("{}(", word), next + 1 - at_);
    }
    operand(word, word.size());
    if (called && sound()) last_ = Last::Closed;  // x(x+1)
  }

  // np.sin: what to write instead.
  void ofLibrary(std::size_t from) {
    std::size_t end = from;
    while (end < typed_.size() && (isLetter(typed_[end]) || isDigit(typed_[end]) || typed_[end] == '.')) ++end;
    const std::string_view whole = typed_.substr(at_, end - at_);
    const std::string_view word = whole.substr(whole.rfind('.') + 1);
    const auto known = std::find_if(std::begin(kLibraryNames), std::end(kLibraryNames),
                                    [&](const auto& each) { return each.first == word; });
    fault(fmt::format("write {} for {}",
                      foreign::shown(std::string(known == std::end(kLibraryNames) ? word : known->second)),
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
        const auto sign = std::find_if(std::begin(kRaised), std::end(kRaised),
                                       [&](const auto& each) { return typed_.substr(end).starts_with(each.first); });
        if (sign == std::end(kRaised)) break;
        power += sign->second;
        end += sign->first.size();
      }
    }
    if (power.empty()) return false;
    const std::string inverse = fmt::format("a{}", word);
    const bool ambiguous = power == "-1" && findFunction(inverse);
    fault(fmt::format("write {}(…)^{}", word, power.size() < 8 ? power : "2") +
          (ambiguous ? fmt::format(", or {}(…)", inverse) : ""));
    return true;
  }

  void begin() {
    before_ = '\0';
    last_ = Last::Nothing;
  }

  void enters(Open open, std::string_view plain, std::size_t length) {
    nest(1);
    open.before = before_;
    open.at = at_;
    open.pending = pending_.size();
    put(plain, length);
    open.part = plain_.size();
    open_.push_back(std::move(open));
    begin();
  }

  void opens() {
    if (!multiplied()) return;
    if (last_ != Last::Nothing) return fault("unexpected '('; expected an operator before it");
    enters({}, "(", 1);
  }

  void closes() {
    const Open& open = open_.back();
    if (open.choice && open.commas != 2) return fault(kThreeWanted);
    const bool few = open.function && (last_ == Last::Nothing ? 0 : open.commas + 1) < open.function->least;
    if (few && (last_ != Last::Nothing || open.commas == 0)) {
      return fault(fmt::format("too few arguments for {}; expected more", open.function->name));
    }
    if (open_.size() == 1 || last_ == Last::Nothing) {
      return fault("unexpected ')'; expected a value before it, and a '(' to close");
    }
    settleAll();
    endPart(open.choice ? "))" : ")", 1);
    if (open.call)
      node(open.choice ? Op::Select : open.function->op, static_cast<std::size_t>(open.commas) + 1, open.at);
    before_ = open.before;
    open_.pop_back();
    nest(-1);
    last_ = Last::Closed;
  }

  // Arguments, by commas or semicolons: then 0,5 might be a decimal.
  void divides(char sign) {
    Open& open = open_.back();
    if (open_.size() == 1) return fault("unexpected ','; expected one value");
    if (!open.call || last_ == Last::Nothing) {
      return fault("unexpected ','; expected one value, with commas between the arguments of a function only");
    }
    if (open.divider != '\0' && open.divider != sign) {
      return fault("arguments are divided by commas, and decimals are written with a point");
    }
    open.divider = sign;
    ++open.commas;
    if (open.choice && open.commas > 2) return fault(kThreeWanted);
    settleAll();
    endPart(!open.choice ? "," : open.commas == 1 ? ")?(" : "):(", 1);
    begin();
    if (open.function && open.commas == open.function->most) {
      const std::size_t next = typed_.find_first_not_of(' ', at_);
      fault(fmt::format("too many arguments for {}; expected fewer", open.function->name),
            std::min(next, typed_.size()));
    }
  }

  void raised() {
    if (last_ == Last::Nothing) return fault("expected a number, a name, or ')' before the raised digit");
    const char before = before_;
    binary(*operatorAt("^"));
    before_ = before;  // 2x²y and 1/2x² are as clear, or not, as without it
    put("^", 0);
    if (rest().starts_with("⁻")) sign(Op::Negate, "-", std::string_view("⁻").size());
    std::string digits;
    std::size_t length = 0;
    for (bool more = true; more;) {
      more = false;
      for (const auto& [sign, plain] : kRaised) {
        if (plain == '-' || !rest().substr(length).starts_with(sign)) continue;
        digits += plain;
        length += sign.size();
        more = true;
        break;
      }
    }
    if (!digits.empty()) constant(digits, length);
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
  const Rules& rules_;
  std::size_t at_ = 0;
  Last last_ = Last::Nothing;
  char before_ = '\0';  // the operator before the operand that was read last
  int nested_ = 0;
  std::vector<Open> open_;  // the innermost last
  std::vector<Pending> pending_;
  std::vector<std::size_t> operands_;  // nodes that no operator has yet
  std::string plain_;                  // what was read, in ASCII
  Tree tree_;
  std::size_t fault_at_ = 0, chain_at_ = 0;
  std::string fault_, chain_;
};

}  // namespace

std::size_t columnOf(std::string_view text, std::size_t byte) {
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return 1 + static_cast<std::size_t>(
                 std::count_if(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(byte), starts));
}

Reading read(std::string_view typed, const Rules& rules) {
  return FormulaReader(typed, rules).read();
}

Tree readSound(std::string_view typed, const Rules& rules) {
  Reading reading = read(typed, rules);
  if (!reading.fault.empty()) refuse(typed, reading.fault_at, reading.fault);
  return std::move(reading.tree);
}

void refuse(std::string_view typed, std::size_t byte, const std::string& what) {
  throw UsageError(fmt::format("formula = {}: column {}: {}", shown(std::string(typed)),
                               columnOf(typed, std::min(byte, typed.size())), what));
}

}  // namespace simscope::formula
