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

std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char each : text) out += each == '"' ? "\"\"" : std::string(1, each);
  return out + "\"";
}

}  // namespace

std::string valueText(double value, const std::string& unit) {
  if (std::isnan(value)) return {};
  if (unit == "%") return fmt::format("{:.3g} %", 100 * value);
  if (!hasPrefixes(unit) || value == 0 || !std::isfinite(value)) {
    const bool whole = value == std::floor(value) && std::abs(value) < 1e15;
    const std::string number =
        whole ? render::countText(static_cast<std::int64_t>(value)) : render::numberText(value, 4);
    return unit.empty() ? number : number + " " + unit;
  }
  static constexpr std::array kPrefixes = {"f", "p", "n", "µ", "m", "", "k", "M", "G", "T", "P"};
  const int thousands = std::clamp(static_cast<int>(std::floor(std::log10(std::abs(value)) / 3 + 1e-9)), -5, 5);
  return fmt::format("{:.4g} {}{}", value / std::pow(1000, thousands),
                     kPrefixes[static_cast<std::size_t>(thousands + 5)], unit);
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
      const std::string text = valueText(row.values[i], result.columns[i].unit);
      cells.push_back(text.empty() ? "–" : text);
    }
    if (noted) cells.push_back(row.note);
  }
  return all;
}

nlohmann::ordered_json json(const Lesson& lesson, const ParameterSet& parameters, const Result& result) {
  using Json = nlohmann::ordered_json;
  Json values = Json::object(), columns = Json::array(), rows = Json::array();
  for (std::size_t i = 0; i < parameters.size(); ++i) values[parameters.infos()[i].key] = toText(parameters[i]);
  for (const Column& each : result.columns) columns.push_back({{"title", each.title}, {"unit", each.unit}});
  for (const Row& each : result.rows) {
    Json numbers = Json::array();
    for (const double value : each.values) numbers.push_back(std::isfinite(value) ? Json(value) : Json(nullptr));
    rows.push_back({{"name", each.name}, {"values", numbers}, {"note", each.note}});
  }
  return {{"lesson", lesson.id}, {"title", lesson.title},     {"parameters", values}, {"columns", columns},
          {"rows", rows},        {"finding", result.finding}, {"notes", result.notes}};
}

std::string csv(const Result& result) {
  std::string out = "name";
  for (const Column& each : result.columns) {
    out += "," + quoted(each.unit.empty() ? each.title : fmt::format("{} [{}]", each.title, each.unit));
  }
  out += "\n";
  for (const Row& row : result.rows) {
    out += quoted(row.name);
    for (const double value : row.values) out += std::isnan(value) ? "," : fmt::format(",{}", value);
    out += "\n";
  }
  return out;
}

}  // namespace simscope::lab
