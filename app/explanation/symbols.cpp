#include "app/explanation/symbols.h"

#include <algorithm>

#include "app/explanation/equation.h"

namespace simscope {

namespace {

bool isAscii(const std::string& word) {
  return std::all_of(word.begin(), word.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}
bool isAsciiLetter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

// Greek letters, indices, and ħ; not the letters of names ("Schrödinger").
bool hasSign(const std::string& word) {
  for (std::size_t at = 0; at < word.size();) {
    const std::string_view c = nextCharacter(word, at);
    if (c == "ħ" || c == "ℓ") return true;
    if (c.size() == 2 && (static_cast<unsigned char>(c[0]) == 0xCE || static_cast<unsigned char>(c[0]) == 0xCF))
      return true;
    if (c.size() == 3 && static_cast<unsigned char>(c[0]) == 0xE2) return true;  // ₀ and its kin, ∂
  }
  return false;
}

bool isSymbol(const std::string& word, bool last) {
  if (word.empty()) return false;
  if (!isAscii(word)) return hasSign(word) && word.size() <= 8;
  if (word.size() == 1) return isAsciiLetter(word[0]) && (last || (word != "a" && word != "A" && word != "I"));
  if (word.find('_') != std::string::npos) return word.size() <= 4;
  if (word.size() == 2 && word[0] == 'd') return std::string("txyz").find(word[1]) != std::string::npos;
  return word.size() == 3 && word[1] == '/' && isAsciiLetter(word[0]) && isAsciiLetter(word[2]);
}

}  // namespace

std::string symbolIn(const std::string& title) {
  std::string plain;
  int depth = 0;
  for (const char c : title) {
    depth += c == '(' ? 1 : 0;
    if (depth == 0 && c != '|') plain += c;
    depth -= c == ')' && depth > 0 ? 1 : 0;
  }
  std::vector<std::string> words(1);
  for (const char c : plain) {
    if (c == ' ') {
      words.emplace_back();
    } else if (c != ',') {
      words.back() += c;
    }
  }
  std::erase(words, std::string());
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (isSymbol(words[i], i + 1 == words.size())) return words[i];
  }
  return {};
}

std::string symbolOf(const ParameterSet& parameters, std::size_t index) {
  const std::string symbol = symbolIn(parameters.title(index));
  if (symbol.empty()) return {};
  const std::vector<std::string> names = symbolsOf(parseEquation(symbol));
  return names.empty() ? std::string() : names.front();
}

bool means(const std::string& in_equation, const std::string& of_parameter, const std::vector<std::string>& all) {
  if (in_equation.empty() || of_parameter.empty()) return false;
  if (in_equation == of_parameter) return true;
  if (std::find(all.begin(), all.end(), in_equation) != all.end()) return false;
  return of_parameter == in_equation + "_0";
}

}  // namespace simscope
