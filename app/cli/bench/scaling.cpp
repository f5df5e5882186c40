#include "app/cli/bench/scaling.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "sims/core/registry.h"

namespace simscope::cli {
namespace {

constexpr const char* kForm = "simscope scaling 1";

const char* divisionOf(const Description& description) {
  switch (description.decomposition.kind) {
    case Decomposition::Slabs:
      return "slabs";
    case Decomposition::Bodies:
      return "bodies";
    case Decomposition::Samples:
      return "samples";
    case Decomposition::None:
      break;
  }
  return "none";
}

}  // namespace

double LinkMeasurement::bandwidth() const {
  if (points.empty() || points.back().seconds <= 0) return 0;
  return points.back().bytes / points.back().seconds;
}

std::string stepText(double seconds) {
  return seconds > 0 ? fmt::format("{:.4g} µs", 1e6 * seconds) : "–";
}

Json json(const ScalingSet& set) {
  Json link = Json::array(), points = Json::array();
  for (const LinkMeasurement::Point& each : set.link.points) {
    link.push_back({{"bytes", number(each.bytes)}, {"seconds", number(each.seconds)}});
  }
  for (const ScalingPoint& each : set.points) {
    const Description& description = simulationById(each.simulation);
    points.push_back({{"simulation", each.simulation},
                      {"series", each.series},
                      {"size", each.size},
                      {"ranks", each.ranks},
                      {"step_s", number(each.seconds)},
                      {"work", number(each.work)},
                      {"work_unit", each.work_unit},
                      {"exchanges", number(each.exchanges)},
                      {"messages", number(each.messages)},
                      {"bytes", number(each.bytes)},
                      {"collectives", number(each.collectives)},
                      {"division", divisionOf(description)},
                      {"most_ranks", each.most_ranks ? Json(*each.most_ranks) : Json(nullptr)}});
  }
  return {{"form", kForm},
          {"ranks", set.ranks},
          {"machines", set.machines},
          {"device", set.device},
          {"memory_bytes", number(set.memory_bytes)},
          {"link", {{"name", set.link.name}, {"points", link}}},
          {"points", points}};
}

}  // namespace simscope::cli
