#include "app/session/changes/undo_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/tool_views.h"

namespace simscope {

namespace {

// Calls `visit(name, field)` for every field of a scene that can be undone, strokes aside; `field(scene)` is a
// reference to it. What has no name of its own changes only along with others.
template <class Visit>
void eachField(const Visit& visit) {
  visit(
      "Seed", [](auto& s) -> auto& { return s.seed; });
  visit(
      "Keyframes", [](auto& s) -> auto& { return s.timeline.tracks; });
  visit(
      "View", [](auto& s) -> auto& { return s.figure.view; });
  visit(
      "Shown items", [](auto& s) -> auto& { return s.figure.shown; });
  visit(
      "Colours", [](auto& s) -> auto& { return s.figure.colormap; });
  visit(
      "Reversed colours", [](auto& s) -> auto& { return s.figure.reversed; });
  visit(
      "Colour range", [](auto& s) -> auto& { return s.figure.range; });
  visit(
      "Colour scale", [](auto& s) -> auto& { return s.figure.value_scale; });
  visit(
      "Symmetric range", [](auto& s) -> auto& { return s.figure.symmetric; });
  visit(
      "Contours", [](auto& s) -> auto& { return s.figure.isolines; });
  visit(
      "Arrows", [](auto& s) -> auto& { return s.figure.arrows; });
  visit(
      "Light", [](auto& s) -> auto& { return s.figure.exposure; });
  visit(
      "Size of points", [](auto& s) -> auto& { return s.figure.point_size; });
  visit(
      "Probes and lines", [](auto& s) -> auto& { return s.marks; });
  visit(
      "", [](auto& s) -> auto& { return s.view_changes; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.x; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.y; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.camera; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.follow; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.theme; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.width; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.height; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.scale; });
  visit(
      "", [](auto& s) -> auto& { return s.figure.supersampling; });
  visit(
      "", [](auto& s) -> auto& { return s.timeline.track_interval; });
  visit(
      "", [](auto& s) -> auto& { return s.steps_per_frame; });
  visit(
      "", [](auto& s) -> auto& { return s.first_step; });
  visit(
      "", [](auto& s) -> auto& { return s.first_frame; });
  visit(
      "", [](auto& s) -> auto& { return s.frames; });
  visit(
      "", [](auto& s) -> auto& { return s.fps; });
  visit(
      "", [](auto& s) -> auto& { return s.loop; });
  visit(
      "", [](auto& s) -> auto& { return s.max_bytes; });
}

bool grew(const Stroke& before, const Stroke& after) {
  return before.tool == after.tool && before.events.size() <= after.events.size() &&
         std::equal(before.events.begin(), before.events.end(), after.events.begin());
}

}  // namespace

std::string changeBetween(const Scene& before, const Scene& after) {
  if (before.description != after.description) return "Simulation " + after.description->title;
  if (before.preset != after.preset) {
    return after.preset.empty() ? "Preset" : "Preset " + after.description->presetInfo(after.preset).title;
  }
  std::vector<std::string> names;
  for (const std::size_t index : after.parameters.changed(before.parameters)) {
    names.push_back(after.parameters.infos()[index].title);
  }
  eachField([&](const char* name, const auto& field) {
    if (*name && !(field(before) == field(after))) names.emplace_back(name);
  });
  if (names.empty()) return {};
  return names.size() == 1 ? names.front() : fmt::format("{} and {} more", names.front(), names.size() - 1);
}

Scene carriedOver(Scene present, const Scene& from, const Scene& to) {
  // Between the steps the scene changed without the user: only the whole scene is sure to fit.
  if (from.description != to.description || present.description != from.description) {
    std::vector<Stroke> strokes = std::move(present.timeline.strokes);
    present = to;
    present.timeline.strokes = std::move(strokes);
    return present;
  }
  if (from.preset != to.preset) present.preset = to.preset;
  for (const std::size_t index : to.parameters.changed(from.parameters)) {
    present.parameters.set(index, to.parameters[index]);
  }
  eachField([&](const char*, const auto& field) {
    if (!(field(from) == field(to))) field(present) = field(to);
  });
  return present;
}

StrokeChange changeBetween(const std::vector<Stroke>& before, const std::vector<Stroke>& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  std::size_t at = 0, tail = 0;
  while (at < shorter && grew(before[at], after[at])) ++at;
  while (tail < shorter - at && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  return {at, before.size() - at - tail, after.size() - at - tail};
}

}  // namespace simscope
