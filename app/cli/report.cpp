#include "app/cli/report.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

#include "app/cli/output.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

Json json(const ParameterSet& parameters) {
  Json object = Json::object();
  for (std::size_t i = 0; i < parameters.size(); ++i) object[parameters.infos()[i].key] = valueJson(parameters[i]);
  return object;
}

const char* name(Finding::Level level) {
  return level == Finding::Level::Warning ? "warning" : "note";
}

std::string withUnit(const std::string& value, const std::string& unit) {
  return unit.empty() ? value : value + " " + unit;
}

}  // namespace

Json number(double value) {
  return std::isfinite(value) ? Json(value) : Json(nullptr);
}

Json valueJson(const Value& value) {
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

Json json(const RunReport& report) {
  Json diagnostics = Json::object();
  for (std::size_t i = 0; i < report.diagnostics.size(); ++i) {
    diagnostics[report.description->diagnostics[i].key] = number(report.diagnostics[i]);
  }
  Json warnings = Json::array();
  for (const Finding& finding : report.findings) {
    warnings.push_back({{"level", name(finding.level)},
                        {"code", finding.code},
                        {"message", finding.told(report.steps)},
                        {"key", finding.key},
                        {"value", finding.value},
                        {"first_step", finding.first_step},
                        {"last_step", finding.last_step}});
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
                      {"step_us", number(report.total_ms * 1e3 / static_cast<double>(report.steps_made))}};
  if (report.ranks > 1) {
    object["timing"]["ranks"] = report.ranks;
    object["timing"]["link"] = report.link;
  }
  return object;
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
  const std::string pace =
      report.steps_made == 0
          ? ""
          : fmt::format(", {:.4g} µs a step", report.total_ms * 1e3 / static_cast<double>(report.steps_made));
  std::string out =
      fmt::format("{}: {} to {} = {:.6g} on {} ({}){}\n\n", description.title, counted(report.steps, "step"),
                  description.clock.symbol, report.time, report.device.id, report.device.name, pace);
  Table table;
  for (const std::string& key : report.followed) {
    const std::size_t index = report.parameters.find(key);
    const ParameterInfo& info = report.parameters.infos()[index];
    table.row({key, withUnit(fmt::format("{:.6g}", report.parameters.real(key)), info.unit),
               info.title + ", at its keyframes' value"});
  }
  for (std::size_t i = 0; i < report.diagnostics.size(); ++i) {
    const DiagnosticInfo& info = description.diagnostics[i];
    if (!info.relevant.holds(report.parameters)) continue;
    const double value = report.diagnostics[i];
    table.row({info.key, std::isfinite(value) ? withUnit(fmt::format("{:.6g}", value), info.unit) : "–", info.title});
  }
  out += table.text("  ");
  if (!report.findings.empty()) out.append("\n").append(text(report.findings, report.steps));
  return out;
}

std::string text(const std::vector<Finding>& findings, std::int64_t step) {
  std::string out;
  for (const Finding& finding : findings) {
    out += fmt::format("{}: {}", name(finding.level), foreign::harmless(finding.told(step)));
    if (!finding.key.empty() && !finding.value.empty()) {
      out += fmt::format("{} Cure: --set {}={}", finding.message.ends_with('.') ? "" : ".", finding.key, finding.value);
    }
    out += "\n";
  }
  return out;
}

}  // namespace simscope::cli
