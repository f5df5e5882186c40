#include "app/scene/scene_fields.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>
#include <utility>

#include "app/scene/scene.h"
#include "sims/core/words.h"
#include "sims/foreign/nesting.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

using foreign::kDeepest;
constexpr std::size_t kMostUnknown = 20;   // fields that are named one by one, of an object
constexpr std::size_t kMostIgnored = 100;  // things that are told, of a document

// Refuses an object that has a key twice: the parser keeps the last and says nothing. (The parser's own callback takes
// time quadratic in a list's length.)
class KeysOnce final : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    open_.emplace_back();
    return true;
  }
  bool key(string_t& name) override {
    if (!open_.back().insert(name).second) {
      refuse("the document",
             fmt::format("the key {} is twice in one object; remove one of them", foreign::quoted(name)));
    }
    return true;
  }
  bool end_object() override {
    open_.pop_back();
    return true;
  }
  bool start_array(std::size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::json::exception&) override { return false; }

 private:
  std::vector<std::set<std::string>> open_;
};

bool isUtf8(const std::string& text) {
  try {
    static_cast<void>(nlohmann::json(text).dump());
    return true;
  } catch (const nlohmann::json::type_error&) {
    return false;
  }
}

// What to change where a text stops being JSON, as far as others' dialects of it (JSON5, Python, JSON lines) tell.
std::string cureAt(const std::string& text, std::size_t end) {
  if (text.find('\0') != std::string::npos) return ": it has a character NUL. Save it as UTF-8.";
  if (end >= text.size()) return " (the document ends too early)";
  if (!isUtf8(text)) return ": it is not UTF-8. Save it as UTF-8.";
  const std::string_view rest = std::string_view(text).substr(end);
  const std::size_t last = end == 0 ? std::string::npos : text.find_last_not_of(" \t\r\n", end - 1);
  const char before = last == std::string::npos ? '\0' : text[last];
  if (rest[0] == '#' || rest[0] == '/') return ": JSON has no comments. Remove this one.";
  if ((rest[0] == '}' || rest[0] == ']') && before == ',') return ": remove the comma before this.";
  if (rest[0] == '\'' || rest.starts_with("\u201c") || rest.starts_with("\u201d")) {
    return ": keys and texts are in double quotes, \"…\".";
  }
  if (rest.starts_with("NaN") || rest.starts_with("Inf")) return ": JSON has no NaN and no Infinity. Write a number.";
  if (rest.starts_with("True") || rest.starts_with("False") || rest.starts_with("None")) {
    return ": JSON writes true, false, and null.";
  }
  if (nlohmann::json::accept(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(end))) {
    return ": the document ends before this. A file holds one scene.";
  }
  return "";
}

}  // namespace

void refuse(const std::string& path, const std::string& why) {
  throw UsageError("scene: " + path + ": " + why);
}

std::string quoted(const nlohmann::json& value) {
  std::string text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  constexpr std::size_t kMost = 60;
  return foreign::shown(text, kMost);
}

nlohmann::json parseDocument(const std::string& text) {
  if (foreign::nestedOver(text, kDeepest)) {
    throw UsageError(fmt::format("scene: objects and lists nested over {} deep", kDeepest));
  }
  try {
    nlohmann::json document = nlohmann::json::parse(text);
    // To the parser a NUL is the document's end, whatever follows.
    if (text.find('\0') != std::string::npos) refuse("the document", "this is not JSON" + cureAt(text, 0));
    KeysOnce keys;
    nlohmann::json::sax_parse(text, &keys);
    return document;
  } catch (const nlohmann::json::parse_error& error) {
    // The byte that the parser names counts from 1.
    const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + end, '\n'));
    const std::size_t line_start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t column = line_start == std::string::npos ? end + 1 : end - line_start;
    throw UsageError(fmt::format("scene: line {}, column {}: this is not JSON{}", line, column, cureAt(text, end)));
  } catch (const nlohmann::json::exception&) {
    throw UsageError("scene: a number in the document is too large to be stored");
  }
}

SceneFields::SceneFields(const json& object, std::string path, std::vector<std::string>* ignored)
    : object_(object), path_(std::move(path)), ignored_(ignored) {
  if (!object_.is_object()) refuse(path_.empty() ? "the document" : path_, "must be an object {...}");
}

const SceneFields::json* SceneFields::field(const std::string& key) {
  known_.push_back(key);
  const auto found = object_.find(key);
  return found == object_.end() ? nullptr : &*found;
}

const SceneFields::json* SceneFields::list(const std::string& key, std::size_t most) {
  const json* found = field(key);
  if (!found) return nullptr;
  if (!found->is_array()) refuse(pathOf(key), quoted(*found) + " is not a list [...]");
  if (found->size() > most)
    refuse(pathOf(key), fmt::format("a list of {} is too long; at most {}", found->size(), most));
  return found;
}

void SceneFields::text(const std::string& key, std::string& value) {
  const json* found = field(key);
  if (!found) return;
  if (!found->is_string()) refuse(pathOf(key), fmt::format("{} is not a text", quoted(*found)));
  value = found->get<std::string>();
}

void SceneFields::choice(const std::string& key, const std::vector<std::string>& names,
                         std::optional<std::size_t>& value) {
  std::string name;
  text(key, name);
  if (!object_.contains(key)) return;
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) {
    refuse(pathOf(key), fmt::format("{} is not one of {}{}", foreign::quoted(name), fmt::join(names, ", "),
                                    didYouMean(name, names)));
  }
  value = static_cast<std::size_t>(found - names.begin());
}

std::optional<std::int64_t> SceneFields::whole(const std::string& key, std::int64_t low, std::int64_t high) {
  const json* found = field(key);
  if (!found) return std::nullopt;
  const bool beyond = found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
  const std::int64_t number = found->is_number_integer() && !beyond ? found->get<std::int64_t>() : low - 1;
  if (number < low || number > high) {
    refuse(pathOf(key), fmt::format("{} is not a whole number from {} to {}", quoted(*found), low, high));
  }
  return number;
}

void SceneFields::real(const std::string& key, double low, double high, double& value) {
  const json* found = field(key);
  if (!found) return;
  const double number = found->is_number() ? found->get<double>() : std::nan("");
  if (!(number >= low && number <= high)) {
    refuse(pathOf(key), fmt::format("{} is not a number from {} to {}", quoted(*found), low, high));
  }
  value = number;
}

void SceneFields::flag(const std::string& key, bool& value) {
  const json* found = field(key);
  if (!found) return;
  if (!found->is_boolean()) refuse(pathOf(key), quoted(*found) + " is neither true nor false");
  value = found->get<bool>();
}

void SceneFields::seed(const std::string& key, std::uint64_t& value) {
  const json* found = field(key);
  if (!found) return;
  if (!found->is_number_unsigned()) {
    refuse(pathOf(key), fmt::format("{} is not a whole number from 0 to {}", quoted(*found), UINT64_MAX));
  }
  value = found->get<std::uint64_t>();
}

void SceneFields::limits(const std::string& key, std::optional<render::Limits>& value) {
  const json* found = field(key);
  if (!found) return;
  const auto finite = [](const json& number) { return number.is_number() && std::isfinite(number.get<double>()); };
  if (!found->is_array() || found->size() != 2 || !finite((*found)[0]) || !finite((*found)[1]) ||
      !((*found)[0].get<double>() < (*found)[1].get<double>())) {
    refuse(pathOf(key), fmt::format("{} is not [low, high] with low < high", quoted(*found)));
  }
  value = render::Limits{(*found)[0].get<double>(), (*found)[1].get<double>()};
}

void SceneFields::camera(const std::string& key, std::optional<Camera>& value) {
  const json* found = field(key);
  if (!found) return;
  SceneFields fields(*found, pathOf(key), ignored_);
  Camera camera = value.value_or(Camera{});
  fields.real("azimuth", -kMostDegrees, kMostDegrees, camera.azimuth);
  fields.real("elevation", -90, 90, camera.elevation);
  fields.real("zoom", kSmallestZoom, kLargestZoom, camera.zoom);
  if (const json* target = fields.field("target")) {
    const auto near = [](const json& number) {
      return number.is_number() && std::abs(number.get<double>()) <= kFarthestTarget;
    };
    if (!target->is_array() || target->size() != 3 || !std::all_of(target->begin(), target->end(), near)) {
      refuse(fields.pathOf("target"), fmt::format("{} is not [x, y, z], each from {:g} to {:g}", quoted(*target),
                                                  -kFarthestTarget, kFarthestTarget));
    }
    camera.x = (*target)[0].get<double>();
    camera.y = (*target)[1].get<double>();
    camera.z = (*target)[2].get<double>();
  }
  fields.reportUnknown();
  value = camera;
}

void SceneFields::ignore(const std::string& what) const {
  if (!ignored_ || ignored_->size() > kMostIgnored) return;
  ignored_->push_back(ignored_->size() < kMostIgnored ? what : "and more of this");
}

void SceneFields::reportUnknown() const {
  std::size_t unknown = 0;
  for (const auto& [key, value] : object_.items()) {
    if (std::find(known_.begin(), known_.end(), key) != known_.end() || ++unknown > kMostUnknown) continue;
    ignore(fmt::format("{}: an unknown field{}", pathOf(foreign::shown(key)), didYouMean(key, known_)));
  }
  if (unknown > kMostUnknown) {
    ignore(fmt::format("{}: {}", path_.empty() ? "the document" : path_,
                       counted(static_cast<std::int64_t>(unknown - kMostUnknown), "more unknown field")));
  }
}

}  // namespace simscope
