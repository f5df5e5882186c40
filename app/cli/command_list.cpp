// list, describe, devices, completion, manual: what the program knows.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

#include "app/cli/command.h"
#include "app/cli/completion/completion.h"
#include "app/cli/completion/manual.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "sims/core/registry.h"
#include "sims/core/words.h"

namespace simscope::cli {

namespace {

struct ListRequest {
  bool json = false, markdown = false;
};

void list(const ListRequest& request, Program&) {
  const ExitAtOnce guard;
  if (request.json) {
    Json entries = Json::array();
    for (const Description* each : simulations()) entries.push_back(summaryJson(*each));
    return print(pretty(entries));
  }
  Table table;
  if (request.markdown) {
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

struct DescribeRequest {
  std::string simulation;
  bool json = false;
};

void describe(const DescribeRequest& request, Program&) {
  const ExitAtOnce guard;
  const Description& description = simulationById(request.simulation);
  print(request.json ? pretty(json(description)) : text(description));
}

struct DevicesRequest {
  bool json = false;
};

void devices(const DevicesRequest& request, Program& program) {
  program.team.join("devices");
  const ExitAtOnce guard;
  if (program.team.ranks()) return print(program.team.map(request.json));
  const std::vector<compute::DeviceInfo> all = compute::Device::available();
  if (request.json) {
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

struct CompletionRequest {
  std::string shell;
};

void completion(const CompletionRequest& request, Program&) {
  const ExitAtOnce guard;
  print(completionScript(request.shell));
}

struct ManualRequest {};

void manual(const ManualRequest&, Program& program) {
  const ExitAtOnce guard;
  print(manualPage(program.app, program.version));
}

}  // namespace

void addList(Program& program) {
  auto [options, request] = program.add("list", "Lists the simulations", list);
  CLI::Option* const json = options.flag("--json", request.json, "As a JSON array");
  options.flag("--markdown", request.markdown, "As the table of docs/simulations.md")->excludes(json);
}

void addDescribe(Program& program) {
  auto [options, request] =
      program.add("describe", "Lists the parameters, presets, diagnostics, and views of one simulation", describe);
  options.word("SIM", request.simulation, "A simulation (simscope list)")->required();
  options.flag("--json", request.json, "As a JSON object");
}

void addDevices(Program& program) {
  auto [options, request] =
      program.add("devices", "Lists the devices of this machine; under mpirun, the device of each rank", devices);
  options.flag("--json", request.json, "As a JSON array");
}

void addCompletion(Program& program) {
  auto [options, request] =
      program.add("completion", "Prints the script that makes a shell complete simscope commands", completion);
  options.word("SHELL", request.shell, "bash, zsh, or fish")->required();
  options.app.footer(
      R"~(The packages install these scripts. Otherwise, for the present shell: eval "$(simscope completion bash)", or
the same with zsh; for fish: simscope completion fish | source.)~");
}

void addManual(Program& program) {
  program.add("manual", "Prints the man page (simscope manual | man -l -)", manual);
}

}  // namespace simscope::cli
