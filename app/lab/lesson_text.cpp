#include "app/lab/lesson_text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <cmath>

#include "app/render/figure/ticks.h"

namespace simscope::lab {
namespace {

// Units whose thousands have names: those of SI, and what computers count.
bool hasPrefixes(const std::string& unit) {
  static constexpr std::array kUnits = {"B", "B/s", "FLOP/s", "1/s", "elements/s", "numbers/s", "points/s", "pixels/s"};
  for (const char* const each : kUnits) {
    if (unit == each) return true;
  }
  return render::takesPrefix(unit);
}

int thousandsOf(double value) {
  return std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value)) / 3 + 1e-9)), -5, 5);
}

const char* prefixOf(int thousands) {
  static constexpr std::array kPrefixes = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P"};
  return kPrefixes[static_cast<std::size_t>(thousands + 5)];
}

// "MB/s", but "M elements/s", and "M/s" of what only counts.
std::string prefixed(int thousands, const std::string& unit) {
  const std::string prefix = prefixOf(thousands);
  if (unit == "1/s") return prefix.empty() ? unit : prefix + "/s";
  return unit.ends_with("s/s") && !prefix.empty() ? prefix + " " + unit : prefix + unit;
}

double spreadAt(const Row& row, std::size_t column) {
  return column < row.spreads.size() ? row.spreads[column] : std::nan("");
}

nlohmann::ordered_json numbersOf(const std::vector<double>& values) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const double each : values) all.push_back(std::isfinite(each) ? nlohmann::ordered_json(each) : nullptr);
  return all;
}

nlohmann::ordered_json chartOf(const Chart& chart) {
  using Json = nlohmann::ordered_json;
  const auto axis = [](const AxisInfo& info) {
    return Json{{"title", info.title}, {"unit", info.unit}, {"decades", info.decades}};
  };
  Json curves = Json::array();
  for (const Curve& each : chart.curves) {
    curves.push_back({{"title", each.title}, {"values", numbersOf(each.values)}, {"expected", each.expected}});
  }
  return {{"title", chart.title}, {"x", axis(chart.x)},   {"y", axis(chart.y)}, {"first", chart.first},
          {"last", chart.last},   {"names", chart.names}, {"curves", curves}};
}

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char each : text) out += each == '"' ? "\"\"" : std::string(1, each);
  return out + "\"";
}

}  // namespace

std::string valueText(double value, const std::string& unit) {
  if (std::isnan(value)) return {};
  if (unit == "%") {
    return std::abs(value) < 10 ? fmt::format("{:.3g} %", 100 * value) : fmt::format("{:.0f} %", 100 * value);
  }
  if (!hasPrefixes(unit) || value == 0 || !std::isfinite(value)) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    const std::string number =
        whole ? render::countText(static_cast<std::int64_t>(value)) : render::numberText(value, 4);
    return unit.empty() ? number : number + " " + unit;
  }
  const int thousands = thousandsOf(value);
  return fmt::format("{:.4g} {}", value / std::pow(1000, thousands), prefixed(thousands, unit));
}

std::string valueText(double value, double spread, const std::string& unit) {
  if (!std::isfinite(value) || !std::isfinite(spread) || value == 0 || !hasPrefixes(unit))
    return valueText(value, unit);
  const int thousands = thousandsOf(value);
  const double one = std::pow(1000, thousands), wide = std::abs(spread) / one;
  // As many decimals as the spread has significant digits.
  const int decimals = wide > 0 ? std::clamp(1 - static_cast<int>(std::floor(std::log10(wide))), 0, 3) : 3;
  return fmt::format("{:.{}f} ± {:.{}f} {}", value / one, decimals, wide, decimals, prefixed(thousands, unit));
}

std::vector<std::vector<std::string>> cellsOf(const Result& result) {
  std::vector<std::vector<std::string>> all;
  std::vector<std::string>& head = all.emplace_back(1, "");
  bool noted = false;
  for (const Row& row : result.rows) noted = noted || !row.note.empty();
  for (const Column& column : result.columns) head.push_back(column.title);
  if (noted) head.emplace_back();
  for (const Row& row : result.rows) {
    std::vector<std::string>& cells = all.emplace_back(1, row.name);
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      const std::string text = valueText(row.values[i], spreadAt(row, i), result.columns[i].unit);
      cells.push_back(text.empty() ? "–" : text);
    }
    if (noted) cells.push_back(row.note);
  }
  return all;
}

nlohmann::ordered_json json(const Lesson& lesson, const ParameterSet& parameters, const Result& result,
                            const std::string& machine) {
  using Json = nlohmann::ordered_json;
  Json values = Json::object(), columns = Json::array(), rows = Json::array();
  for (std::size_t i = 0; i < parameters.size(); ++i) values[parameters.infos()[i].key] = toText(parameters[i]);
  for (const Column& each : result.columns) columns.push_back({{"title", each.title}, {"unit", each.unit}});
  for (const Row& each : result.rows) {
    rows.push_back({{"name", each.name},
                    {"values", numbersOf(each.values)},
                    {"spreads", numbersOf(each.spreads)},
                    {"note", each.note}});
  }
  Json all = {
      {"lesson", lesson.id}, {"title", lesson.title}, {"parameters", values}, {"columns", columns}, {"rows", rows}};
  if (!machine.empty()) all["machine"] = machine;
  all["chart"] = chartOf(result.chart);
  all["finding"] = result.finding;
  all["notes"] = result.notes;
  return all;
}

std::string csv(const Result& result) {
  std::string out = "name";
  std::vector<char> varies(result.columns.size(), 0);
  for (std::size_t i = 0; i < result.columns.size(); ++i) {
    const Column& each = result.columns[i];
    const std::string title = each.unit.empty() ? each.title : fmt::format("{} [{}]", each.title, each.unit);
    out += "," + quoted(title);
    for (const Row& row : result.rows) varies[i] = varies[i] != 0 || std::isfinite(spreadAt(row, i));
    if (varies[i] != 0) out += "," + quoted("± " + title);
  }
  out += "\n";
  for (const Row& row : result.rows) {
    out += quoted(row.name);
    for (std::size_t i = 0; i < row.values.size(); ++i) {
      out += std::isnan(row.values[i]) ? "," : fmt::format(",{}", row.values[i]);
      if (varies[i] != 0) out += std::isfinite(spreadAt(row, i)) ? fmt::format(",{}", spreadAt(row, i)) : ",";
    }
    out += "\n";
  }
  return out;
}

}  // namespace simscope::lab
