#include "app/sweep/reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/sweep/picture.h"
#include "sims/core/words.h"

namespace simscope::sweep {

namespace {

// The value whose cell has this place.
std::optional<std::size_t> valueAt(const Plan& plan, std::size_t axis, double where) {
  if (!std::isfinite(where)) return std::nullopt;
  const Places places = placesOf(plan, axis);
  const std::size_t place = places.nearest(where);
  const render::Limits cell = places.cell(place);
  const double rounding = 1e-9 * (cell.high - cell.low);
  if (where < cell.low - rounding || where > cell.high + rounding) return std::nullopt;
  return places.value[place];
}

std::string valueLine(double value, const DiagnosticInfo& info) {
  if (!std::isfinite(value)) return fmt::format("{}: no value", info.title);
  return fmt::format("{} {:.6g}{}{}", info.title, value, info.unit.empty() ? "" : " ", info.unit);
}

}  // namespace

Curve curveOf(const Plan& plan, const Result& result) {
  const std::string& key = (*plan.description().parameters)[plan.axes[0].parameter].key;
  const auto exact = exactOf(plan.description(), plan.measures.front());
  Curve curve;
  for (const std::size_t run : placesOf(plan, 0).value) {
    curve.x.push_back(plan.parametersOf(run).real(key));
    curve.measured.push_back(result.runs[run].diagnostics[plan.measures.front()]);
    if (exact) curve.exact.push_back(result.runs[run].diagnostics[*exact]);
  }
  return curve;
}

std::optional<std::size_t> runAt(const Plan& plan, double x, double y) {
  const auto column = valueAt(plan, 0, x);
  if (!column || plan.axes.size() == 1) return column;
  const auto row = valueAt(plan, 1, y);
  if (!row) return std::nullopt;
  return *row * plan.values[0].size() + *column;
}

std::vector<std::string> readingOf(const Plan& plan, const Result& result, std::size_t run) {
  const RunResult& own = result.runs[run];
  const Description& description = plan.description();
  std::vector<std::string> lines = {plan.label(run)};
  if (!own.failure.empty()) {
    lines.push_back(own.failure);
    return lines;
  }
  const std::size_t measure = plan.measures.front();
  lines.push_back(valueLine(own.diagnostics[measure], description.diagnostics[measure]));
  if (const auto exact = exactOf(description, measure)) {
    lines.push_back(valueLine(own.diagnostics[*exact], description.diagnostics[*exact]));
  }
  return lines;
}

std::string summaryOf(const Plan& plan, const Result& result) {
  const auto runs = static_cast<std::int64_t>(plan.runs());
  std::string text = fmt::format("{} of {} on {} in {}", counted(runs, "run"), counted(plan.steps, "step"),
                                 result.device.id, secondsText(result.seconds));
  if (result.batches > 0) {
    text +=
        fmt::format(", {} side by side in {}", result.batched == plan.runs() ? "all" : std::to_string(result.batched),
                    counted(static_cast<std::int64_t>(result.batches), "batch", "batches"));
  }
  if (const auto exact = exactOf(plan.description(), plan.measures.front())) {
    double apart = std::nan("");
    for (const RunResult& run : result.runs) {
      apart = std::fmax(apart, std::abs(run.diagnostics[plan.measures.front()] - run.diagnostics[*exact]));
    }
    if (std::isfinite(apart)) text += fmt::format("; within {:.2g} of the exact values", apart);
  }
  return text + ".";
}

std::vector<std::string> troublesOf(const Plan& plan, const Result& result) {
  std::vector<std::string> lines;
  if (const std::size_t failed = result.failed()) {
    const auto first =
        static_cast<std::size_t>(std::find_if(result.runs.begin(), result.runs.end(),
                                              [](const RunResult& run) { return !run.failure.empty(); }) -
                                 result.runs.begin());
    lines.push_back(fmt::format("{} no values. The first, {}: {}",
                                counted(static_cast<std::int64_t>(failed), "run has", "runs have"), plan.label(first),
                                result.runs[first].failure));
  }
  struct Warned {
    std::string code, line;
    std::int64_t runs = 0;
  };
  std::vector<Warned> all;
  for (std::size_t run = 0; run < result.runs.size(); ++run) {
    for (const Finding& each : result.runs[run].warnings) {
      auto known = std::find_if(all.begin(), all.end(), [&](const Warned& one) { return one.code == each.code; });
      if (known == all.end()) {
        known = all.insert(all.end(), {each.code, fmt::format("{}: {}", plan.label(run), each.message), 0});
      }
      ++known->runs;
    }
  }
  for (const Warned& each : all) {
    lines.push_back(fmt::format("{} of {} have a warning. The first, {}", each.runs,
                                counted(static_cast<std::int64_t>(plan.runs()), "run"), each.line));
  }
  return lines;
}

}  // namespace simscope::sweep
