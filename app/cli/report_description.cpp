// Descriptions as JSON and as text.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <set>
#include <sstream>

#include "app/cli/output.h"
#include "app/cli/report.h"
#include "sims/compute/error.h"
#include "sims/core/memory.h"
#include "sims/core/simulation.h"

namespace simscope::cli {

namespace {

const char* name(Kind kind) {
  return nameOf({"flag", "integer", "real", "choice", "text"}, kind);
}

const char* name(TextUse use) {
  return nameOf({"plain", "formula", "image_file", "data_file"}, use);
}

const char* name(Gesture gesture) {
  return nameOf({"paint", "launch", "place", "edit"}, gesture);
}

const char* name(TraceStyle style) {
  return nameOf({"phase_filled", "line", "ghost", "bars", "own_axis"}, style);
}

// The ways in which a parameter matters, each a list of conditions that must all hold; null: always.
Json json(const Relevance& relevance) {
  if (relevance.always()) return nullptr;
  Json ways = Json::array();
  for (const std::vector<Condition>& way : relevance.ways) {
    Json conditions = Json::array();
    for (const Condition& each : way) {
      Json condition = {{"parameter", each.key}};
      if (each.values.empty()) {
        condition["above"] = number(each.above);
      } else {
        condition[each.has ? "is" : "is_not"] = each.values;
      }
      conditions.push_back(condition);
    }
    ways.push_back(conditions);
  }
  return ways;
}

// " (with aperture=slit or grating)"; empty: always.
std::string conditionText(const Relevance& relevance) {
  return relevance.always() ? "" : fmt::format(" (with {})", typedText(relevance));
}

Json json(const ParameterInfo& info) {
  Json object = {{"key", info.key},
                 {"title", info.title},
                 {"unit", info.unit},
                 {"help", info.help},
                 {"kind", name(info.kind)},
                 {"applies", info.applies == Applies::Live ? "live" : "on_reset"},
                 {"scale", info.scale == Scale::Log ? "log" : "linear"},
                 {"default", valueJson(info.initial)},
                 {"range", rangeText(info)},
                 {"group", info.group}};
  if (info.kind == Kind::Integer) {
    object["minimum"] = static_cast<std::int64_t>(info.minimum);
    object["maximum"] = static_cast<std::int64_t>(info.maximum);
    object["power_of_two"] = info.power_of_two;
  }
  if (info.kind == Kind::Real) {
    object["minimum"] = number(info.minimum);
    object["maximum"] = number(info.maximum);
  }
  if (info.kind == Kind::Choice) {
    Json keys = Json::array(), titles = Json::object();
    for (const Choice& choice : info.choices) {
      keys.push_back(choice.key);
      titles[choice.key] = choice.title;
    }
    object["choices"] = keys;
    object["choice_titles"] = titles;
  }
  object["relevant"] = json(info.relevant);
  object["aliases"] = Json::array();
  for (const Alias& alias : info.aliases) {
    object["aliases"].push_back({{"title", alias.title}, {"unit", alias.unit}, {"when", json(alias.when)}});
  }
  if (info.kind == Kind::Text) object["text_use"] = name(info.text_use);
  return object;
}

Json json(const std::vector<Label>& forms) {
  Json all = Json::array();
  for (const Label& form : forms) all.push_back({{"title", form.title}, {"unit", form.unit}});
  return all;
}

Json json(const AxisInfo& axis) {
  Json object = {{"title", axis.title}, {"unit", axis.unit}};
  if (!axis.forms.empty()) object["forms"] = json(axis.forms);
  if (axis.decades) object["decades"] = true;
  return object;
}

Json json(const std::vector<PathInfo>& paths) {
  Json all = Json::array();
  for (const PathInfo& path : paths) {
    all.push_back(
        {{"channel", path.channel}, {"title", path.title}, {"shown", path.shown}, {"relevant", json(path.relevant)}});
  }
  return all;
}

Json json(const CurveView& view) {
  Json traces = Json::array();
  for (const TraceInfo& trace : view.traces) {
    traces.push_back({{"channel", trace.channel},
                      {"title", trace.title},
                      {"unit", trace.unit},
                      {"style", name(trace.style)},
                      {"phase_channel", trace.phase_channel},
                      {"shown", trace.shown},
                      {"relevant", json(trace.relevant)}});
    if (!trace.forms.empty()) traces.back()["forms"] = json(trace.forms);
  }
  return {
      {"kind", "curves"}, {"x", json(view.x)}, {"y", json(view.y)}, {"right", json(view.right)}, {"traces", traces}};
}

const char* name(FieldStyle style) {
  return nameOf({"scalar", "complex", "colour"}, style);
}

const char* name(FieldScale scale) {
  return nameOf({"linear", "log", "gamma"}, scale);
}

Json json(const FieldView& view) {
  return {{"kind", "field"},
          {"x", json(view.x)},
          {"y", json(view.y)},
          {"value", json(view.value)},
          {"channel", view.channel},
          {"style", name(view.style)},
          {"colormap", view.colormap},
          {"symmetric", view.symmetric},
          {"scale", name(view.scale)},
          {"overlay_channel", view.overlay_channel},
          {"arrow_channel", view.arrow_channel},
          {"arrow", json(view.arrow)},
          {"paths", json(view.paths)}};
}

Json json(const PointView& view) {
  return {{"kind", "points"},
          {"space", json(view.space)},
          {"value", json(view.value)},
          {"channel", view.channel},
          {"value_channel", view.value_channel},
          {"trail_channel", view.trail_channel},
          {"colormap", view.colormap},
          {"scale", name(view.scale)}};
}

Json json(const ScatterView& view) {
  return {{"kind", "scatter"},         {"x", json(view.x)},         {"y", json(view.y)},
          {"value", json(view.value)}, {"channel", view.channel},   {"value_channel", view.value_channel},
          {"colormap", view.colormap}, {"scale", name(view.scale)}, {"equal_lengths", view.equal_lengths},
          {"paths", json(view.paths)}};
}

Json json(const LinkedView& view) {
  Json panels = Json::array();
  for (const Panel& panel : view.panels) {
    panels.push_back({{"view", panel.view},
                      {"left", panel.left},
                      {"top", panel.top},
                      {"width", panel.width},
                      {"height", panel.height}});
  }
  return {{"kind", "linked"}, {"panels", panels}};
}

Json json(const View& view) {
  Json object = std::visit([](const auto& kind) { return json(kind); }, view.kind);
  object["key"] = view.key;
  object["title"] = view.title;
  return object;
}

Json json(const Camera& camera) {
  return {{"azimuth", camera.azimuth},
          {"elevation", camera.elevation},
          {"zoom", camera.zoom},
          {"target", {camera.x, camera.y, camera.z}}};
}

// As scenes have them.
Json json(const Track& track) {
  Json points = Json::array();
  for (const Keyframe& each : track.keyframes) {
    points.push_back({each.time, each.value});
    if (each.easing == Easing::Smooth) points.back().push_back("smooth");
  }
  return {{"parameter", track.key}, {"points", points}};
}

Json json(const Description& description, const Preset& preset) {
  Json changes = Json::object();
  const ParameterSet parameters = description.preset(preset.key);
  for (const std::size_t index : parameters.changed()) {
    changes[parameters.infos()[index].key] = valueJson(parameters[index]);
  }
  Json memory = nullptr;
  if (description.memory) {
    memory = {{"cpu", number(description.memory(parameters, compute::Backend::Cpu))},
              {"cuda", number(description.memory(parameters, compute::Backend::Cuda))}};
  }
  Json keyframes = Json::array();
  for (const Track& track : preset.tracks) keyframes.push_back(json(track));
  return {{"key", preset.key},
          {"title", preset.title},
          {"summary", preset.summary},
          {"changes", changes},
          {"keyframes", keyframes},
          {"steps_per_frame", preset.steps_per_frame},
          {"frames", preset.frames},
          {"ending", preset.ending == Ending::Loop ? "loop" : "pause"},
          {"flaw", preset.flaw},
          {"tool", preset.tool},
          {"equation", description.equationOf(parameters)},
          {"view", preset.view.empty() ? description.view("").key : preset.view},
          {"camera", preset.camera ? json(*preset.camera) : Json(nullptr)},
          {"memory_bytes", memory}};
}

// The table's lines, each followed by its note.
std::string withNotes(const Table& table, const std::vector<std::string>& notes) {
  std::istringstream lines(table.text("  "));
  std::string out, line;
  for (std::size_t i = 0; std::getline(lines, line); ++i) {
    out += line + "\n";
    if (i < notes.size() && !notes[i].empty()) out += "      " + notes[i] + "\n";
  }
  return out;
}

// "grid_points=512 boundary=periodic; opens isotherms; 1128 steps, then pauses; takes 9.5 MiB"
std::string noteOf(const Description& description, const Preset& preset) {
  std::string changes;
  for (const auto& [key, value] : preset.changes) {
    changes += fmt::format("{}{}={}", changes.empty() ? "" : " ", key, value);
  }
  std::vector<std::string> parts;
  if (!changes.empty()) parts.push_back(changes);
  for (const Track& track : preset.tracks) parts.push_back(track.key + " follows keyframes");
  if (!preset.view.empty()) parts.push_back("opens " + preset.view);
  parts.push_back(fmt::format("{} steps, then {}", std::int64_t{preset.frames} * preset.steps_per_frame,
                              preset.ending == Ending::Loop ? "starts again" : "pauses"));
  if (description.memory) {
    const ParameterSet parameters = description.preset(preset.key);
    const double cpu = description.memory(parameters, compute::Backend::Cpu);
    const double cuda = description.memory(parameters, compute::Backend::Cuda);
    parts.push_back(fmt::format("takes {} (CUDA: {})", memoryText(cpu), memoryText(cuda)));
  }
  std::string note = fmt::format("{}", fmt::join(parts, "; "));
  if (!preset.flaw.empty()) note += "\n      " + preset.flaw;
  return note;
}

// "at most 1e-06": what presets keep; empty: nothing is promised.
std::string promiseOf(const DiagnosticInfo& info) {
  if (info.bound > 0) return fmt::format("at most {:g}{}", info.bound, info.unit.empty() ? "" : " " + info.unit);
  if (info.tolerance > 0) {
    return fmt::format("{} within {:g}{} of it", info.exact_of, info.tolerance,
                       info.unit.empty() ? "" : " " + info.unit);
  }
  return "";
}

// The arrays of a snapshot at the default parameters; empty if these do not fit this machine.
std::vector<Simulation::StateEntry> snapshotOf(const Description& description) {
  std::vector<Simulation::StateEntry> entries;
  try {
    const compute::DevicePtr device = compute::Device::open("cpu");
    device->run([&] { entries = description.create(device, description.defaults())->stateEntries(); });
  } catch (const OutOfMemory&) {
  }
  return entries;
}

}  // namespace

Json json(const Description& description) {
  Json object = summaryJson(description);
  object["parameters"] = Json::array();
  for (const ParameterInfo& info : *description.parameters) object["parameters"].push_back(json(info));
  object["presets"] = Json::array();
  for (const Preset& preset : description.presets) object["presets"].push_back(json(description, preset));
  object["diagnostics"] = Json::array();
  for (const DiagnosticInfo& info : description.diagnostics) {
    object["diagnostics"].push_back({{"key", info.key},
                                     {"title", info.title},
                                     {"unit", info.unit},
                                     {"help", info.help},
                                     {"plotted", info.plotted},
                                     {"exact_of", info.exact_of},
                                     {"bound", number(info.bound)},
                                     {"tolerance", number(info.tolerance)},
                                     {"relevant", json(info.relevant)}});
  }
  object["views"] = Json::array();
  for (const View& view : description.views) object["views"].push_back(json(view));
  object["first_view"] = description.view("").key;
  object["tools"] = Json::array();
  for (const ToolInfo& tool : description.tools) {
    object["tools"].push_back({{"key", tool.key},
                               {"title", tool.title},
                               {"gesture", name(tool.gesture)},
                               {"view", tool.view},
                               {"observes", tool.observes},
                               {"fills", tool.fills},
                               {"relevant", json(tool.relevant)}});
  }
  object["random"] = json(description.random);
  object["size_key"] = description.size_key;
  object["state_array"] = description.state_array;
  object["snapshot"] = Json::array();
  for (const Simulation::StateEntry& entry : snapshotOf(description)) {
    object["snapshot"].push_back({{"array", entry.name},
                                  {"dtype", entry.dtype},
                                  {"shape", entry.shape},
                                  {"what", entry.what},
                                  {"may_be_missing", entry.may_be_missing}});
  }
  object["parity_tolerance"] = description.parity_tolerance;
  object["parity_steps"] = description.parity_steps;
  return object;
}

Json summaryJson(const Description& description) {
  Json presets = Json::array();
  for (const Preset& preset : description.presets) presets.push_back(preset.key);
  return {{"id", description.id},
          {"title", description.title},
          {"summary", description.summary},
          {"equation", description.equation},
          {"presets", presets}};
}

std::string text(const Description& description) {
  std::string out = fmt::format("{} ({})\n{}\n", description.title, description.id, description.summary);
  if (!description.equation.empty()) out += "\n  " + description.equation + "\n";

  Table parameters;
  std::vector<std::string> meanings;
  parameters.row({"KEY", "DEFAULT", "RANGE", "UNIT"});
  meanings.push_back("");
  for (const ParameterInfo& info : *description.parameters) {
    const char* mark = info.applies == Applies::OnReset ? " *" : "";
    parameters.row({info.key + mark, toText(info.initial), rangeText(info), info.unit});
    meanings.push_back(info.title + (info.help.empty() ? "" : ": " + info.help) + conditionText(info.relevant));
    if (info.kind != Kind::Choice) continue;
    meanings.back() += "\n     ";
    for (const Choice& choice : info.choices) meanings.back() += fmt::format(" {}: {};", choice.key, choice.title);
    meanings.back().pop_back();
  }
  out += "\nParameters (--set KEY=VALUE; those marked * restart a live run):\n" + withNotes(parameters, meanings);
  out += "\nSeed (--seed N): " +
         (description.random.always()  ? std::string("the start is drawn at random")
          : description.random.never() ? std::string("nothing is drawn at random")
                                       : "matters with " + typedText(description.random)) +
         "\n";

  Table presets;
  std::vector<std::string> notes;
  for (const Preset& preset : description.presets) {
    presets.row({preset.key, preset.summary.empty() ? preset.title : preset.summary});
    notes.push_back(noteOf(description, preset));
  }
  out += "\nPresets (--preset NAME; the first is the default):\n" + withNotes(presets, notes);

  Table diagnostics;
  std::vector<std::string> helps;
  for (const DiagnosticInfo& info : description.diagnostics) {
    diagnostics.row({info.key, info.unit, info.title, promiseOf(info)});
    const std::string when = conditionText(info.relevant);
    helps.push_back(info.help.empty() && !when.empty() ? when.substr(1) : info.help + when);
  }
  out += "\nDiagnostics, with the bounds that simscope judge requires:\n" + withNotes(diagnostics, helps);

  Table views, channels;
  const std::string first = description.view("").key;
  std::set<std::string> known;
  const auto addChannel = [&](const std::string& key, const std::string& title, bool shown, const Relevance& relevant) {
    if (known.insert(key).second) channels.row({key, title, (shown ? "shown" : "hidden") + conditionText(relevant)});
  };
  const auto addView = [&](const View& view, const std::string& what) {
    views.row({view.key + (view.key == first ? " *" : ""), view.title, what});
  };
  for (const View& view : description.views) {
    std::string what;
    if (const auto* linked = view.as<LinkedView>()) {
      for (const Panel& panel : linked->panels) what += (what.empty() ? "shows " : ", ") + panel.view;
    } else if (const auto* field = view.as<FieldView>()) {
      if (!field->arrow_channel.empty()) what = "--arrows: " + field->arrow.title;
    } else if (const auto* points = view.as<PointView>()) {
      what = "--camera, --follow";
      if (!points->trail_channel.empty()) addChannel(points->trail_channel, "Trails", true, {});
    } else if (const auto* curves = view.as<CurveView>()) {
      for (const TraceInfo& trace : curves->traces) addChannel(trace.channel, trace.title, trace.shown, trace.relevant);
    }
    for (const PathInfo& path : pathsOf(view)) addChannel(path.channel, path.title, path.shown, path.relevant);
    addView(view, what);
  }
  out += "\nViews (--view KEY; the one marked * opens):\n" + views.text("  ");
  if (const std::string curves = channels.text("  "); !curves.empty()) {
    out += "\nCurves, paths, and trails (--show CHANNEL, --hide CHANNEL):\n" + curves;
  }

  Table snapshot;
  for (const Simulation::StateEntry& entry : snapshotOf(description)) {
    snapshot.row({entry.name, fmt::format("{} {}", fmt::join(entry.shape, "×"), entry.dtype), entry.what});
  }
  if (const std::string arrays = snapshot.text("  "); !arrays.empty()) {
    out += "\nSnapshots (--save-snapshot FILE.npz, shapes at the defaults):\n" + arrays;
  }

  Table tools;
  for (const ToolInfo& tool : description.tools) {
    tools.row({tool.key, tool.title + conditionText(tool.relevant), name(tool.gesture), tool.view});
  }
  return description.tools.empty() ? out : out + "\nMouse tools in the window:\n" + tools.text("  ");
}

}  // namespace simscope::cli
