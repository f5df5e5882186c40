#include "app/lab/comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"

namespace simscope::lab {
namespace {

constexpr double kNothing = std::numeric_limits<double>::quiet_NaN();

// How many rows before this one share its name.
std::size_t placeAmongNamesakes(const Result& result, std::size_t row) {
  return static_cast<std::size_t>(std::count_if(result.rows.begin(),
                                                result.rows.begin() + static_cast<std::ptrdiff_t>(row),
                                                [&](const Row& each) { return each.name == result.rows[row].name; }));
}

const Row* sameRow(const Result& result, std::size_t row, const Result& other) {
  std::size_t before = placeAmongNamesakes(result, row);
  for (const Row& each : other.rows) {
    if (each.name == result.rows[row].name && before-- == 0) return &each;
  }
  return nullptr;
}

std::optional<std::size_t> sameColumn(const Column& column, const Result& other) {
  for (std::size_t i = 0; i < other.columns.size(); ++i) {
    if (other.columns[i].title == column.title && other.columns[i].unit == column.unit) return i;
  }
  return std::nullopt;
}

double spreadOf(const Row& row, std::size_t column) {
  return column < row.spreads.size() ? row.spreads[column] : kNothing;
}

double coordinate(const Chart& chart, std::size_t place, std::size_t places) {
  if (places < 2) return chart.first;
  return chart.first + (chart.last - chart.first) * static_cast<double>(place) / static_cast<double>(places - 1);
}

// The curve's value at a coordinate, between its places as the chart draws it.
double valueAt(const Chart& chart, const Curve& curve, double at) {
  const std::size_t places = curve.values.size();
  if (places == 0) return kNothing;
  const double apart = places > 1 ? (chart.last - chart.first) / static_cast<double>(places - 1) : 1;
  constexpr double kSame = 1e-9;
  const double where = apart != 0 ? (at - chart.first) / apart : 0;
  if (!std::isfinite(where) || where < -kSame || where > static_cast<double>(places - 1) + kSame) return kNothing;
  const double clamped = std::clamp(where, 0.0, static_cast<double>(places - 1));
  const auto below = static_cast<std::size_t>(std::min(std::floor(clamped + kSame), static_cast<double>(places - 1)));
  const double share = clamped - static_cast<double>(below);
  if (share <= kSame || below + 1 >= places) return curve.values[below];
  const double a = curve.values[below], b = curve.values[below + 1];
  if (chart.y.decades && a > 0 && b > 0) return a * std::pow(b / a, share);
  return a + (b - a) * share;
}

}  // namespace

double Compared::ratio() const {
  const double ratio = second / first;
  return std::isfinite(ratio) ? ratio : kNothing;
}

std::vector<Compared> compared(const Result& first, const Result& second) {
  std::vector<Compared> all;
  for (std::size_t r = 0; r < first.rows.size(); ++r) {
    const Row& row = first.rows[r];
    const Row* const other = sameRow(first, r, second);
    if (!other) continue;
    for (std::size_t c = 0; c < first.columns.size(); ++c) {
      const auto column = sameColumn(first.columns[c], second);
      if (!column || (std::isnan(row.values[c]) && std::isnan(other->values[*column]))) continue;
      all.push_back({row.name, first.columns[c].title, first.columns[c].unit, row.values[c], other->values[*column],
                     spreadOf(row, c), spreadOf(*other, *column)});
    }
  }
  return all;
}

std::vector<double> besides(const Result& result, std::size_t row, const Result& other) {
  const Row* const same = sameRow(result, row, other);
  if (!same) return {};
  std::vector<double> values;
  for (const Column& each : result.columns) {
    const auto column = sameColumn(each, other);
    values.push_back(column ? same->values[*column] : kNothing);
  }
  return values;
}

Chart withOther(const Chart& chart, const Chart& other, const std::string& name) {
  Chart both = chart;
  const bool bars = !chart.names.empty();
  if (chart.curves.empty() || bars != !other.names.empty()) return both;
  if (chart.x.decades != other.x.decades || chart.x.unit != other.x.unit || chart.y.unit != other.y.unit) return both;
  const std::size_t places = bars ? chart.names.size() : chart.curves.front().values.size();
  for (std::size_t i = 0; i < chart.curves.size(); ++i) {
    const Curve& curve = chart.curves[i];
    const auto same = std::find_if(other.curves.begin(), other.curves.end(), [&](const Curve& each) {
      return !each.expected && !curve.expected && each.title == curve.title;
    });
    if (same == other.curves.end()) continue;
    Curve faint{.title = curve.title + ": " + name, .values = {}, .expected = true, .like = static_cast<int>(i)};
    for (std::size_t k = 0; k < places; ++k) {
      if (!bars) {
        faint.values.push_back(valueAt(other, *same, coordinate(chart, k, places)));
        continue;
      }
      const auto bar = std::find(other.names.begin(), other.names.end(), chart.names[k]);
      faint.values.push_back(
          bar == other.names.end() ? kNothing : same->values[static_cast<std::size_t>(bar - other.names.begin())]);
    }
    if (std::any_of(faint.values.begin(), faint.values.end(), [](double v) { return std::isfinite(v); })) {
      both.curves.push_back(std::move(faint));
    }
  }
  return both;
}

std::string comparisonText(const StoredRun& first, const StoredRun& second, const std::string& lesson,
                           const std::function<std::string(const std::vector<std::vector<std::string>>&)>& table) {
  std::string out = fmt::format("A: {}\nB: {}\n", first.title(), second.title());
  std::size_t both = 0;
  for (const StoredLesson& a : first.lessons) {
    if (!lesson.empty() && a.id != lesson) continue;
    const StoredLesson* const b = second.find(a.id);
    if (!b) {
      out += fmt::format("\n{}: only in A\n", a.title.empty() ? a.id : a.title);
      continue;
    }
    ++both;
    out += "\n" + (a.title.empty() ? a.id : a.title) + "\n";
    if (!a.failure.empty()) out += "A was not measured: " + a.failure + "\n";
    if (!b->failure.empty()) out += "B was not measured: " + b->failure + "\n";
    if (!a.failure.empty() || !b->failure.empty()) continue;
    if (a.parameters != b->parameters) {
      for (const auto& [key, value] : a.parameters) {
        const auto other = std::find_if(b->parameters.begin(), b->parameters.end(),
                                        [&name = key](const auto& each) { return each.first == name; });
        if (other != b->parameters.end() && other->second != value) {
          out += fmt::format("Measured with {} = {} in A, {} in B.\n", key, value, other->second);
        }
      }
    }
    std::vector<std::vector<std::string>> cells = {{"", "", "A", "B", "B / A"}};
    for (const Compared& each : compared(a.result, b->result)) {
      const double ratio = each.ratio();
      cells.push_back({each.row, each.column, valueText(each.first, each.first_spread, each.unit),
                       valueText(each.second, each.second_spread, each.unit),
                       std::isnan(ratio) ? "" : roundText(ratio, 3)});
    }
    out += cells.size() > 1 ? table(cells) : std::string("They have no number in common.\n");
  }
  for (const StoredLesson& b : second.lessons) {
    if ((lesson.empty() || b.id == lesson) && !first.find(b.id)) {
      out += fmt::format("\n{}: only in B\n", b.title.empty() ? b.id : b.title);
    }
  }
  if (both == 0) {
    throw UsageError(lesson.empty()
                         ? fmt::format("{} and {} have no lesson in common", first.name, second.name)
                         : fmt::format("lesson {} is not in both of {} and {}", lesson, first.name, second.name));
  }
  return out;
}

}  // namespace simscope::lab
