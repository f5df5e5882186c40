#include "app/explanation/equation.h"

#include <algorithm>
#include <array>
#include <utility>

namespace simscope {

namespace {

using Node = EquationNode;
using Sort = EquationNode::Kind;

constexpr std::array<std::string_view, 14> kFunctions = {"exp",  "log",  "ln",  "sin", "cos", "tan",    "sinh",
                                                         "cosh", "tanh", "erf", "min", "max", "arctan", "lim"};
constexpr std::array<std::string_view, 10> kShortWords = {"of", "to", "at", "by", "in", "is", "no", "or", "if", "on"};
constexpr std::array<std::string_view, 26> kOperators = {"+", "-", "−", "=", "·", "×", "∝", "≈", "<",
                                                         ">", "≤", "≥", "←", "→", "↔", "±", "∓", ",",
                                                         ";", ":", "*", "≠", "≪", "≫", "∈", "⊥"};
constexpr std::array<std::string_view, 10> kUprightSigns = {"∂", "∇", "Σ", "∫", "Π", "∞", "½", "¼", "π", "…"};

struct Script {
  std::string_view sign, means;
};
constexpr std::array<Script, 24> kExponents = {
    {{"⁰", "0"}, {"¹", "1"}, {"²", "2"}, {"³", "3"}, {"⁴", "4"}, {"⁵", "5"}, {"⁶", "6"}, {"⁷", "7"},
     {"⁸", "8"}, {"⁹", "9"}, {"⁺", "+"}, {"⁻", "−"}, {"⁼", "="}, {"⁽", "("}, {"⁾", ")"}, {"ⁿ", "n"},
     {"ⁱ", "i"}, {"ᵖ", "p"}, {"ᵏ", "k"}, {"ᵐ", "m"}, {"ᵀ", "T"}, {"ˣ", "x"}, {"ᵃ", "a"}, {"ᵇ", "b"}}};
constexpr std::array<Script, 30> kIndices = {{{"₀", "0"}, {"₁", "1"}, {"₂", "2"}, {"₃", "3"}, {"₄", "4"}, {"₅", "5"},
                                              {"₆", "6"}, {"₇", "7"}, {"₈", "8"}, {"₉", "9"}, {"₊", "+"}, {"₋", "−"},
                                              {"₌", "="}, {"₍", "("}, {"₎", ")"}, {"ₐ", "a"}, {"ₑ", "e"}, {"ₒ", "o"},
                                              {"ₓ", "x"}, {"ₕ", "h"}, {"ₖ", "k"}, {"ₗ", "l"}, {"ₘ", "m"}, {"ₙ", "n"},
                                              {"ₚ", "p"}, {"ₛ", "s"}, {"ₜ", "t"}, {"ⱼ", "j"}, {"ᵢ", "i"}, {"ᵣ", "r"}}};

template <class List>
std::string_view meaning(const List& list, std::string_view sign) {
  for (const Script& each : list) {
    if (each.sign == sign) return each.means;
  }
  return {};
}

template <class List>
bool contains(const List& list, std::string_view sign) {
  return std::find(list.begin(), list.end(), sign) != list.end();
}

bool isLetter(std::string_view c) {
  return c.size() == 1 && ((c[0] >= 'a' && c[0] <= 'z') || (c[0] >= 'A' && c[0] <= 'Z'));
}
bool isDigit(std::string_view c) {
  return c.size() == 1 && c[0] >= '0' && c[0] <= '9';
}
std::string_view closing(std::string_view open) {
  return open == "(" ? ")" : open == "[" ? "]" : open == "⟨" ? "⟩" : "";
}
bool endsTerm(const Node& node) {
  return node.kind == Sort::Space || node.kind == Sort::Operator;
}

class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  // Reads up to the closing sign `end` and takes it; without one, to the end of the text.
  Node row(std::string_view end) {
    Node result;
    while (!atEnd()) {
      const std::string_view c = peek();
      if (!end.empty() && c == end) {
        take();
        return result;
      }
      if (c == "/" && scripts_ == 0 && !result.children.empty() && !endsTerm(result.children.back())) {
        take();
        result.children.push_back(fraction(result.children, end));
      } else {
        item(result.children);
      }
    }
    return result;
  }

 private:
  bool atEnd() const { return at_ >= text_.size(); }
  std::string_view peek(std::size_t from = std::string_view::npos) const {
    std::size_t at = from == std::string_view::npos ? at_ : from;
    return at < text_.size() ? nextCharacter(text_, at) : std::string_view();
  }
  std::string_view take() { return nextCharacter(text_, at_); }

  // The numerator is the last term before the stroke, the denominator the first term behind it.
  Node fraction(std::vector<Node>& before, std::string_view end) {
    auto first = before.end();
    while (first != before.begin() && !endsTerm(*(first - 1))) --first;
    Node numerator, denominator;
    numerator.children.assign(std::make_move_iterator(first), std::make_move_iterator(before.end()));
    before.erase(first, before.end());
    while (!atEnd() && peek() != end && peek() != "/" && peek() != " " && !contains(kOperators, peek()) &&
           closing(peek()) != peek() && peek() != ")" && peek() != "]") {
      item(denominator.children);
    }
    return {Sort::Fraction, {}, {bare(std::move(numerator)), bare(std::move(denominator))}};
  }

  static Node bare(Node row) {
    if (row.children.size() == 1 && row.children[0].kind == Sort::Group && row.children[0].text == "()") {
      Node inner = std::move(row.children[0].children[0]);
      return inner;
    }
    return row;
  }

  void item(std::vector<Node>& into) {
    const std::string_view c = take();
    if (c == " ") {
      if (!into.empty() && into.back().kind != Sort::Space) into.push_back({Sort::Space});
    } else if (const std::string_view up = meaning(kExponents, c); !up.empty()) {
      unicodeScript(into, 2, up);
    } else if (const std::string_view low = meaning(kIndices, c); !low.empty()) {
      unicodeScript(into, 1, low);
    } else if ((c == "^" || c == "_") && !atEnd() && peek() != " ") {
      attach(into, c == "^" ? 2 : 1, script());
    } else if (c == "√") {
      into.push_back({Sort::Root, {}, {argument()}});
    } else if (!closing(c).empty()) {
      into.push_back(group(c));
    } else if (contains(kOperators, c)) {
      into.push_back({Sort::Operator, c == "-" ? "−" : std::string(c)});
    } else if (isLetter(c)) {
      letters(into, c);
    } else if (isDigit(c)) {
      std::string number(c);
      while (isDigit(peek()) || (peek() == "." && at_ + 1 < text_.size() && isDigit(text_.substr(at_ + 1, 1))))
        number += take();
      into.push_back({Sort::Upright, number});
    } else if (c == "Δ" && !atEnd() && peek() != " ") {
      into.push_back({Sort::Symbol, std::string(c) + std::string(take())});
    } else if (c == "|" || c == "!" || c == "/" || c == "." || c == "'" || contains(kUprightSigns, c)) {
      into.push_back({Sort::Upright, std::string(c)});
    } else {
      into.push_back({c.size() > 1 ? Sort::Symbol : Sort::Upright, std::string(c)});
    }
  }

  void letters(std::vector<Node>& into, std::string_view first) {
    const std::size_t begin = at_ - first.size();
    std::size_t end = at_;
    while (end < text_.size() && isLetter(text_.substr(end, 1))) ++end;
    const std::string_view word = text_.substr(begin, end - begin);
    const bool alone = (begin == 0 || text_[begin - 1] == ' ') && (end == text_.size() || text_[end] == ' ');
    if (word.size() >= 3 || contains(kFunctions, word) || (alone && contains(kShortWords, word))) {
      at_ = end;
      into.push_back({Sort::Upright, std::string(word)});
    } else if (word.size() == 2 && word[0] == 'd' &&
               std::string_view("txyzrv").find(word[1]) != std::string_view::npos) {
      at_ = end;
      into.push_back({Sort::Symbol, std::string(word)});
    } else {
      into.push_back({Sort::Symbol, std::string(first)});
    }
  }

  Node group(std::string_view open) {
    const std::string_view end = closing(open);
    return {Sort::Group, std::string(open) + std::string(end), {row(end)}};
  }

  Node argument() {
    if (peek() == "(") {
      take();
      return row(")");
    }
    Node one;
    if (!atEnd()) item(one.children);
    return one;
  }

  // Behind ^ or _: a group without its parentheses, else a sign, a number, or a letter; half a sign (x½) included.
  Node script() {
    ++scripts_;
    Node result = argument();
    --scripts_;
    return result;
  }

  void unicodeScript(std::vector<Node>& into, std::size_t place, std::string_view means) {
    std::string all(means);
    for (;;) {
      const std::string_view next = peek();
      const std::string_view more = place == 2 ? meaning(kExponents, next) : meaning(kIndices, next);
      if (atEnd() || more.empty()) break;
      take();
      all += more;
    }
    Parser inner(all);
    ++inner.scripts_;
    attach(into, place, inner.row(""));
  }

  static void attach(std::vector<Node>& into, std::size_t place, Node script) {
    if (into.empty() || endsTerm(into.back())) into.push_back({});
    if (into.back().kind != Sort::Scripts) {
      Node base = std::move(into.back());
      into.back() = {Sort::Scripts, {}, {std::move(base), Node(), Node()}};
    }
    Node& old = into.back().children[place];
    for (Node& each : script.children) old.children.push_back(std::move(each));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  int scripts_ = 0;
};

void collect(const Node& node, std::vector<std::string>& into) {
  const std::string name = symbolName(node);
  if (!name.empty()) {
    if (std::find(into.begin(), into.end(), name) == into.end()) into.push_back(name);
    if (node.kind == Sort::Scripts) collect(node.children[2], into);
    return;
  }
  for (const Node& child : node.children) collect(child, into);
}

}  // namespace

std::string_view nextCharacter(std::string_view text, std::size_t& at) {
  const std::size_t begin = at;
  const auto lead = static_cast<unsigned char>(text[at++]);
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  for (int i = 0; i < more && at < text.size() && (static_cast<unsigned char>(text[at]) & 0xC0) == 0x80; ++i) ++at;
  return text.substr(begin, at - begin);
}

EquationNode parseEquation(std::string_view text) {
  return Parser(text).row("");
}

std::vector<std::string> equationStatements(std::string_view text) {
  std::vector<std::string> all;
  std::size_t begin = 0;
  for (std::size_t at = 0; at + 2 < text.size(); ++at) {
    if ((text[at] != ',' && text[at] != ';') || text.substr(at + 1, 2) != "  ") continue;
    all.emplace_back(text.substr(begin, at - begin));
    begin = text.find_first_not_of(' ', at + 1);
    if (begin == std::string_view::npos) return all;
    at = begin;
  }
  if (begin < text.size()) all.emplace_back(text.substr(begin));
  return all;
}

std::string symbolName(const EquationNode& node) {
  if (node.kind == Sort::Symbol) return node.text;
  if (node.kind != Sort::Scripts || node.children[0].kind != Sort::Symbol) return {};
  const std::string index = textOf(node.children[1]);
  return index.empty() ? node.children[0].text : node.children[0].text + "_" + index;
}

std::vector<std::string> symbolsOf(const EquationNode& node) {
  std::vector<std::string> all;
  collect(node, all);
  return all;
}

std::string textOf(const EquationNode& node) {
  if (node.kind == Sort::Space) return " ";
  std::string all = node.kind == Sort::Group ? std::string() : node.text;
  if (node.kind == Sort::Group) {
    std::size_t at = 0;
    const std::string open(nextCharacter(node.text, at));
    return open + textOf(node.children[0]) + node.text.substr(at);
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    if (node.kind == Sort::Fraction && i == 1) all += "/";
    if (node.kind == Sort::Root) all += "√";
    all += textOf(node.children[i]);
  }
  return all;
}

}  // namespace simscope
