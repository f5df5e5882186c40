#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>

#include "sims/foreign/words.h"
#include "sims/table/parts.h"

namespace simscope::table {
namespace {

constexpr std::string_view kBlank = " \t\r";

std::string_view trimmed(std::string_view text) {
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  text = text.substr(first, text.find_last_not_of(kBlank) - first + 1);
  if (text.size() >= 2 && text.front() == '"' && text.back() == '"') text = text.substr(1, text.size() - 2);
  return text;
}

// Takes lines off a text.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}
  // The next one that is neither empty nor a comment; false at the end. `comment`: the last one on the way.
  bool next(std::string_view& line, std::string_view* comment = nullptr) {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
      ++number_;
      const std::size_t first = line.find_first_not_of(kBlank);
      if (first == std::string_view::npos) continue;
      if (line[first] != '#') return true;
      if (comment) *comment = line.substr(first + 1);
    }
    return false;
  }
  std::size_t number() const { return number_; }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// 0: blanks.
char separatorOf(std::string_view line) {
  for (const char each : {',', ';', '\t'}) {
    if (line.find(each) != std::string_view::npos) return each;
  }
  return 0;
}

// The cells of a line, in place; a separator between quotes is none.
void split(std::string_view line, char separator, std::vector<std::string_view>& cells) {
  cells.clear();
  if (separator == 0) {
    for (std::size_t at = 0; (at = line.find_first_not_of(kBlank, at)) != std::string_view::npos;) {
      const std::size_t end = std::min(line.find_first_of(kBlank, at), line.size());
      cells.push_back(trimmed(line.substr(at, end - at)));
      at = end;
    }
    return;
  }
  bool quoted = false;
  std::size_t begin = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    if (i < line.size() && line[i] == '"') quoted = !quoted;
    if (i < line.size() && (line[i] != separator || quoted)) continue;
    cells.push_back(trimmed(line.substr(begin, i - begin)));
    begin = i + 1;
  }
}

// What a well-formed number that double precision cannot hold counts as: 0 where it is too small, else infinity.
double beyondRange(std::string_view text) {
  const bool negative = text.starts_with('-');
  const std::size_t mark = std::min(text.find_first_of("eE"), text.size());
  const std::string_view digits = text.substr(0, mark);
  const std::size_t first = digits.find_first_of("123456789"), point = std::min(digits.find('.'), digits.size());
  // The power of ten of the first digit that is not 0; an exponent that no integer holds decides alone.
  std::int64_t power = 0;
  std::string_view exponent = text.substr(std::min(mark + 1, text.size()));
  if (exponent.starts_with('+')) exponent.remove_prefix(1);
  const auto [end, error] = std::from_chars(exponent.data(), exponent.data() + exponent.size(), power);
  if (error == std::errc::result_out_of_range) {
    power = exponent.starts_with('-') ? -1 : 1;
  } else if (first != std::string_view::npos) {
    power += static_cast<std::int64_t>(point) - static_cast<std::int64_t>(first);
  }
  const double value = power > 0 ? HUGE_VAL : 0.0;
  return negative ? -value : value;
}

bool isNumber(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = beyondRange(text);
  return (error == std::errc() || error == std::errc::result_out_of_range) && end == text.data() + text.size();
}

// The names that a comment before the first line of numbers gives, if it has one for each column.
bool namesIn(std::string_view comment, std::size_t columns, std::vector<std::string_view>& names) {
  split(comment, separatorOf(comment), names);
  return names.size() == columns;
}

}  // namespace

Table csvTable(std::string_view text, const Choose& choose) {
  constexpr std::size_t kRowsBetweenChecks = 1 << 16;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos) refuse("it is not a text file");
  Lines lines(text);
  std::string_view line, comment;
  const bool rows = lines.next(line, &comment);
  if (!rows && trimmed(comment).empty()) refuse("it has no lines");
  if (!rows) line = comment;  // names alone
  const char separator = separatorOf(line);
  std::vector<std::string_view> cells, commented;
  split(line, separator, cells);
  if (cells.size() > kMostColumns) refuse(fmt::format("it has more than {} columns", kMostColumns));
  const std::size_t columns = cells.size();
  double value = 0;
  bool named = !rows, numbers = false;
  for (const std::string_view cell : cells) {
    const bool is = isNumber(cell, value);
    named = named || !is, numbers = numbers || is;
  }
  // NumPy's savetxt writes the names as a comment. A line with numbers is then a row, although it may have texts.
  const bool above = rows && numbers && namesIn(comment, columns, commented);
  std::vector<std::string> names(columns);
  for (std::size_t i = 0; (named || above) && i < columns; ++i) names[i] = std::string(above ? commented[i] : cells[i]);
  named = named && !above;
  const std::vector<std::size_t> chosen = choose(names);
  checkChoice(chosen, columns);

  Table table;
  table.columns.resize(chosen.size());
  for (bool first = !named; first || lines.next(line); first = false) {
    if (!first) split(line, separator, cells);
    // A separator at the end of a line is no cell; a number with a comma in it is two.
    while (cells.size() > columns && cells.back().empty()) cells.pop_back();
    if (cells.size() != columns) {
      refuse(fmt::format("line {} has {} cells, but the first line has {}", lines.number(), cells.size(), columns));
    }
    for (std::size_t i = 0; i < chosen.size(); ++i) {
      const std::string_view cell = cells[chosen[i]];
      if (!isNumber(cell, value)) {
        const std::string& name = names[chosen[i]];
        refuse(fmt::format("line {}, column {}: {} is not a number", lines.number(),
                           name.empty() ? std::to_string(chosen[i] + 1) : foreign::quoted(name),
                           foreign::quoted(cell)));
      }
      table.columns[i].push_back(value);
    }
    if (++table.rows % kRowsBetweenChecks == 0) checkMemory(table.rows, chosen.size(), memoryBeside(text.size()));
  }
  return table;
}

}  // namespace simscope::table
