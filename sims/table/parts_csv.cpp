#include <fmt/format.h>

#include <charconv>
#include <cmath>

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
  // The next one that is neither empty nor a comment; false at the end.
  bool next(std::string_view& line, bool comments) {
    while (!rest_.empty()) {
      const std::size_t end = rest_.find('\n');
      line = rest_.substr(0, end);
      rest_ = end == std::string_view::npos ? std::string_view{} : rest_.substr(end + 1);
      ++number_;
      const std::string_view inside = trimmed(line);
      if (!inside.empty() && (comments || inside.front() != '#')) return true;
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

bool isNumber(std::string_view text, double& value) {
  if (!text.empty() && text.front() == '+') text.remove_prefix(1);
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error == std::errc::result_out_of_range) value = HUGE_VAL;  // no number of the table, and refused as infinity is
  return (error == std::errc() || error == std::errc::result_out_of_range) && end == text.data() + text.size();
}

}  // namespace

Table csvTable(std::string_view text, const Choose& choose) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (text.find('\0') != std::string_view::npos) refuse("it is not a text file");
  Lines lines(text);
  std::string_view line;
  if (!lines.next(line, true)) refuse("it has no lines");
  const char separator = separatorOf(line);
  std::vector<std::string_view> cells;
  const std::size_t hash = line.find_first_not_of(kBlank);
  if (line[hash] == '#') line.remove_prefix(hash + 1);
  split(line, separator, cells);
  if (cells.size() > kMostColumns) refuse(fmt::format("it has more than {} columns", kMostColumns));
  const std::size_t columns = cells.size();
  double value = 0;
  bool named = false;
  for (const std::string_view cell : cells) named = named || !isNumber(cell, value);
  std::vector<std::string> names(columns);
  for (std::size_t i = 0; named && i < columns; ++i) names[i] = std::string(cells[i]);
  const std::vector<std::size_t> chosen = choose(names);
  checkChoice(chosen, columns);

  Table table;
  table.columns.resize(chosen.size());
  for (bool first = !named; first || lines.next(line, false); first = false) {
    if (!first) split(line, separator, cells);
    if (cells.size() < columns) {
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
    ++table.rows;
  }
  return table;
}

}  // namespace simscope::table
