// Writes a scene as its document. Default values are left out.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "app/scene/scene.h"

namespace simscope {

namespace {

using json = nlohmann::ordered_json;

json toJsonValue(const Value& value) {
  return std::visit([](const auto& each) { return json(each); }, value);
}

// The value that all events have, or the brush's usual one.
double shared(const Stroke& stroke, double Brush::*number) {
  const double first = stroke.events.front().brush.*number;
  const bool same = std::all_of(stroke.events.begin(), stroke.events.end(),
                                [&](const Stroke::Event& each) { return each.brush.*number == first; });
  return same ? first : Brush{}.*number;
}

json toJson(const Stroke& stroke) {
  json object;
  object["tool"] = stroke.tool;
  Brush usual;
  usual.radius = shared(stroke, &Brush::radius);
  usual.strength = shared(stroke, &Brush::strength);
  if (usual.radius != Brush{}.radius) object["radius"] = usual.radius;
  if (usual.strength != Brush{}.strength) object["strength"] = usual.strength;
  object["events"] = json::array();
  for (const Stroke::Event& each : stroke.events) {
    json event = json::object();
    if (each.step != 0) event["step"] = each.step;
    static constexpr std::pair<const char*, double Brush::*> kNumbers[] = {
        {"x", &Brush::x},   {"y", &Brush::y},   {"z", &Brush::z},           {"dx", &Brush::dx},
        {"dy", &Brush::dy}, {"dz", &Brush::dz}, {"radius", &Brush::radius}, {"strength", &Brush::strength}};
    for (const auto& [key, number] : kNumbers) {
      if (each.brush.*number != usual.*number) event[key] = each.brush.*number;
    }
    if (each.brush.shape != BrushShape::Way) {
      event["shape"] = brushShapeNames()[static_cast<std::size_t>(each.brush.shape)];
    }
    if (each.brush.object >= 0) event["object"] = each.brush.object;
    object["events"].push_back(std::move(event));
  }
  return object;
}

json toJson(const Track& track) {
  json points = json::array();
  for (const Keyframe& each : track.keyframes) {
    json point = {each.time, each.value};
    if (each.easing == Easing::Smooth) point.push_back("smooth");
    points.push_back(std::move(point));
  }
  return {{"parameter", track.key}, {"points", std::move(points)}};
}

json viewOf(const Scene& scene, const render::FigureOptions& figure) {
  const Description& description = *scene.description;
  json view;
  // A preset's own view and camera count where none are written.
  const Preset preset = scene.preset.empty() ? Preset{} : description.presetInfo(scene.preset);
  if (!figure.view.empty() || !preset.view.empty()) {
    view["key"] = description.view(figure.view).key;
  }
  if (!figure.shown.empty()) view["shown"] = figure.shown;
  if (figure.x) view["x"] = {figure.x->low, figure.x->high};
  if (figure.y) view["y"] = {figure.y->low, figure.y->high};
  if (!figure.colormap.empty()) view["colormap"] = figure.colormap;
  if (figure.reversed) view["reversed"] = true;
  if (figure.range) view["range"] = {figure.range->low, figure.range->high};
  if (figure.value_scale) view["value_scale"] = valueScaleNames()[static_cast<std::size_t>(*figure.value_scale)];
  if (figure.symmetric) view["symmetric"] = *figure.symmetric;
  if (figure.isolines) view["isolines"] = true;
  if (figure.arrows) view["arrows"] = true;
  if (figure.camera || preset.camera) {
    const Camera camera = figure.camera.value_or(Camera{});
    view["camera"] = {{"azimuth", camera.azimuth},
                      {"elevation", camera.elevation},
                      {"zoom", camera.zoom},
                      {"target", {camera.x, camera.y, camera.z}}};
  }
  if (figure.follow >= 0) view["follow"] = figure.follow;
  if (figure.exposure != 0) view["exposure"] = figure.exposure;
  if (figure.point_size != 1) view["point_size"] = figure.point_size;
  view["theme"] = themeNames()[static_cast<std::size_t>(figure.theme)];
  view["scale"] = figure.scale;
  if (figure.supersampling != 1) view["supersampling"] = figure.supersampling;
  return view;
}

json toJson(const FieldMark& mark) {
  json object;
  object["kind"] = markKindNames()[static_cast<std::size_t>(mark.kind)];
  object["view"] = mark.view;
  object["number"] = mark.number;
  object["x"] = mark.x;
  object["y"] = mark.y;
  if (mark.kind != FieldMark::Kind::Probe) {
    object["to_x"] = mark.to_x;
    object["to_y"] = mark.to_y;
  }
  return object;
}

json recorderOf(const Scene& scene) {
  json recorder;
  if (scene.first_step != 0) recorder["first_step"] = scene.first_step;
  if (scene.first_frame != 0) recorder["first_frame"] = scene.first_frame;
  recorder["frames"] = scene.frames;
  recorder["steps_per_frame"] = scene.steps_per_frame;
  recorder["fps"] = scene.fps;
  recorder["width"] = scene.figure.width;
  recorder["height"] = scene.figure.height;
  if (scene.loop != 0) recorder["loop"] = scene.loop;
  if (scene.max_bytes != 0) recorder["max_bytes"] = scene.max_bytes;
  return recorder;
}

// Indented; of lists, each entry on a line of its own, however much it holds.
std::string pretty(const json& document) {
  std::string text = "{";
  for (const auto& [key, value] : document.items()) {
    text += (text.size() > 1 ? ",\n  " : "\n  ") + json(key).dump() + ": ";
    if (value.is_array()) {
      text += "[";
      for (std::size_t i = 0; i < value.size(); ++i) text += (i > 0 ? ",\n    " : "\n    ") + value[i].dump();
      text += "\n  ]";
      continue;
    }
    for (const char c : value.dump(2)) {
      text += c;
      if (c == '\n') text += "  ";
    }
  }
  return text + "\n}\n";
}

}  // namespace

std::string toJson(const Scene& scene, bool indented) {
  const Description& description = *scene.description;
  json document;
  document["simscope"] = kSceneVersion;
  document["simulation"] = description.id;
  if (!scene.preset.empty()) document["preset"] = scene.preset;
  const ParameterSet base = scene.preset.empty() ? description.defaults() : description.preset(scene.preset);
  document["parameters"] = json::object();
  for (const std::size_t index : scene.parameters.changed(base)) {
    document["parameters"][scene.parameters.infos()[index].key] = toJsonValue(scene.parameters[index]);
  }
  document["seed"] = scene.seed;
  for (const Stroke& stroke : scene.timeline.strokes) document["strokes"].push_back(toJson(stroke));
  // None where the preset has some: they were taken away.
  if (!scene.preset.empty() && !description.presetInfo(scene.preset).tracks.empty()) {
    document["keyframes"] = json::array();
  }
  for (const Track& track : scene.timeline.tracks) document["keyframes"].push_back(toJson(track));
  document["view"] = viewOf(scene, scene.figure);
  for (const ViewChange& each : scene.view_changes) {
    document["view_changes"].push_back({{"step", each.step}, {"view", viewOf(scene, each.figure)}});
  }
  for (const FieldMark& mark : scene.marks) document["marks"].push_back(toJson(mark));
  document["recorder"] = recorderOf(scene);
  return indented ? pretty(document) : document.dump();
}

}  // namespace simscope
