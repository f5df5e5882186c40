#include "app/judge/report.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "sims/core/words.h"

namespace simscope::judge {
namespace {

std::string numberTold(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.5g}", value);
}

std::string requirementTold(const Line& line) {
  std::string told;
  if (line.most) told = fmt::format("<= {:.3g}", *line.most);
  if (line.least) told += fmt::format("{}>= {:g}", told.empty() ? "" : ", ", *line.least);
  return told;
}

bool compared(const Line& line) {
  return (line.most || line.least) && (line.asked || !std::isnan(line.theirs));
}

nlohmann::ordered_json numberOf(double value) {
  return std::isfinite(value) ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json optionalOf(const std::optional<double>& value) {
  return value ? numberOf(*value) : nlohmann::ordered_json(nullptr);
}

}  // namespace

std::vector<std::vector<std::string>> rows(const Judgement& judgement) {
  std::vector<std::vector<std::string>> cells = {{"", "yours", "ours", "exact", "required", ""}};
  for (const Line& each : judgement.lines) {
    cells.push_back({each.key, numberTold(each.theirs), each.key == "phase" ? "" : numberTold(each.own),
                     each.exact ? numberTold(*each.exact) : "", compared(each) ? requirementTold(each) : "",
                     !compared(each) ? ""
                     : each.kept     ? "met"
                                     : "NOT MET"});
  }
  return cells;
}

std::string head(const Judgement& judgement, const std::string& name) {
  const Scene& scene = judgement.scene;
  return fmt::format("{}: {} as {} of {}{}, at t = {:.10g}, after {} of {:.6g}\n", name, judgement.told,
                     fmt::join(judgement.arrays, ", "), scene.description->id,
                     scene.preset.empty() ? "" : ":" + scene.preset, judgement.time, counted(judgement.step, "step"),
                     judgement.step_length);
}

std::string verdict(const Judgement& judgement) {
  std::string out;
  int held = 0, broken = 0;
  for (const Line& each : judgement.lines) {
    if (!compared(each)) continue;
    ++(each.kept ? held : broken);
    if (each.kept) continue;
    if (std::isnan(each.theirs)) {
      out += fmt::format("  {} ({}) has no value here, but a requirement names it\n", each.title, each.key);
      continue;
    }
    const bool above = each.most && std::abs(each.theirs) > *each.most;
    out += fmt::format(
        "  {} ({}) is {:.5g}; {} {:.3g}{}{}{}\n", each.title, each.key, each.theirs, above ? "at most" : "at least",
        above ? *each.most : *each.least, each.unit.empty() ? "" : " " + each.unit,
        each.why.empty() ? "" : ", " + each.why,
        each.own_keeps ? "" : ". The scene's own run fails this requirement too: the cause is in its parameters");
  }
  if (broken == 0) return fmt::format("passed: {} met\n", counted(held, "requirement"));
  return fmt::format("not passed: {} of {} not met\n", broken, counted(held + broken, "requirement")) + out;
}

nlohmann::ordered_json json(const Judgement& judgement, const std::string& name) {
  nlohmann::ordered_json out;
  out["file"] = name;
  out["passed"] = judgement.passed();
  out["simulation"] = judgement.scene.description->id;
  out["preset"] = judgement.scene.preset;
  out["array"] = judgement.told;
  out["stands_for"] = judgement.arrays;
  out["step"] = judgement.step;
  out["time"] = judgement.time;
  out["device"] = judgement.device;
  out["lines"] = nlohmann::ordered_json::array();
  for (const Line& each : judgement.lines) {
    nlohmann::ordered_json line;
    line["key"] = each.key;
    line["title"] = each.title;
    line["unit"] = each.unit;
    line["yours"] = numberOf(each.theirs);
    line["ours"] = numberOf(each.own);
    line["exact"] = optionalOf(each.exact);
    line["most"] = optionalOf(each.most);
    line["least"] = optionalOf(each.least);
    line["why"] = each.why;
    line["compared"] = compared(each);
    line["kept"] = each.kept;
    line["own_keeps"] = each.own_keeps;
    out["lines"].push_back(line);
  }
  return out;
}

}  // namespace simscope::judge
