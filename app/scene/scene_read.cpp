// Reads a scene from its document.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include "app/scene/scene.h"
#include "app/scene/scene_fields.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"
#include "sims/formula/quantity.h"
#include "sims/live/live.h"

namespace simscope {

namespace {

using nlohmann::json;

Value parameterValue(const std::string& path, const ParameterInfo& info, const json& value, const std::string& unit) {
  const std::string range = formula::rangeIn(info, unit);
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
    refuse(path, fmt::format("{} is out of range: {}", quoted(value), range));
  }
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  refuse(path, fmt::format("{} is neither a number, a text, true, nor false; allowed: {}", quoted(value), range));
}

using Former = std::map<std::string, std::string>;

bool holds(const ParameterSet& parameters, const std::string& key) {
  const auto infos = parameters.infos();
  return std::any_of(infos.begin(), infos.end(), [&](const ParameterInfo& info) { return info.key == key; });
}

// Those of former versions, which the description may know, go to `former`.
void readParameters(const json& object, Scene& scene, Former& former) {
  ParameterSet& parameters = scene.parameters;
  if (!object.is_object()) refuse("parameters", "must be an object {\"key\": value, ...}");
  for (const auto& [key, value] : object.items()) {
    const std::string path = "parameters." + foreign::shown(key);
    if (scene.description->upgrade && !holds(parameters, key)) {
      former[key] = value.is_string() ? value.get<std::string>() : value.dump();
      continue;
    }
    try {
      const std::size_t index = parameters.find(key);
      const ParameterInfo& info = parameters.infos()[index];
      const std::string& unit = parameters.unit(index);
      parameters.set(index, formula::checkedQuantity(info, parameterValue(path, info, value, unit), unit));
    } catch (const UsageError& error) {
      const std::string what = error.what();
      if (what.rfind("scene: ", 0) == 0) throw;
      refuse(path, what);
    }
  }
}

// Gives up before anything is read of strokes that are too many together.
void readStrokes(SceneFields& document, Timeline& timeline, std::vector<std::string>* ignored) {
  const json* strokes = document.list("strokes", Timeline::kMostEvents);
  if (!strokes) return;
  std::size_t left = Timeline::kMostEvents;
  for (const json& each : *strokes) {
    SceneFields fields(each, fmt::format("strokes[{}]", timeline.strokes.size()), ignored);
    Stroke stroke;
    fields.text("tool", stroke.tool);
    Brush usual;
    usual.tool = stroke.tool;
    const auto number = [](SceneFields& from, const char* key, double& value) {
      from.real(key, -kFarthestTarget, kFarthestTarget, value);
    };
    number(fields, "radius", usual.radius);
    number(fields, "strength", usual.strength);
    if (const json* events = fields.list("events", left)) {
      left -= events->size();
      for (const json& one : *events) {
        SceneFields event(one, fmt::format("{}[{}]", fields.pathOf("events"), stroke.events.size()), ignored);
        Stroke::Event read{0, usual};
        read.brush.begins = stroke.events.empty();
        event.integer("step", 0, Timeline::kLastStep, read.step);
        number(event, "x", read.brush.x);
        number(event, "y", read.brush.y);
        number(event, "z", read.brush.z);
        number(event, "dx", read.brush.dx);
        number(event, "dy", read.brush.dy);
        number(event, "dz", read.brush.dz);
        number(event, "radius", read.brush.radius);
        number(event, "strength", read.brush.strength);
        std::optional<std::size_t> shape;
        event.choice("shape", brushShapeNames(), shape);
        if (shape) read.brush.shape = static_cast<BrushShape>(*shape);
        event.integer("object", 0, Timeline::kMostObjects - 1, read.brush.object);
        event.reportUnknown();
        stroke.events.push_back(std::move(read));
      }
    }
    fields.reportUnknown();
    timeline.strokes.push_back(std::move(stroke));
  }
}

Keyframe readKeyframe(const std::string& path, const json& point) {
  const auto number = [&](std::size_t index) {
    return point[index].is_number() ? point[index].get<double>() : HUGE_VAL;
  };
  const bool list = point.is_array() && (point.size() == 2 || point.size() == 3);
  if (!list || !(std::abs(number(0)) <= kFarthestTarget) || !std::isfinite(number(1))) {
    refuse(path, quoted(point) + " is neither [time, value] nor [time, value, \"smooth\"]");
  }
  Keyframe keyframe{number(0), number(1), Easing::Linear};
  if (point.size() == 3) {
    if (point[2] != "smooth" && point[2] != "linear") refuse(path, quoted(point[2]) + " is not linear or smooth");
    if (point[2] == "smooth") keyframe.easing = Easing::Smooth;
  }
  return keyframe;
}

void readKeyframes(SceneFields& document, Timeline& timeline, std::vector<std::string>* ignored) {
  const json* tracks = document.list("keyframes", Timeline::kMostTracks);
  if (!tracks) return;
  timeline.tracks.clear();  // the preset's
  for (const json& each : *tracks) {
    SceneFields fields(each, fmt::format("keyframes[{}]", timeline.tracks.size()), ignored);
    Track track;
    fields.text("parameter", track.key);
    if (const json* points = fields.list("points", Timeline::kMostKeyframes)) {
      for (const json& point : *points) {
        const std::string path = fmt::format("{}[{}]", fields.pathOf("points"), track.keyframes.size());
        track.keyframes.push_back(readKeyframe(path, point));
      }
    }
    fields.reportUnknown();
    timeline.tracks.push_back(std::move(track));
  }
}

void readView(const json& object, const std::string& path, const Description& description,
              render::FigureOptions& figure, std::vector<std::string>* ignored) {
  SceneFields fields(object, path, ignored);
  const std::vector<std::string> views = description.viewKeys(), channels = description.channelKeys();
  fields.text("key", figure.view);
  if (!figure.view.empty() && std::find(views.begin(), views.end(), figure.view) == views.end()) {
    refuse(path + ".key",
           fmt::format("no view is named {}{}", foreign::quoted(figure.view), didYouMean(figure.view, views)));
  }
  if (const json* shown = fields.field("shown")) {
    if (!shown->is_object()) refuse(path + ".shown", "must be an object {\"channel\": true or false, ...}");
    for (const auto& [channel, value] : shown->items()) {
      if (!value.is_boolean())
        refuse(path + ".shown." + foreign::shown(channel), quoted(value) + " is neither true nor false");
      if (std::find(channels.begin(), channels.end(), channel) == channels.end()) {
        fields.ignore(fmt::format("{}.shown.{}: an unknown channel{}", path, foreign::shown(channel),
                                  didYouMean(channel, channels)));
      } else {
        figure.shown[channel] = value.get<bool>();
      }
    }
  }
  fields.limits("x", figure.x);
  fields.limits("y", figure.y);
  std::optional<std::size_t> theme, value_scale;
  fields.choice("theme", themeNames(), theme);
  if (theme) figure.theme = static_cast<render::Theme>(*theme);
  fields.text("colormap", figure.colormap);
  fields.flag("reversed", figure.reversed);
  fields.limits("range", figure.range);
  fields.choice("value_scale", valueScaleNames(), value_scale);
  if (value_scale) figure.value_scale = static_cast<FieldScale>(*value_scale);
  bool symmetric = false;
  fields.flag("symmetric", symmetric);
  if (object.contains("symmetric")) figure.symmetric = symmetric;
  fields.flag("isolines", figure.isolines);
  fields.flag("arrows", figure.arrows);
  fields.camera("camera", figure.camera);
  fields.integer("follow", -1, kLastPoint, figure.follow);
  fields.real("exposure", -kMostStops, kMostStops, figure.exposure);
  fields.real("point_size", kSmallestPoint, kLargestPoint, figure.point_size);
  fields.real("scale", kSmallestScale, kLargestScale, figure.scale);
  fields.integer("supersampling", 1, kMostSupersampling, figure.supersampling);
  fields.reportUnknown();
}

// `usual`: the preset's figure, which counts where a change does not say otherwise.
void readViewChanges(SceneFields& document, Scene& scene, const render::FigureOptions& usual,
                     std::vector<std::string>* ignored) {
  const json* changes = document.list("view_changes", kMostViewChanges);
  if (!changes) return;
  for (const json& each : *changes) {
    SceneFields fields(each, fmt::format("view_changes[{}]", scene.view_changes.size()), ignored);
    ViewChange change{0, usual};
    fields.integer("step", 0, Timeline::kLastStep, change.step);
    if (!scene.view_changes.empty() && change.step <= scene.view_changes.back().step) {
      refuse(fields.pathOf("step"),
             fmt::format("{} is not after step {}", change.step, scene.view_changes.back().step));
    }
    if (const json* view = fields.field("view")) {
      readView(*view, fields.pathOf("view"), *scene.description, change.figure, ignored);
    }
    fields.reportUnknown();
    scene.view_changes.push_back(std::move(change));
  }
}

void readMarks(SceneFields& document, Scene& scene, std::vector<std::string>* ignored) {
  const json* marks = document.list("marks", kMostMarks);
  if (!marks) return;
  for (const json& each : *marks) {
    SceneFields fields(each, fmt::format("marks[{}]", scene.marks.size()), ignored);
    FieldMark mark;
    std::optional<std::size_t> kind;
    fields.choice("kind", markKindNames(), kind);
    if (!kind) refuse(fields.pathOf("kind"), "is missing: a probe, a cut, or a ruler");
    mark.kind = static_cast<FieldMark::Kind>(*kind);
    fields.text("view", mark.view);
    const View* view = scene.description->findView(mark.view);
    if (mark.view.empty() || !view || !view->as<FieldView>()) {
      refuse(fields.pathOf("view"), fmt::format("no view of a field is named {}{}", foreign::quoted(mark.view),
                                                didYouMean(mark.view, scene.description->viewKeys())));
    }
    fields.integer("number", 1, kLargestMarkNumber, mark.number);
    for (const auto& [key, number] :
         {std::pair{"x", &mark.x}, {"y", &mark.y}, {"to_x", &mark.to_x}, {"to_y", &mark.to_y}}) {
      fields.real(key, -kFarthestTarget, kFarthestTarget, *number);
    }
    fields.reportUnknown();
    scene.marks.push_back(std::move(mark));
  }
}

void readRecorder(const json& object, Scene& scene, std::vector<std::string>* ignored) {
  SceneFields fields(object, "recorder", ignored);
  fields.integer("first_frame", 0, kMostFrames, scene.first_frame);
  fields.integer("first_step", 0, Timeline::kLastStep, scene.first_step);
  if (scene.first_frame > 0 && scene.first_step > 0) {
    refuse("recorder.first_step", "first_frame is set too; remove one of them");
  }
  fields.integer("frames", 1, kMostFrames, scene.frames);
  fields.integer("steps_per_frame", 1, kMostStepsPerFrame, scene.steps_per_frame);
  fields.real("fps", 0.01, 1000, scene.fps);
  fields.integer("width", kSmallestSide, kLargestSide, scene.figure.width);
  fields.integer("height", kSmallestSide, kLargestSide, scene.figure.height);
  fields.integer("loop", 0, kMostLoops, scene.loop);
  fields.integer("max_bytes", 0, kMostFileBytes, scene.max_bytes);
  fields.reportUnknown();
}

// What is said without keyframes takes the place of the preset's.
void dropFollowed(const json& parameters, Timeline& timeline) {
  std::erase_if(timeline.tracks, [&](const Track& track) { return parameters.contains(track.key); });
}

void upgrade(Former former, Scene& scene) {
  const ParameterSet& parameters = scene.parameters;
  try {
    scene.description->upgrade(former, scene.preset, parameters, scene.timeline.tracks);
  } catch (const UsageError& error) {
    refuse("parameters", error.what());
  }
  if (former.empty()) return;
  try {
    parameters.find(former.begin()->first);
  } catch (const UsageError& error) {
    refuse("parameters." + foreign::shown(former.begin()->first), error.what());
  }
}

}  // namespace

Scene sceneFromJson(const std::string& text, std::vector<std::string>* ignored) {
  const json document = parseDocument(text);
  SceneFields fields(document, "", ignored);

  const json* version = fields.field("simscope");
  if (!version) refuse("simscope", "is missing: this is not a scene (\"simscope\": 1 marks one)");
  if (!version->is_number_unsigned() || version->get<std::uint64_t>() < 1) {
    refuse("simscope",
           fmt::format("{} is not a format version; this program writes {}", quoted(*version), kSceneVersion));
  }
  if (version->get<std::uint64_t>() > kSceneVersion) {
    fields.ignore(
        fmt::format("simscope: the scene has format version {}, this program reads {}; unknown parts are ignored",
                    version->get<std::uint64_t>(), kSceneVersion));
  }

  std::string id, preset;
  fields.text("simulation", id);
  if (id.empty()) refuse("simulation", "is missing: name one (see simscope list)");
  if (id == live::kId) {
    refuse("simulation", "it shows an array that a script computed (simscope.show), so a scene cannot reproduce it");
  }
  fields.text("preset", preset);
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

  Former former;
  const json* const parameters = fields.field("parameters");
  if (parameters) readParameters(*parameters, scene, former);
  fields.seed("seed", scene.seed);
  readStrokes(fields, scene.timeline, ignored);
  readKeyframes(fields, scene.timeline, ignored);
  if (!former.empty()) {
    upgrade(std::move(former), scene);
  } else if (parameters && !document.contains("keyframes")) {
    dropFollowed(*parameters, scene.timeline);
  }
  const render::FigureOptions usual = scene.figure;
  if (const json* view = fields.field("view")) readView(*view, "view", description, scene.figure, ignored);
  readViewChanges(fields, scene, usual, ignored);
  readMarks(fields, scene, ignored);
  if (const json* recorder = fields.field("recorder")) readRecorder(*recorder, scene, ignored);
  for (ViewChange& each : scene.view_changes) {
    each.figure.width = scene.figure.width;
    each.figure.height = scene.figure.height;
  }
  fields.reportUnknown();
  scene.timeline = timelineOf(scene);
  try {
    scene.timeline.check(description);
  } catch (const UsageError& error) {
    throw UsageError(std::string("scene: ") + error.what());
  }
  if (ignored) {
    for (std::string& each : scene.timeline.missingObjects(description, scene.parameters)) {
      ignored->push_back(std::move(each));
    }
  }
  return scene;
}

}  // namespace simscope
