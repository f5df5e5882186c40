#include "app/lab/lessons/just_in_time/just_in_time_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "app/lab/lessons/just_in_time/just_in_time_program.h"
#include "sims/core/parameters.h"
#include "sims/foreign/words.h"

namespace simscope::lab::just_in_time {

Text::Text(std::string_view text) : text_(text) {
  if (text_.size() > kLongestText) {
    throw ParameterError("kernel",
                         fmt::format("kernel has {} characters; at most {} are allowed", text_.size(), kLongestText));
  }
  skip();
  if (done()) refuse("the kernel is empty; expected an expression, for example 2*a + b");
}

void Text::refuseAt(std::size_t at, const std::string& what) const {
  const std::string_view before = text_.substr(0, at);
  const std::size_t start = before.rfind('\n') + 1;  // npos + 1: the text's beginning
  throw ParameterError("kernel", fmt::format("kernel, line {}, column {}: {}", lineAt(at), at - start + 1, what));
}

int Text::lineAt(std::size_t at) const {
  return 1 + static_cast<int>(std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool Text::isOfPrograms(std::size_t at) const {
  return at < text_.size() && std::string_view("[&\"'\\.@$").find(text_[at]) != std::string_view::npos;
}

std::string Text::wordAt(std::size_t at) const {
  const std::string_view rest = text_.substr(at);
  std::size_t length = 1;
  while (length < rest.size() && isLetter(rest[0]) && (isLetter(rest[length]) || isDigit(rest[length]))) ++length;
  const std::string shown = "'" + foreign::shown(std::string(rest.substr(0, length))) + "'";
  if (rest[0] == '[') return shown + "; arrays have no indices here: a, b, and c are the element's own numbers";
  return isOfPrograms(at) ? shown + "; a kernel computes only with numbers" : shown;
}

void Text::skip() {
  while (!done()) {
    if (peek() == '#') {
      while (!done() && peek() != '\n') ++at_;
    } else if (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
      ++at_;
    } else {
      return;
    }
  }
}

bool Text::take(std::string_view word) {
  if (text_.substr(at_, word.size()) != word) return false;
  const char after = peek(word.size());
  if (isLetter(word[0]) && (isLetter(after) || isDigit(after))) return false;
  at_ += word.size();
  skip();
  return true;
}

bool Text::takeSingle(char c) {
  return peek() == c && peek(1) != '=' && take(std::string_view(&c, 1));
}

void Text::expect(std::string_view word) {
  if (!take(word)) refuse(fmt::format("expected '{}', not {}", word, here()));
}

std::string Text::name() {
  constexpr std::size_t kLongest = 32;
  const std::size_t from = at_;
  while (isLetter(peek()) || isDigit(peek())) ++at_;
  const std::string found(text_.substr(from, at_ - from));
  if (found.size() > kLongest) refuseAt(from, fmt::format("a name has {} characters at most", kLongest));
  skip();
  return found;
}

std::string Text::expression(bool in_parentheses) {
  std::string found;
  int depth = 0;
  for (bool remark = false; !done(); ++at_) {
    const char c = peek();
    remark = c == '\n' ? false : remark || c == '#';
    const bool blank = remark || c == '\n' || c == '\r' || c == '\t';
    if (!blank && (c == ';' || c == '{' || c == '}')) break;
    if (!blank && (c == '(' || c == ')')) depth += c == '(' ? 1 : -1;
    if (depth < 0 && in_parentheses) break;
    found += blank ? ' ' : c;
  }
  skip();
  return found;
}

bool Text::isPlain() const {
  Text rest = *this;
  const std::string all = rest.expression(false);
  return rest.done() && findAssignment(all) == std::string::npos;
}

std::size_t findAssignment(std::string_view text) {
  for (std::size_t k = text.find('='); k < text.size(); k = text.find('=', k + 1)) {
    if (text.substr(k, 2) == "==") {
      ++k;
    } else if (k == 0 || std::string_view("<>!").find(text[k - 1]) == std::string_view::npos) {
      return k;
    }
  }
  return std::string_view::npos;
}

}  // namespace simscope::lab::just_in_time
