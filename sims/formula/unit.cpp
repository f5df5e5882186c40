#include "sims/formula/unit.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <iterator>

namespace simscope::formula {
namespace {

struct Symbol {
  std::string_view name;
  std::array<int, 7> dimension;
  double factor;
  int decade;
  bool prefixed;                 // takes prefixes
  std::string_view suited = {};  // prefixes that people use, from small to large; '-' stands for none
  double zero = 0;
};

constexpr Symbol kSymbols[] = {
    {"m", {1}, 1, 0, true, "pnum-k"},
    {"g", {0, 1}, 1, -3, true},
    {"s", {0, 0, 1}, 1, 0, true, "fpnum-"},
    {"A", {0, 0, 0, 1}, 1, 0, true, "pnum-k"},
    {"K", {0, 0, 0, 0, 1}, 1, 0, true},
    {"°C", {0, 0, 0, 0, 1}, 1, 0, false, {}, 273.15},
    {"mol", {0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"rad", {0, 0, 0, 0, 0, 0, 1}, 1, 0, true},
    {"°", {0, 0, 0, 0, 0, 0, 1}, 3.14159265358979323846 / 180, 0, false},
    {"deg", {0, 0, 0, 0, 0, 0, 1}, 3.14159265358979323846 / 180, 0, false},
    {"degree", {0, 0, 0, 0, 0, 0, 1}, 3.14159265358979323846 / 180, 0, false},
    {"degrees", {0, 0, 0, 0, 0, 0, 1}, 3.14159265358979323846 / 180, 0, false},
    {"Hz", {0, 0, -1}, 1, 0, true, "m-kMGT"},
    {"N", {1, 1, -2}, 1, 0, true, "num-kM"},
    {"Pa", {-1, 1, -2}, 1, 0, true, "num-kMG"},
    {"bar", {-1, 1, -2}, 1, 5, true},
    {"J", {2, 1, -2}, 1, 0, true, "pnum-kMG"},
    {"eV", {2, 1, -2}, 1.602176634, -19, true, "um-kMGT"},
    {"W", {2, 1, -3}, 1, 0, true, "pnum-kMG"},
    {"C", {0, 0, 1, 1}, 1, 0, true, "pnum-"},
    {"V", {2, 1, -3, -1}, 1, 0, true, "num-kM"},
    {"F", {-2, -1, 4, 2}, 1, 0, true, "pnum-"},
    {"Ω", {2, 1, -3, -2}, 1, 0, true, "m-kMG"},
    {"Ω", {2, 1, -3, -2}, 1, 0, true, "m-kMG"},
    {"ohm", {2, 1, -3, -2}, 1, 0, true, "m-kMG"},
    {"S", {-2, -1, 3, 2}, 1, 0, true, "num-"},
    {"Wb", {2, 1, -2, -1}, 1, 0, true},
    {"T", {0, 1, -2, -1}, 1, 0, true, "pnum-"},
    {"H", {2, 1, -2, -2}, 1, 0, true, "pnum-"},
    {"u", {0, 1}, 1.66053906660, -27, false},
    {"Da", {0, 1}, 1.66053906660, -27, true},
    {"Å", {1}, 1, -10, false},
    {"min", {0, 0, 1}, 6, 1, false},
    {"h", {0, 0, 1}, 3.6, 3, false},
    {"d", {0, 0, 1}, 8.64, 4, false},
    {"%", {}, 1, -2, false},
};

struct Prefix {
  std::string_view name;
  int decade;
};
// 'u' and both codes of µ are one.
constexpr Prefix kPrefixes[] = {{"y", -24}, {"z", -21}, {"a", -18}, {"f", -15}, {"p", -12}, {"n", -9}, {"u", -6},
                                {"µ", -6},  {"μ", -6},  {"m", -3},  {"c", -2},  {"d", -1},  {"h", 2},  {"k", 3},
                                {"M", 6},   {"G", 9},   {"T", 12},  {"P", 15},  {"E", 18},  {"Z", 21}, {"Y", 24}};

struct Named {
  const Symbol* symbol = nullptr;
  int decade = 0;  // of the prefix
};

// "min" is a minute, no milli-inch: whole names count first.
std::optional<Named> named(std::string_view name) {
  for (const Symbol& symbol : kSymbols) {
    if (symbol.name == name) return Named{&symbol, 0};
  }
  for (const Prefix& prefix : kPrefixes) {
    if (!name.starts_with(prefix.name)) continue;
    for (const Symbol& symbol : kSymbols) {
      if (symbol.prefixed && symbol.name == name.substr(prefix.name.size())) return Named{&symbol, prefix.decade};
    }
  }
  return std::nullopt;
}

constexpr std::string_view kSuperscripts[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  std::optional<Unit> read() {
    std::optional<Unit> unit = product(0);
    blanks();
    if (!rest_.empty()) return std::nullopt;
    return unit;
  }

 private:
  void blanks() { rest_.remove_prefix(std::min(rest_.find_first_not_of(' '), rest_.size())); }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool takeDot() { return take("·") || take("⋅") || take("*"); }

  // a·b/c: what follows a slash divides, up to the next dot.
  std::optional<Unit> product(int depth) {
    std::optional<Unit> all = factor(depth);
    while (all) {
      blanks();
      if (rest_.empty() || rest_.front() == ')') break;
      const bool over = take("/");
      if (!over) takeDot();  // or nothing but a blank
      blanks();
      const std::optional<Unit> next = factor(depth);
      if (!next || next->zero != 0 || all->zero != 0) return std::nullopt;
      multiply(*all, *next, over ? -1 : 1);
    }
    return all;
  }

  std::optional<Unit> factor(int depth) {
    constexpr int kDeepest = 4;
    Unit unit;
    if (take("(")) {
      if (depth == kDeepest) return std::nullopt;
      const std::optional<Unit> inner = product(depth + 1);
      if (!inner || !take(")")) return std::nullopt;
      unit = *inner;
    } else if (take("1")) {
      if (!rest_.starts_with("/")) return std::nullopt;
    } else {
      const std::optional<Named> found = named(word());
      if (!found) return std::nullopt;
      unit = {found->symbol->dimension, found->symbol->factor, found->symbol->decade + found->decade,
              found->symbol->zero};
    }
    const std::optional<int> power = exponent();
    if (!power || (*power != 1 && unit.zero != 0)) return std::nullopt;
    Unit raised;
    raised.zero = unit.zero;
    multiply(raised, unit, *power);
    return raised;
  }

  std::string_view word() {
    std::size_t end = 0;
    while (end < rest_.size()) {
      const std::string_view left = rest_.substr(end);
      const bool stop = left.find_first_of(" /*^()0123456789+-") == 0 || left.starts_with("·") ||
                        left.starts_with("⋅") || left.starts_with("⁻") ||
                        std::any_of(std::begin(kSuperscripts), std::end(kSuperscripts),
                                    [&](std::string_view digit) { return left.starts_with(digit); });
      if (stop) break;
      ++end;
    }
    const std::string_view found = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return found;
  }

  // 1 without an exponent; nothing for an invalid one.
  std::optional<int> exponent() {
    int value = 1;
    if (take("^")) {
      const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
      if (error != std::errc()) return std::nullopt;
      rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    } else {
      const bool negative = take("⁻");
      const auto* const digit = std::find_if(std::begin(kSuperscripts), std::end(kSuperscripts),
                                             [&](std::string_view each) { return rest_.starts_with(each); });
      if (digit == std::end(kSuperscripts)) return negative ? std::nullopt : std::optional(1);
      take(*digit);
      value = static_cast<int>(digit - std::begin(kSuperscripts)) * (negative ? -1 : 1);
    }
    constexpr int kHighest = 9;
    return std::abs(value) <= kHighest ? std::optional(value) : std::nullopt;
  }

  static void multiply(Unit& all, const Unit& by, int power) {
    for (std::size_t i = 0; i < all.dimension.size(); ++i) all.dimension[i] += power * by.dimension[i];
    for (int i = 0; i < std::abs(power); ++i) power > 0 ? all.factor *= by.factor : all.factor /= by.factor;
    all.decade += power * by.decade;
  }

  std::string_view rest_;
};

int decadeOf(char prefix) {
  for (const Prefix& each : kPrefixes) {
    if (each.name.size() == 1 && each.name.front() == prefix) return each.decade;
  }
  return 0;
}

std::string withPrefix(char prefix, std::string_view symbol) {
  std::string text;
  if (prefix == 'u') {
    text = "µ";
  } else if (prefix != '-') {
    text = prefix;
  }
  return text.append(symbol);
}

// Characters of a decimal number; 0.5 has as many as 500.
int lengthOf(double number) {
  char text[32];
  const auto [end, error] = std::to_chars(std::begin(text), std::end(text), number, std::chars_format::general, 6);
  return error == std::errc() ? static_cast<int>(end - text) : 32;
}

// The prefix with which the number is between 0.1 and 1000, and shortest; the larger unit where that is equal.
char suitedPrefix(const Symbol& symbol, double value) {
  const double magnitude = std::abs(value);
  char best = 0;
  int shortest = 0;
  for (const char prefix : symbol.suited) {
    const double number = magnitude / std::pow(10.0, decadeOf(prefix));
    if (!(number >= 0.0999999) || !(number < 999.9999)) continue;
    const int length = lengthOf(number);
    if (best == 0 || length <= shortest) {
      best = prefix;
      shortest = length;
    }
  }
  if (best != 0) return best;
  const double smallest = std::pow(10.0, decadeOf(symbol.suited.front()));
  return magnitude < smallest ? symbol.suited.front() : symbol.suited.back();
}

}  // namespace

std::optional<Unit> readUnit(std::string_view text) {
  if (text.find_first_not_of(' ') == std::string_view::npos) return Unit{};
  return Reader(text).read();
}

std::string suitedUnit(const std::string& unit, double value, double usual) {
  const std::optional<Named> own = named(unit);
  if (!own || own->symbol->suited.empty()) return unit;
  const Symbol& symbol = *own->symbol;
  const double scale = std::pow(10.0, own->decade);
  const auto fits = [](double number, double most) { return number >= 0.0999999 && number < most; };
  const bool as_described = usual == 0 || !std::isfinite(usual) || fits(std::abs(usual), 1000);
  std::string best = as_described ? unit : withPrefix(suitedPrefix(symbol, usual * scale), symbol.name);
  const double number = std::abs(value * scale) / std::pow(10.0, named(best)->decade);
  if (value == 0 || !std::isfinite(value) || fits(number, 10000)) return best;
  return withPrefix(suitedPrefix(symbol, value * scale), symbol.name);
}

std::string multiplesOf(const std::string& unit) {
  const std::optional<Named> own = named(unit);
  if (!own || own->symbol->suited.empty()) return unit;
  std::string all;
  for (const char prefix : own->symbol->suited) {
    all += (all.empty() ? "" : ", ") + withPrefix(prefix, own->symbol->name);
  }
  return all;
}

}  // namespace simscope::formula
