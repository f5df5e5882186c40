#include "app/lab/notebook.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>
#include <utility>

#include "app/export/files.h"
#include "app/lab/comparison.h"
#include "app/lab/lesson_text.h"
#include "app/lab/phrases.h"
#include "sims/foreign/words.h"

namespace simscope::lab {
namespace {

std::string besideCell(double own, double other, const std::string& unit) {
  std::string text = valueText(other, unit);
  if (text.empty()) return "–";
  const double ratio = other / own;
  if (std::isfinite(ratio) && other != own) text += "  ×" + roundText(ratio, 3);
  return text;
}

}  // namespace

Notebook::Notebook(std::string device, int threads)
    : measurer_(std::move(device), threads), lesson_(lessons().front()) {
  for (const Request& request : allRequests()) parameters_.emplace(request.lesson, request.parameters);
}

const Outcome* Notebook::outcomeOf(const Lesson& lesson) const {
  const auto found = outcomes_.find(&lesson);
  return found == outcomes_.end() ? nullptr : &found->second;
}

void Notebook::measure() {
  measurer_.start({{lesson_, parameters()}}, std::numeric_limits<double>::infinity());
}

void Notebook::measureAll() {
  std::vector<Request> all;
  for (const Lesson* each : lessons()) all.push_back({each, parameters_.at(each)});
  measurer_.start(std::move(all), kAllSeconds);
}

bool Notebook::poll() {
  // In this order, so that all outcomes are taken once it is no longer busy.
  Measurer::State now = measurer_.state();
  now.share = std::floor(100 * now.share) / 100;
  bool changed = !(now == seen_);
  seen_ = now;
  for (Outcome& each : measurer_.take()) {
    const Lesson* const of = each.lesson;
    outcomes_.insert_or_assign(of, std::move(each));
    changed = true;
    ++version_;
  }
  return changed;
}

const StoredLesson* Notebook::besides() const {
  const StoredLesson* const found = beside_ ? beside_->find(lesson_->id) : nullptr;
  return found && found->failure.empty() && !found->result.rows.empty() ? found : nullptr;
}

std::optional<Result> Notebook::shown() const {
  const Outcome* const own = outcome();
  const StoredLesson* const other = besides();
  if (!own || !own->result) return other ? std::optional<Result>(other->result) : std::nullopt;
  Result both = *own->result;
  if (other) both.chart = withOther(both.chart, other->result.chart, beside_->name);
  return both;
}

bool Notebook::showsOther() const {
  const Outcome* const own = outcome();
  return (!own || !own->result) && besides() != nullptr;
}

std::vector<std::vector<std::string>> Notebook::cells() const {
  const Outcome* const own = outcome();
  const StoredLesson* const other = besides();
  if (!own || !own->result) return other ? cellsOf(other->result) : std::vector<std::vector<std::string>>();
  const Result& result = *own->result;
  const std::vector<std::vector<std::string>> all = cellsOf(result);
  if (!other) return all;
  std::vector<std::vector<std::string>> both = {all.front()};
  for (std::size_t r = 0; r < result.rows.size(); ++r) {
    both.push_back(all[r + 1]);
    const std::vector<double> values = lab::besides(result, r, other->result);
    if (values.empty()) continue;
    std::vector<std::string>& row = both.emplace_back(1, "> " + beside_->name);
    for (std::size_t c = 0; c < values.size(); ++c) {
      row.push_back(besideCell(result.rows[r].values[c], values[c], result.columns[c].unit));
    }
    row.resize(all.front().size());
  }
  return both;
}

std::string Notebook::tabbed() const {
  std::string out;
  for (const std::vector<std::string>& row : cells()) {
    for (std::size_t i = 0; i < row.size(); ++i) out += (i == 0 ? "" : "\t") + row[i];
    out += "\n";
  }
  return out;
}

std::string Notebook::besideText() const {
  if (!beside_) return {};
  const StoredLesson* const other = besides();
  if (!other) {
    const StoredLesson* const found = beside_->find(lesson_->id);
    return beside_->title() +
           (found ? " did not measure this lesson: " + found->failure : " does not have this lesson");
  }
  std::string text = beside_->title();
  const Outcome* const own = outcome();
  if (!own || !own->result) return text;
  for (const auto& [key, value] : other->parameters) {
    for (std::size_t i = 0; i < own->parameters.size(); ++i) {
      if (own->parameters.infos()[i].key == key && toText(own->parameters[i]) != value) {
        text += fmt::format("; there {} was {}", own->parameters.title(i), value);
      }
    }
  }
  return text;
}

void Notebook::write(const std::filesystem::path& file, bool overwrite) const {
  const std::string ending = file.extension().string();
  if (ending == ".csv") {
    const std::optional<Result> result = shown();
    if (!result) throw UsageError("this lesson was not measured yet");
    return exporting::writeText(file, csv(*result), overwrite);
  }
  if (ending != ".json") {
    throw UsageError(fmt::format("{} does not end in .csv or .json", foreign::quotedFile(file)));
  }
  std::vector<Outcome> all;
  for (const Lesson* each : lessons()) {
    if (const Outcome* outcome = outcomeOf(*each)) all.push_back(*outcome);
  }
  if (all.empty()) throw UsageError("nothing was measured yet");
  exporting::writeText(file, json(all, state().machine).dump(1) + "\n", overwrite);
}

}  // namespace simscope::lab
