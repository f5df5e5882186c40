#include "app/lab/lessons/just_in_time/just_in_time_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

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

std::string Text::here() const {
  if (done()) return "the end";
  const std::string_view rest = text_.substr(at_);
  std::size_t length = 1;
  while (length < rest.size() && isLetter(rest[0]) && (isLetter(rest[length]) || isDigit(rest[length]))) ++length;
  const std::string shown = "'" + foreign::shown(std::string(rest.substr(0, length))) + "'";
  if (rest[0] == '[') return shown + "; arrays have no indices here: a, b, and c are the element's own numbers";
  if (std::string_view("&\"'\\.@$").find(rest[0]) != std::string_view::npos) {
    return shown + "; a kernel computes only with numbers";
  }
  return shown;
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

double Text::number() {
  const std::size_t from = at_;
  while (isDigit(peek())) ++at_;
  if (peek() == '.') ++at_;
  while (isDigit(peek())) ++at_;
  const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
  if ((peek() == 'e' || peek() == 'E') && isDigit(peek(1 + sign))) {
    at_ += 1 + sign;
    while (isDigit(peek())) ++at_;
  }
  const double value = std::strtod(std::string(text_.substr(from, at_ - from)).c_str(), nullptr);
  if (!std::isfinite(value)) refuseAt(from, "this number is too large");
  if (isLetter(peek()) || peek() == '.') refuse(fmt::format("expected an operator, not {}", here()));
  skip();
  return value;
}

bool Text::isPlain() const {
  for (std::size_t k = at_; k < text_.size(); ++k) {
    const char c = text_[k];
    const char next = k + 1 < text_.size() ? text_[k + 1] : '\0';
    if (c == '#') {
      while (k < text_.size() && text_[k] != '\n') ++k;
    } else if (c == ';' || c == '{' || c == '}') {
      return false;
    } else if (next == '=' && (c == '=' || c == '<' || c == '>' || c == '!')) {
      ++k;
    } else if (c == '=') {
      return false;
    }
  }
  return true;
}

}  // namespace simscope::lab::just_in_time
