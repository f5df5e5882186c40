#include "app/cli/report.h"

#include <fmt/format.h>

#include <cmath>
#include <sstream>

#include "app/cli/output.h"

namespace simscope::cli {

namespace {

Json json(const Value& value) {
  return std::visit(
      [](const auto& each) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(each)>, double>) {
          return number(each);
        } else {
          return each;
        }
      },
      value);
}

Json json(const ParameterSet& parameters) {
  Json object = Json::object();
  for (std::size_t i = 0; i < parameters.size(); ++i) object[parameters.infos()[i].key] = json(parameters[i]);
  return object;
}

const char* name(Kind kind) {
  switch (kind) {
    case Kind::Flag:
      return "flag";
    case Kind::Integer:
      return "integer";
    case Kind::Real:
      return "real";
    case Kind::Choice:
      return "choice";
    case Kind::Text:
      break;
  }
  return "text";
}

const char* name(TraceStyle style) {
  switch (style) {
    case TraceStyle::PhaseFilled:
      return "phase_filled";
    case TraceStyle::Line:
      return "line";
    case TraceStyle::Ghost:
      return "ghost";
    case TraceStyle::OwnAxis:
      break;
  }
  return "own_axis";
}

const char* name(Finding::Level level) {
  return level == Finding::Level::Warning ? "warning" : "note";
}

Json json(const ParameterInfo& info) {
  Json object = {{"key", info.key},
                 {"title", info.title},
                 {"unit", info.unit},
                 {"help", info.help},
                 {"kind", name(info.kind)},
                 {"applies", info.applies == Applies::Live ? "live" : "on_reset"},
                 {"scale", info.scale == Scale::Log ? "log" : "linear"},
                 {"default", json(info.initial)},
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
  if (info.kind == Kind::Choice) object["choices"] = info.choices;
  return object;
}

Json json(const AxisInfo& axis) {
  return {{"title", axis.title}, {"unit", axis.unit}};
}

Json json(const CurveView& view) {
  Json traces = Json::array();
  for (const TraceInfo& trace : view.traces) {
    traces.push_back({{"channel", trace.channel},
                      {"title", trace.title},
                      {"unit", trace.unit},
                      {"style", name(trace.style)},
                      {"phase_channel", trace.phase_channel},
                      {"shown", trace.shown}});
  }
  return {{"key", view.key},   {"title", view.title},       {"x", json(view.x)},
          {"y", json(view.y)}, {"right", json(view.right)}, {"traces", traces}};
}

const char* name(FieldStyle style) {
  switch (style) {
    case FieldStyle::Scalar:
      return "scalar";
    case FieldStyle::Complex:
      return "complex";
    case FieldStyle::Colour:
      break;
  }
  return "colour";
}

const char* name(FieldScale scale) {
  switch (scale) {
    case FieldScale::Linear:
      return "linear";
    case FieldScale::Log:
      return "log";
    case FieldScale::Gamma:
      break;
  }
  return "gamma";
}

Json json(const FieldView& view) {
  return {{"key", view.key},
          {"title", view.title},
          {"x", json(view.x)},
          {"y", json(view.y)},
          {"value", json(view.value)},
          {"channel", view.channel},
          {"style", name(view.style)},
          {"colormap", view.colormap},
          {"symmetric", view.symmetric},
          {"scale", name(view.scale)},
          {"overlay_channel", view.overlay_channel}};
}

Json json(const PointView& view) {
  return {{"key", view.key},
          {"title", view.title},
          {"value", json(view.value)},
          {"channel", view.channel},
          {"value_channel", view.value_channel},
          {"trail_channel", view.trail_channel},
          {"colormap", view.colormap}};
}

Json json(const Description& description, const Preset& preset) {
  Json changes = Json::object();
  const ParameterSet parameters = description.preset(preset.key);
  for (const std::size_t index : parameters.changed()) {
    changes[parameters.infos()[index].key] = json(parameters[index]);
  }
  return {{"key", preset.key},
          {"title", preset.title},
          {"summary", preset.summary},
          {"changes", changes},
          {"steps_per_frame", preset.steps_per_frame},
          {"frames", preset.frames}};
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

std::string withUnit(const std::string& value, const std::string& unit) {
  return unit.empty() ? value : value + " " + unit;
}

}  // namespace

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json json(const RunReport& report) {
  Json diagnostics = Json::object();
  for (std::size_t i = 0; i < report.diagnostics.size(); ++i) {
    diagnostics[report.description->diagnostics[i].key] = number(report.diagnostics[i]);
  }
  Json warnings = Json::array();
  for (const Finding& finding : report.findings) {
    warnings.push_back({{"level", name(finding.level)},
                        {"code", finding.code},
                        {"message", finding.message},
                        {"key", finding.key},
                        {"value", finding.value}});
  }
  Json object;
  object["simulation"] = report.description->id;
  object["preset"] = report.preset.empty() ? Json(nullptr) : Json(report.preset);
  object["device"] = report.device.id;
  object["device_name"] = report.device.name;
  object["steps"] = report.steps;
  object["time"] = number(report.time);
  object["seed"] = report.seed;
  object["parameters"] = json(report.parameters);
  object["diagnostics"] = diagnostics;
  object["warnings"] = warnings;
  object["timing"] = {{"total_ms", number(report.total_ms)},
                      {"step_us", number(report.total_ms * 1e3 / static_cast<double>(report.steps))}};
  return object;
}

Json json(const Description& description) {
  Json object = summaryJson(description);
  object["parameters"] = Json::array();
  for (const ParameterInfo& info : *description.parameters) object["parameters"].push_back(json(info));
  object["presets"] = Json::array();
  for (const Preset& preset : description.presets) object["presets"].push_back(json(description, preset));
  object["demo_preset"] = description.demo_preset;
  object["diagnostics"] = Json::array();
  for (const DiagnosticInfo& info : description.diagnostics) {
    object["diagnostics"].push_back({{"key", info.key},
                                     {"title", info.title},
                                     {"unit", info.unit},
                                     {"help", info.help},
                                     {"plotted", info.plotted},
                                     {"exact_of", info.exact_of}});
  }
  object["views"] = Json::array();
  for (const CurveView& view : description.views) object["views"].push_back(json(view));
  object["fields"] = Json::array();
  for (const FieldView& view : description.fields) object["fields"].push_back(json(view));
  object["points"] = Json::array();
  for (const PointView& view : description.points) object["points"].push_back(json(view));
  object["tools"] = Json::array();
  for (const ToolInfo& tool : description.tools) {
    object["tools"].push_back({{"key", tool.key}, {"title", tool.title}});
  }
  object["state_array"] = description.state_array;
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

Json json(const compute::DeviceInfo& device) {
  const bool cuda = device.backend == compute::Backend::Cuda;
  return {{"id", device.id},
          {"backend", cuda ? "cuda" : "cpu"},
          {"name", device.name},
          {"memory_bytes", device.memory},
          {cuda ? "multiprocessors" : "threads", device.threads},
          {"detail", device.detail}};
}

std::string pretty(const Json& document) {
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::string text(const RunReport& report) {
  const Description& description = *report.description;
  std::string out = fmt::format("{}: {} steps to t = {:.6g} on {} ({}), {:.4g} µs a step\n\n", description.title,
                                report.steps, report.time, report.device.id, report.device.name,
                                report.total_ms * 1e3 / static_cast<double>(report.steps));
  Table table;
  for (std::size_t i = 0; i < report.diagnostics.size(); ++i) {
    const DiagnosticInfo& info = description.diagnostics[i];
    const double value = report.diagnostics[i];
    table.row({info.key, std::isfinite(value) ? withUnit(fmt::format("{:.6g}", value), info.unit) : "–", info.title});
  }
  out += table.text("  ");
  if (!report.findings.empty()) out.append("\n").append(text(report.findings));
  return out;
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
    meanings.push_back(info.help.empty() ? info.title : info.help);
  }
  out += "\nParameters (--set KEY=VALUE; those marked * restart a live run):\n" + withNotes(parameters, meanings);

  Table presets;
  std::vector<std::string> changes;
  for (const Preset& preset : description.presets) {
    presets.row({preset.key, preset.summary.empty() ? preset.title : preset.summary});
    changes.emplace_back();
    for (const auto& [key, value] : preset.changes) {
      changes.back() += fmt::format("{}{}={}", changes.back().empty() ? "" : " ", key, value);
    }
  }
  out += "\nPresets (--preset NAME; the first is the default):\n" + withNotes(presets, changes);

  Table diagnostics;
  for (const DiagnosticInfo& info : description.diagnostics) {
    diagnostics.row({info.key, info.unit, info.help.empty() ? info.title : info.help});
  }
  out += "\nDiagnostics:\n" + diagnostics.text("  ");

  Table views, channels;
  for (const FieldView& view : description.fields) views.row({view.key, view.title});
  for (const PointView& view : description.points) views.row({view.key, view.title});
  for (const CurveView& view : description.views) {
    views.row({view.key, view.title});
    for (const TraceInfo& trace : view.traces) {
      channels.row({trace.channel, trace.title, trace.shown ? "shown" : "hidden"});
    }
  }
  out += "\nViews (--view KEY; the first is the default):\n" + views.text("  ");
  const std::string curves = channels.text("  ");
  return curves.empty() ? out : out + "\nCurves (--show CHANNEL, --hide CHANNEL):\n" + curves;
}

std::string text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    out += fmt::format("{}: {}", name(finding.level), finding.message);
    if (!finding.key.empty() && !finding.value.empty()) {
      out += fmt::format("{} Cure: --set {}={}", finding.message.ends_with('.') ? "" : ".", finding.key, finding.value);
    }
    out += "\n";
  }
  return out;
}

}  // namespace simscope::cli
