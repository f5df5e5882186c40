// The text of a typed kernel, read from its beginning: words, names, expressions, and the place of a fault.
// Include only in the parser. Errors: as just_in_time_program.h.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sims/formula/characters.h"

namespace simscope::lab::just_in_time {

using formula::isDigit;
using formula::isLetter;

class Text {
 public:
  explicit Text(std::string_view text);

  [[noreturn]] void refuse(const std::string& what) const { refuseAt(at_, what); }
  [[noreturn]] void refuseAt(std::size_t at, const std::string& what) const;
  int lineAt(std::size_t at) const;

  std::size_t at() const { return at_; }
  bool done() const { return at_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
  std::string here() const { return done() ? "the end" : wordAt(at_); }  // for a message
  std::string wordAt(std::size_t at) const;
  // Whether the character there is of languages with more than numbers.
  bool isOfPrograms(std::size_t at) const;

  // Each advances to the next token, over spaces and comments.
  bool take(std::string_view word);
  bool takeSingle(char c);  // unless it begins an operator with '='
  void expect(std::string_view word);
  std::string name();
  // All up to the end of the statement, or to the parenthesis that closes; remarks and line breaks are blanks.
  std::string expression(bool in_parentheses);

  // The rest is an expression: it has no ';', no '{', and no '=' except in comparisons.
  bool isPlain() const;

 private:
  void skip();

  std::string_view text_;
  std::size_t at_ = 0;
};

// The first '=' that compares nothing, or npos.
std::size_t findAssignment(std::string_view text);

}  // namespace simscope::lab::just_in_time
