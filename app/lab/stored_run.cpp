#include "app/lab/stored_run.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <limits>

#include "app/lab/lesson_text.h"
#include "sims/foreign/file.h"
#include "sims/foreign/nesting.h"
#include "sims/foreign/words.h"

namespace simscope::lab {
namespace {

using Document = nlohmann::json;

constexpr int kDeepest = 16;
constexpr std::size_t kMostLessons = 200, kMostColumns = 32, kMostRows = 1000, kMostCurves = 64, kMostPlaces = 4096,
                      kMostNotes = 50, kMostParameters = 100;
constexpr std::size_t kLongestWord = 200, kLongestText = 2000;  // bytes

// A place in the document, for messages: "lessons[2].rows[0]".
class Place {
 public:
  Place(const Document& value, std::string path) : value_(value), path_(std::move(path)) {}

  [[noreturn]] void refuse(const std::string& why) const {
    throw UsageError((path_.empty() ? std::string("the document") : path_) + " " + why);
  }
  bool has(const char* key) const { return object().contains(key); }
  bool isNull() const { return value_.is_null(); }
  Place at(const char* key) const {
    const auto found = object().find(key);
    if (found == value_.end()) refuse(fmt::format("has no \"{}\"", key));
    return {*found, path_.empty() ? key : path_ + "." + key};
  }
  std::string text(const char* key, std::size_t longest = kLongestWord) const {
    return has(key) ? at(key).asText(longest) : std::string();
  }
  // Fit to be shown.
  std::string asText(std::size_t longest = kLongestWord) const {
    if (!value_.is_string()) refuse("is not a text");
    return foreign::shown(value_.get_ref<const std::string&>(), longest);
  }
  bool flag(const char* key) const {
    if (!has(key)) return false;
    const Place place = at(key);
    if (!place.value_.is_boolean()) place.refuse("must be true or false");
    return place.value_.get<bool>();
  }
  double number() const {
    if (!value_.is_number()) refuse("is not a number");
    const double number = value_.get<double>();
    if (!std::isfinite(number)) refuse("is too large");
    return number;
  }
  double numberOrNone() const { return isNull() ? std::numeric_limits<double>::quiet_NaN() : number(); }
  std::vector<Place> list(const char* key, std::size_t most) const {
    if (!has(key)) return {};
    const Place place = at(key);
    if (!place.value_.is_array()) place.refuse("is not a list");
    if (place.value_.size() > most) place.refuse(fmt::format("has {} entries; at most {}", place.value_.size(), most));
    std::vector<Place> all;
    for (std::size_t i = 0; i < place.value_.size(); ++i) {
      all.emplace_back(place.value_[i], fmt::format("{}[{}]", place.path_, i));
    }
    return all;
  }
  std::vector<double> numbers(const char* key, std::size_t most) const {
    std::vector<double> all;
    for (const Place& each : list(key, most)) all.push_back(each.numberOrNone());
    return all;
  }
  std::vector<std::string> texts(const char* key, std::size_t most, std::size_t longest) const {
    std::vector<std::string> all;
    for (const Place& each : list(key, most)) all.push_back(each.asText(longest));
    return all;
  }
  const Document& object() const {
    if (!value_.is_object()) refuse("is not an object");
    return value_;
  }

 private:
  const Document& value_;
  std::string path_;
};

AxisInfo axisOf(const Place& place) {
  AxisInfo axis;
  axis.title = place.text("title");
  axis.unit = place.text("unit");
  axis.decades = place.flag("decades");
  return axis;
}

Chart chartOf(const Place& place) {
  Chart chart;
  chart.title = place.text("title");
  if (place.has("x")) chart.x = axisOf(place.at("x"));
  if (place.has("y")) chart.y = axisOf(place.at("y"));
  if (place.has("first")) chart.first = place.at("first").number();
  if (place.has("last")) chart.last = place.at("last").number();
  chart.names = place.texts("names", kMostPlaces, kLongestWord);
  std::size_t places = chart.names.size();
  for (const Place& each : place.list("curves", kMostCurves)) {
    Curve curve{each.text("title"), each.numbers("values", kMostPlaces), each.flag("expected")};
    if (places == 0) places = curve.values.size();
    if (curve.values.size() != places) {
      each.refuse(fmt::format("has {} values for {} places", curve.values.size(), places));
    }
    chart.curves.push_back(std::move(curve));
  }
  return chart;
}

StoredLesson lessonOf(const Place& place) {
  StoredLesson lesson;
  lesson.id = place.at("lesson").asText();
  if (lesson.id.empty()) place.at("lesson").refuse("is empty");
  lesson.title = place.text("title");
  if (place.has("parameters")) {
    const Document& values = place.at("parameters").object();
    if (values.size() > kMostParameters) place.at("parameters").refuse("has too many entries");
    for (const auto& [key, value] : values.items()) {
      lesson.parameters.emplace_back(foreign::shown(key), Place(value, "parameters").asText());
    }
  }
  lesson.failure = place.text("failure", kLongestText);
  if (!lesson.failure.empty()) return lesson;
  Result& result = lesson.result;
  for (const Place& each : place.list("columns", kMostColumns)) {
    result.columns.push_back({each.at("title").asText(), each.text("unit")});
  }
  for (const Place& each : place.list("rows", kMostRows)) {
    Row row{each.at("name").asText(), each.numbers("values", kMostColumns), each.text("note"),
            each.numbers("spreads", kMostColumns)};
    if (row.values.size() != result.columns.size()) {
      each.refuse(fmt::format("has {} values for {} columns", row.values.size(), result.columns.size()));
    }
    if (!row.spreads.empty() && row.spreads.size() != row.values.size()) {
      each.refuse(fmt::format("has {} spreads for {} values", row.spreads.size(), row.values.size()));
    }
    result.rows.push_back(std::move(row));
  }
  if (place.has("chart")) result.chart = chartOf(place.at("chart"));
  result.finding = place.text("finding", kLongestText);
  result.notes = place.texts("notes", kMostNotes, kLongestText);
  return lesson;
}

}  // namespace

const StoredLesson* StoredRun::find(const std::string& id) const {
  for (const StoredLesson& each : lessons) {
    if (each.id == id) return &each;
  }
  return nullptr;
}

nlohmann::ordered_json json(const std::vector<Outcome>& outcomes, const std::string& machine) {
  using Json = nlohmann::ordered_json;
  Json all = Json::array();
  for (const Outcome& each : outcomes) {
    if (each.result) {
      all.push_back(json(*each.lesson, each.parameters, *each.result));
      all.back()["seconds"] = each.seconds;
    } else {
      all.push_back({{"lesson", each.lesson->id}, {"title", each.lesson->title}, {"failure", each.failure}});
    }
  }
  return {{"simscope_lab", 1}, {"machine", machine}, {"lessons", all}};
}

StoredRun runOf(std::string_view text, const std::string& name) {
  if (foreign::nestedOver(text, kDeepest)) {
    throw UsageError(fmt::format("objects and lists are nested over {} deep", kDeepest));
  }
  // Numbers that no double holds are refused by the parser, too.
  const Document document = Document::parse(text.begin(), text.end(), nullptr, false);
  if (document.is_discarded()) throw UsageError("this is not JSON, or it ends too early");
  const Place whole(document, "");
  StoredRun run{name, whole.text("machine"), {}};
  if (whole.has("lessons")) {
    for (const Place& each : whole.list("lessons", kMostLessons)) run.lessons.push_back(lessonOf(each));
  } else if (whole.has("lesson")) {
    run.lessons.push_back(lessonOf(whole));
  } else {
    throw UsageError("this is not a file of lab measurements: \"lesson\" and \"lessons\" are missing");
  }
  if (run.lessons.empty()) throw UsageError("it contains no lesson");
  return run;
}

StoredRun readRun(const std::filesystem::path& file) {
  try {
    return runOf(foreign::readFile(file, kLargestRunFile), foreign::shownFile(file.filename()));
  } catch (const UsageError& error) {
    throw UsageError(foreign::quotedFile(file) + ": " + error.what());
  }
}

}  // namespace simscope::lab
