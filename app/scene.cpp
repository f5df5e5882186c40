#include "app/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/export/embedded.h"
#include "sims/core/registry.h"

namespace simscope {

namespace {

using nlohmann::json;

constexpr int kVersion = 1;
constexpr std::uintmax_t kLargestFile = 16u << 20;

[[noreturn]] void refuse(const std::string& path, const std::string& why) {
  throw UsageError("scene: " + path + ": " + why);
}

std::string quoted(const json& value) {
  std::string text = value.dump(-1, ' ', false, json::error_handler_t::replace);
  if (text.size() > 60) text = text.substr(0, 57) + "...";
  return text;
}

std::string suggestion(const std::string& name, const std::vector<std::string>& known) {
  const std::string close = closestName(name, known);
  return close.empty() ? "" : fmt::format("; did you mean '{}'?", close);
}

// Reads the fields of one object of the document, and reports those that nobody asked for.
class Reader {
 public:
  Reader(const json& object, std::string path, std::vector<std::string>* ignored)
      : object_(object), path_(std::move(path)), ignored_(ignored) {
    if (!object_.is_object()) refuse(path_.empty() ? "the document" : path_, "must be an object {...}");
  }

  std::string pathOf(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  // Null where the field is missing.
  const json* field(const std::string& key) {
    known_.push_back(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  void text(const std::string& key, std::string& value) {
    if (const json* found = field(key)) {
      if (!found->is_string()) refuse(pathOf(key), fmt::format("{} is not a text", quoted(*found)));
      value = found->get<std::string>();
    }
  }

  template <class Integer>
  void integer(const std::string& key, std::int64_t low, std::int64_t high, Integer& value) {
    const json* found = field(key);
    if (!found) return;
    const bool beyond = found->is_number_unsigned() && found->get<std::uint64_t>() > std::uint64_t{INT64_MAX};
    const std::int64_t number = found->is_number_integer() && !beyond ? found->get<std::int64_t>() : low - 1;
    if (number < low || number > high) {
      refuse(pathOf(key), fmt::format("{} is not a whole number from {} to {}", quoted(*found), low, high));
    }
    value = static_cast<Integer>(number);
  }

  void real(const std::string& key, double low, double high, double& value) {
    const json* found = field(key);
    if (!found) return;
    const double number = found->is_number() ? found->get<double>() : std::nan("");
    if (!(number >= low && number <= high)) {
      refuse(pathOf(key), fmt::format("{} is not a number from {} to {}", quoted(*found), low, high));
    }
    value = number;
  }

  void flag(const std::string& key, bool& value) {
    if (const json* found = field(key)) {
      if (!found->is_boolean()) refuse(pathOf(key), quoted(*found) + " is neither true nor false");
      value = found->get<bool>();
    }
  }

  void seed(const std::string& key, std::uint64_t& value) {
    const json* found = field(key);
    if (!found) return;
    if (!found->is_number_unsigned()) {
      refuse(pathOf(key), fmt::format("{} is not a whole number from 0 to {}", quoted(*found), UINT64_MAX));
    }
    value = found->get<std::uint64_t>();
  }

  void limits(const std::string& key, std::optional<render::Limits>& value) {
    const json* found = field(key);
    if (!found) return;
    const auto finite = [](const json& number) { return number.is_number() && std::isfinite(number.get<double>()); };
    if (!found->is_array() || found->size() != 2 || !finite((*found)[0]) || !finite((*found)[1]) ||
        !((*found)[0].get<double>() < (*found)[1].get<double>())) {
      refuse(pathOf(key), fmt::format("{} is not [low, high] with low < high", quoted(*found)));
    }
    value = render::Limits{(*found)[0].get<double>(), (*found)[1].get<double>()};
  }

  void camera(const std::string& key, std::optional<Camera>& value) {
    const json* found = field(key);
    if (!found) return;
    Reader reader(*found, pathOf(key), ignored_);
    Camera camera = value.value_or(Camera{});
    reader.real("azimuth", -kMostDegrees, kMostDegrees, camera.azimuth);
    reader.real("elevation", -90, 90, camera.elevation);
    reader.real("zoom", kSmallestZoom, kLargestZoom, camera.zoom);
    if (const json* target = reader.field("target")) {
      const auto near = [](const json& number) {
        return number.is_number() && std::abs(number.get<double>()) <= kFarthestTarget;
      };
      if (!target->is_array() || target->size() != 3 || !std::all_of(target->begin(), target->end(), near)) {
        refuse(reader.pathOf("target"), fmt::format("{} is not [x, y, z], each from {:g} to {:g}", quoted(*target),
                                                    -kFarthestTarget, kFarthestTarget));
      }
      camera.x = (*target)[0].get<double>();
      camera.y = (*target)[1].get<double>();
      camera.z = (*target)[2].get<double>();
    }
    reader.reportUnknown();
    value = camera;
  }

  void ignore(const std::string& what) const {
    if (ignored_) ignored_->push_back(what);
  }

  void reportUnknown() const {
    for (const auto& [key, value] : object_.items()) {
      if (std::find(known_.begin(), known_.end(), key) != known_.end()) continue;
      ignore(fmt::format("{}: an unknown field{}", pathOf(key), suggestion(key, known_)));
    }
  }

 private:
  const json& object_;
  std::string path_;
  std::vector<std::string>* ignored_;
  std::vector<std::string> known_;
};

json toJsonValue(const Value& value) {
  return std::visit([](const auto& each) { return json(each); }, value);
}

Value parameterValue(const std::string& path, const ParameterInfo& info, const json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    refuse(path, fmt::format("{} is out of range: {}", quoted(value), rangeText(info)));
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  refuse(path,
         fmt::format("{} is neither a number, a text, true, nor false; allowed: {}", quoted(value), rangeText(info)));
}

void readParameters(const json& object, ParameterSet& parameters) {
  if (!object.is_object()) refuse("parameters", "must be an object {\"key\": value, ...}");
  for (const auto& [key, value] : object.items()) {
    const std::string path = "parameters." + key;
    try {
      const std::size_t index = parameters.find(key);
      const ParameterInfo& info = parameters.infos()[index];
      parameters.set(index, checkedValue(info, parameterValue(path, info, value)));
    } catch (const UsageError& error) {
      const std::string what = error.what();
      if (what.rfind("scene: ", 0) == 0) throw;
      refuse(path, what);
    }
  }
}

void readView(const json& object, Scene& scene, std::vector<std::string>* ignored) {
  Reader reader(object, "view", ignored);
  const std::vector<std::string> views = scene.description->viewKeys(), channels = scene.description->channelKeys();
  reader.text("key", scene.figure.view);
  if (!scene.figure.view.empty() && std::find(views.begin(), views.end(), scene.figure.view) == views.end()) {
    refuse("view.key", fmt::format("there is no view '{}'{}", scene.figure.view, suggestion(scene.figure.view, views)));
  }
  if (const json* shown = reader.field("shown")) {
    if (!shown->is_object()) refuse("view.shown", "must be an object {\"channel\": true or false, ...}");
    for (const auto& [channel, value] : shown->items()) {
      if (!value.is_boolean()) refuse("view.shown." + channel, quoted(value) + " is neither true nor false");
      if (std::find(channels.begin(), channels.end(), channel) == channels.end()) {
        reader.ignore(fmt::format("view.shown.{}: an unknown channel{}", channel, suggestion(channel, channels)));
      } else {
        scene.figure.shown[channel] = value.get<bool>();
      }
    }
  }
  reader.limits("x", scene.figure.x);
  reader.limits("y", scene.figure.y);
  std::string theme = scene.figure.theme == render::Theme::Light ? "light" : "dark";
  reader.text("theme", theme);
  if (theme != "dark" && theme != "light") refuse("view.theme", fmt::format("'{}' is neither dark nor light", theme));
  scene.figure.theme = theme == "light" ? render::Theme::Light : render::Theme::Dark;
  reader.text("colormap", scene.figure.colormap);
  reader.flag("reversed", scene.figure.reversed);
  reader.limits("range", scene.figure.range);
  reader.flag("isolines", scene.figure.isolines);
  reader.flag("arrows", scene.figure.arrows);
  reader.camera("camera", scene.figure.camera);
  reader.integer("follow", -1, kLastPoint, scene.figure.follow);
  reader.real("exposure", -kMostStops, kMostStops, scene.figure.exposure);
  reader.real("point_size", kSmallestPoint, kLargestPoint, scene.figure.point_size);
  reader.real("scale", kSmallestScale, kLargestScale, scene.figure.scale);
  reader.reportUnknown();
}

void readRecorder(const json& object, Scene& scene, std::vector<std::string>* ignored) {
  Reader reader(object, "recorder", ignored);
  reader.integer("frames", 1, kMostFrames, scene.frames);
  reader.integer("steps_per_frame", 1, kMostStepsPerFrame, scene.steps_per_frame);
  reader.real("fps", 0.01, 1000, scene.fps);
  reader.integer("width", kSmallestSide, kLargestSide, scene.figure.width);
  reader.integer("height", kSmallestSide, kLargestSide, scene.figure.height);
  reader.reportUnknown();
}

json parse(const std::string& text) {
  try {
    return json::parse(text);
  } catch (const json::parse_error& error) {
    // The byte that the parser names counts from 1.
    const std::size_t end = std::min(text.size(), error.byte > 0 ? error.byte - 1 : 0);
    const std::size_t line = 1 + static_cast<std::size_t>(std::count(text.begin(), text.begin() + end, '\n'));
    const std::size_t line_start = end == 0 ? std::string::npos : text.rfind('\n', end - 1);
    const std::size_t column = line_start == std::string::npos ? end + 1 : end - line_start;
    throw UsageError(fmt::format("scene: line {}, column {}: this is not JSON{}", line, column,
                                 end >= text.size() ? " (the document ends too early)" : ""));
  } catch (const json::exception&) {
    throw UsageError("scene: a number in the document is too large to be stored");
  }
}

}  // namespace

Scene Scene::fromPreset(const Description& description, const std::string& preset) {
  Scene scene;
  scene.description = &description;
  scene.preset = preset;
  scene.parameters = preset.empty() ? description.defaults() : description.preset(preset);
  if (preset.empty() && description.presets.empty()) return scene;
  const Preset& info = preset.empty() ? description.presets.front() : description.presetInfo(preset);
  scene.frames = info.frames;
  scene.steps_per_frame = info.steps_per_frame;
  if (!preset.empty()) {
    scene.figure.view = info.view;
    scene.figure.camera = info.camera;
  }
  return scene;
}

std::string toJson(const Scene& scene, bool pretty) {
  const Description& description = *scene.description;
  nlohmann::ordered_json document;
  document["simscope"] = kVersion;
  document["simulation"] = description.id;
  if (!scene.preset.empty()) document["preset"] = scene.preset;
  const ParameterSet base = scene.preset.empty() ? description.defaults() : description.preset(scene.preset);
  document["parameters"] = json::object();
  for (const std::size_t index : scene.parameters.changed(base)) {
    document["parameters"][scene.parameters.infos()[index].key] = toJsonValue(scene.parameters[index]);
  }
  document["seed"] = scene.seed;

  nlohmann::ordered_json view;
  // A preset's own view and camera count where none are written.
  const Preset preset = scene.preset.empty() ? Preset{} : description.presetInfo(scene.preset);
  if (!scene.figure.view.empty() || !preset.view.empty()) {
    view["key"] = scene.figure.view.empty() ? description.openingView() : scene.figure.view;
  }
  if (!scene.figure.shown.empty()) view["shown"] = scene.figure.shown;
  if (scene.figure.x) view["x"] = {scene.figure.x->low, scene.figure.x->high};
  if (scene.figure.y) view["y"] = {scene.figure.y->low, scene.figure.y->high};
  if (!scene.figure.colormap.empty()) view["colormap"] = scene.figure.colormap;
  if (scene.figure.reversed) view["reversed"] = true;
  if (scene.figure.range) view["range"] = {scene.figure.range->low, scene.figure.range->high};
  if (scene.figure.isolines) view["isolines"] = true;
  if (scene.figure.arrows) view["arrows"] = true;
  if (scene.figure.camera || preset.camera) {
    const Camera camera = scene.figure.camera.value_or(Camera{});
    view["camera"] = {{"azimuth", camera.azimuth},
                      {"elevation", camera.elevation},
                      {"zoom", camera.zoom},
                      {"target", {camera.x, camera.y, camera.z}}};
  }
  if (scene.figure.follow >= 0) view["follow"] = scene.figure.follow;
  if (scene.figure.exposure != 0) view["exposure"] = scene.figure.exposure;
  if (scene.figure.point_size != 1) view["point_size"] = scene.figure.point_size;
  view["theme"] = scene.figure.theme == render::Theme::Light ? "light" : "dark";
  view["scale"] = scene.figure.scale;
  document["view"] = view;

  document["recorder"] = {{"frames", scene.frames},
                          {"steps_per_frame", scene.steps_per_frame},
                          {"fps", scene.fps},
                          {"width", scene.figure.width},
                          {"height", scene.figure.height}};
  return pretty ? document.dump(2) + "\n" : document.dump();
}

Scene sceneFromJson(const std::string& text, std::vector<std::string>* ignored) {
  const json document = parse(text);
  Reader reader(document, "", ignored);

  const json* version = reader.field("simscope");
  if (!version) refuse("simscope", "is missing: this is not a scene (\"simscope\": 1 marks one)");
  if (!version->is_number_unsigned() || version->get<std::uint64_t>() < 1) {
    refuse("simscope", fmt::format("{} is not a format version; this program writes {}", quoted(*version), kVersion));
  }
  if (version->get<std::uint64_t>() > kVersion) {
    reader.ignore(
        fmt::format("simscope: the scene has format version {}, this program reads {}; what it does not know "
                    "is left out",
                    version->get<std::uint64_t>(), kVersion));
  }

  std::string id, preset;
  reader.text("simulation", id);
  if (id.empty()) refuse("simulation", "is missing: name one (see simscope list)");
  reader.text("preset", preset);
  Scene scene;
  const auto resolve = [](const std::string& path, auto&& body) {
    try {
      return body();
    } catch (const UsageError& error) {
      refuse(path, error.what());
    }
  };
  const Description& description =
      resolve("simulation", [&]() -> std::reference_wrapper<const Description> { return simulationById(id); });
  scene = resolve("preset", [&] { return Scene::fromPreset(description, preset); });

  if (const json* parameters = reader.field("parameters")) readParameters(*parameters, scene.parameters);
  reader.seed("seed", scene.seed);
  if (const json* view = reader.field("view")) readView(*view, scene, ignored);
  if (const json* recorder = reader.field("recorder")) readRecorder(*recorder, scene, ignored);
  reader.reportUnknown();
  return scene;
}

Scene readScene(const std::filesystem::path& file, std::vector<std::string>* ignored) {
  std::string extension = file.extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  try {
    std::error_code failed;
    if (std::filesystem::is_directory(file, failed)) throw UsageError("this is a folder; name a scene file");
    if (extension == ".gif" || extension == ".png") return sceneFromJson(exporting::readEmbeddedScene(file), ignored);

    std::ifstream stream(file, std::ios::binary);
    if (!stream) {
      const std::string why = std::filesystem::exists(file, failed) ? "cannot be read" : "there is no such file";
      throw UsageError(why);
    }
    const std::uintmax_t size = std::filesystem::file_size(file, failed);
    if (!failed && size > kLargestFile) throw UsageError("this is too large to be a scene (over 16 MiB)");
    const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
    if (stream.bad()) throw UsageError("cannot be read");
    return sceneFromJson(text, ignored);
  } catch (const UsageError& error) {
    const std::string what = error.what();
    if (what.find(file.string()) != std::string::npos) throw;
    throw UsageError(file.string() + ": " + what);
  }
}

}  // namespace simscope
