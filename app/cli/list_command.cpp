// list, describe, devices: simulations, one simulation, devices.
#include "app/cli/list_command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "app/cli/output.h"
#include "app/cli/report.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"

namespace simscope::cli {

void list(ListFormat format) {
  if (format == ListFormat::JsonArray) {
    Json entries = Json::array();
    for (const Description* each : simulations()) entries.push_back(summaryJson(*each));
    return print(pretty(entries));
  }
  Table table;
  if (format == ListFormat::Markdown) {
    table.row({"Simulation", "What it shows", "Equation"});
    for (const Description* each : simulations()) {
      table.row({fmt::format("[{}](sims/{}/README.md) `{}`", each->title, each->id, each->id), each->summary,
                 each->equation});
    }
    return print(table.markdown());
  }
  for (const Description* each : simulations()) table.row({each->id, each->title, each->summary});
  print(table.text());
}

void describe(const std::string& simulation, bool as_json) {
  const Description& description = simulationById(simulation);
  print(as_json ? pretty(json(description)) : text(description));
}

void devices(bool as_json, const Team& team) {
  if (team.ranks()) return print(team.map(as_json));
  const std::vector<compute::DeviceInfo> all = compute::Device::available();
  if (as_json) {
    Json entries = Json::array();
    for (const compute::DeviceInfo& each : all) entries.push_back(json(each));
    return print(pretty(entries));
  }
  Table table;
  for (const compute::DeviceInfo& each : all) {
    const bool cuda = each.backend == compute::Backend::Cuda;
    table.row({each.id, each.name, fmt::format("{} {}", each.threads, cuda ? "multiprocessors" : "threads"),
               bytesText(static_cast<double>(each.memory)), each.detail});
  }
  std::string out = table.text();
  const auto cuda =
      std::count_if(all.begin(), all.end(), [](const auto& each) { return each.backend == compute::Backend::Cuda; });
  out += fmt::format("\nSeveral devices can share one run: {}--device cpu+cpu splits the processor.\n",
                     cuda > 1 ? "--device cuda:0+1, or cuda:all; " : "");
  if (const std::string why = compute::Device::whyNoCuda(); !why.empty()) out += "\nNo CUDA device: " + why + "\n";
  print(out);
}

}  // namespace simscope::cli
