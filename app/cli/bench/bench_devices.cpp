#include "app/cli/bench/bench.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>
#include <optional>

#include "app/cli/bench/devices_measure.h"
#include "app/cli/output.h"
#include "app/cli/report_file.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"

namespace simscope::cli {
namespace {

// One size on one device, the same on all devices, and on one device the part that each of them has then.
struct Measured {
  ScalingPoint alone, together, part;
  std::string refused;  // why not alone
};

// The power of the size with which the work of a step grows: 2 or 1.
double powerOf(const ScalingPoint& point) {
  return point.work > 2.0 * static_cast<double>(point.size) ? 2 : 1;
}

// The size whose work is a rank's share; large sizes are rounded to a multiple of 64, at which kernels are fastest.
// nullopt if the simulation does not accept it.
std::optional<Scene> partOf(const Scene& scene, const ScalingPoint& whole) {
  const std::string& key = scene.description->size_key;
  Scene part = scene;
  const double size = static_cast<double>(whole.size) / std::pow(whole.ranks, 1 / powerOf(whole));
  const std::int64_t round = size > 2000 ? 64 : 1;
  try {
    part.parameters.set(key, Value(round * std::llround(size / static_cast<double>(round))));
  } catch (const ParameterError&) {
    return std::nullopt;
  }
  return part;
}

std::string stepText(double seconds) {
  return seconds > 0 ? fmt::format("{:.4g} µs", 1e6 * seconds) : "–";
}

Json scalingJson(const ScalingSet& set) {
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
                      {"division", nameOf({"none", "samples", "slabs", "bodies"}, description.decomposition.kind)},
                      {"most_ranks", each.most_ranks ? Json(*each.most_ranks) : Json(nullptr)}});
  }
  return {{"form", "simscope scaling 1"},
          {"ranks", set.ranks},
          {"machines", set.machines},
          {"device", set.device},
          {"memory_bytes", number(set.memory_bytes)},
          {"link", {{"name", set.link.name}, {"points", link}}},
          {"points", points}};
}

std::string linkText(const LinkMeasurement& link) {
  Table table;
  table.row({"MESSAGE", "TIME", "RATE EACH WAY"});
  for (const LinkMeasurement::Point& each : link.points) {
    table.row({bytesText(each.bytes), stepText(each.seconds), bytesText(each.bytes / each.seconds) + "/s"});
  }
  return table.text();
}

std::string stepsText(const std::vector<Measured>& all, const LinkMeasurement& link) {
  Table table;
  table.row({"SIMULATION", "SERIES", "SIZE", "ALONE", "TOGETHER", "SPEED-UP", "WEAK", "SENT A STEP", "MESSAGES",
             "OF THE LINK"});
  for (const Measured& each : all) {
    const ScalingPoint& p = each.together;
    table.row({p.simulation, p.series, std::to_string(p.size), stepText(each.alone.seconds), stepText(p.seconds),
               each.alone.seconds > 0 ? fmt::format("{:.2f}", each.alone.seconds / p.seconds) : "–",
               each.part.seconds > 0 ? fmt::format("{:.2f}", each.part.seconds / p.seconds) : "–",
               p.bytes > 0 ? bytesText(p.bytes) : "–", fmt::format("{:.2g}", p.messages),
               p.bytes > 0 ? fmt::format("{:.2g} %", 100 * p.bytes / p.seconds / link.bandwidth()) : "–"});
  }
  std::string notes;
  for (const Measured& each : all) {
    if (!each.refused.empty())
      notes += fmt::format("Alone, {} {}: {}\n", each.alone.simulation, each.alone.size, each.refused);
  }
  return table.text() + (notes.empty() ? "" : "\n" + notes);
}

std::vector<Scene> dividedScenes(const BenchRequest& request, const Team& team) {
  std::vector<Scene> scenes = benchScenes(request);
  if (!request.simulations.empty()) {
    for (const Scene& each : scenes) team.requireDivided(each);
    return scenes;
  }
  std::erase_if(scenes, [&](const Scene& each) {
    if (each.description->size_key.empty()) return true;
    try {
      team.requireDivided(each);
    } catch (const UsageError&) {
      return true;
    }
    return false;
  });
  return scenes;
}

}  // namespace

void benchDevices(const BenchRequest& request, const Program& program) {
  Team& team = program.team;
  if (!team.ranks()) {
    throw UsageError("--devices needs one rank per device: mpirun -n 2 simscope bench --devices [SIM ...]");
  }
  compute::Ranks& ranks = *team.ranks();
  std::vector<Scene> scenes;
  std::vector<DeviceChoice> choices;
  std::optional<ReportFile> report;
  team.prepare("bench", [&] {
    scenes = dividedScenes(request, team);
    std::string wanted;
    for (const Scene& each : scenes) {
      choices.push_back(team.choice(program.device, each));
      wanted += team.alike(each, {}, choices.back());
    }
    if (team.first()) report.emplace(request.json, request.force);
    return wanted;
  });

  ScalingSet set;
  set.ranks = ranks.size();
  std::map<int, int> machines;
  for (const std::string& each : ranks.gatherToAll(std::to_string(ranks.machine()))) ++machines[std::stoi(each)];
  set.machines = static_cast<int>(machines.size());
  std::vector<Measured> all;
  // Runs with the same devices share them: a link between devices takes long to set up.
  std::map<std::string, compute::DevicePtr> devices;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    Measured measured;
    measured.alone = measureAlone(scenes[i], choices[i], team, measured.refused);
    compute::DevicePtr& device = devices[choices[i].spec];
    if (!device) {
      device = openDevice(choices[i]);
      device->join(team.sharedRanks());
      if (set.link.points.empty()) {
        set.link = measureLink(*device, team);
        set.device = device->info().name;
        set.memory_bytes = static_cast<double>(device->info().memory);
      }
    }
    measured.together = measureTogether(scenes[i], device, team);
    std::string unimportant;
    if (const auto part = partOf(scenes[i], measured.together)) {
      measured.part = measureAlone(*part, choices[i], team, unimportant);
    }
    for (const ScalingPoint* each : {&measured.alone, &measured.together, &measured.part}) {
      if (each->seconds > 0) set.points.push_back(*each);
    }
    all.push_back(std::move(measured));
  }
  for (auto& [spec, device] : devices) device->join(nullptr);
  if (!team.first()) return;
  const std::string text = fmt::format(
      R"({} ranks on {} machine{}: {}, linked by {}

{}
Each rank sends to the next rank and receives from the previous one at the same time. MESSAGE is the size that one rank sends.

{}
ALONE: a step on one device, with the others idle. TOGETHER: a step on all devices. WEAK: the time of one device for its part
of the work (a smaller run), divided by TOGETHER. SENT A STEP: by the rank that sends most. OF THE LINK: its share of the
rate of the longest message.
)",
      set.ranks, set.machines, set.machines == 1 ? "" : "s", set.device, set.link.name, linkText(set.link),
      stepsText(all, set.link));
  report->finish(scalingJson(set), text);
}

}  // namespace simscope::cli
