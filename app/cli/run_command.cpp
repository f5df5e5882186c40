// run: steps without graphics, then a report and the state.
#include "app/cli/run_command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/export/files.h"
#include "app/export/npy.h"
#include "app/recording/scene_run.h"
#include "app/scene/gathered_rows.h"
#include "app/scene/snapshot.h"
#include "sims/compute/ranks/crew.h"
#include "sims/core/timeline/stepper.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

// Writes the array that --save asks for. file: on rank 0, or in a process alone; the other ranks send it their rows.
void writeArray(std::optional<exporting::PendingFile>& file, const State& state, const Description& description,
                compute::Ranks* ranks) {
  const StateArray* const array = state.find(description.state_array);
  if (!array) throw Error("the state of " + description.id + " has no array to save");
  GatheredRows rows(*array, ranks);
  if (!file) return rows.send();
  const std::string header = exporting::npyHeader(array->dtype, array->shape, rows.bytes());
  file->write(header.data(), header.size());
  for (std::span<const std::byte> each; !(each = rows.next()).empty();) file->write(each.data(), each.size());
  file->complete();
}

// Complete files get their names, all or none.
void placeTogether(std::initializer_list<std::optional<exporting::PendingFile>*> files) {
  std::vector<exporting::Placement> placements;
  for (auto* each : files) {
    if (const auto one = *each ? (*each)->placement() : std::nullopt) placements.push_back(*one);
  }
  exporting::placeAll(placements);
  for (auto* each : files) {
    if (*each) (*each)->placed();
  }
}

}  // namespace

void run(const RunArguments& arguments, Team& team) {
  std::vector<std::string> notes;
  std::optional<State> state;
  std::optional<Scene> wanted;
  std::int64_t steps = 0;
  DeviceChoice choice;
  const bool to_stdout = arguments.report && *arguments.report == "-";
  std::optional<exporting::PendingFile> report_file, array_file, snapshot_file;
  team.prepare("run", [&] {
    wanted = sceneOf(arguments, notes, &state, team.ranks());
    steps = readInteger("--steps", *arguments.steps, 0, kMostSteps);
    team.requireDivided(*wanted);
    choice = team.choice(deviceOf(arguments.device, arguments.threads), *wanted);
    requireDifferentFiles(
        {{"--report", arguments.report}, {"--save", arguments.save}, {"--save-snapshot", arguments.save_snapshot}});
    if (arguments.save_snapshot) {
      if (!isSnapshotName(*arguments.save_snapshot)) {
        throw UsageError(
            fmt::format("--save-snapshot: {} does not end in .npz", foreign::quotedFile(*arguments.save_snapshot)));
      }
      exporting::requireRegular(*arguments.save_snapshot, "a snapshot");
    }
    if (team.first()) {
      if (arguments.save_snapshot) snapshot_file.emplace(*arguments.save_snapshot, arguments.force);
      if (arguments.save) array_file.emplace(*arguments.save, arguments.force);
      if (arguments.report && !to_stdout) report_file.emplace(*arguments.report, arguments.force);
    }
    if (!team.ranks()) return std::string();
    // All ranks send their rows of what rank 0 saves.
    return fmt::format("{} steps of {} {} by {}{}{}", steps, toJson(*wanted), digest(state), Team::kindOf(choice),
                       arguments.save ? " --save" : "", arguments.save_snapshot ? " --save-snapshot" : "");
  });
  const Scene& scene = *wanted;
  for (const std::string& each : notes) note(foreign::harmless("simscope: note: " + each + "\n"));

  const compute::DevicePtr device = openDevice(choice);
  requireDivided(scene, *device);
  device->join(team.sharedRanks());
  RunReport report;
  report.description = scene.description;
  report.device = device->info();
  if (team.ranks()) report.ranks = team.ranks()->size(), report.link = device->link();
  if (device->crew()) report.ranks = device->crew()->size(), report.link = device->info().link;
  report.preset = scene.preset;
  report.seed = state ? state->seed : scene.seed;
  report.steps_made = steps;
  device->run([&] {
    const auto beat = [&] { team.beat(); };
    Stepper stepper = begin(scene, device, state, beat);
    stepWatched(
        stepper, steps, [&](int n) { report.total_ms += device->timed([&] { stepper.step(n); }); }, beat);
    if (!team.first() && !team.looksTogether(scene)) return;
    report.steps = stepper.simulation().steps();
    report.time = stepper.simulation().time();
    report.parameters = stepper.simulation().parameters();
    for (const Track& track : stepper.timeline().tracks) report.followed.push_back(track.key);
    report.diagnostics = stepper.diagnostics();
    report.findings = stepper.findings();
    throwIfStopped();
    if (!arguments.save && !arguments.save_snapshot) return;
    const bool in_parts = team.sharesState(scene);
    if (!team.first() && !in_parts) return;
    State saved = in_parts ? stepper.saveOwn() : stepper.save();
    compute::Ranks* const parts = in_parts ? team.ranks() : nullptr;
    if (arguments.save) writeArray(array_file, saved, *scene.description, parts);
    if (snapshot_file) {
      writeSnapshot(*snapshot_file, {scene, std::move(saved)}, parts);
    } else if (arguments.save_snapshot) {
      sendSnapshot(saved, *parts);
    }
  });
  if (!team.first()) return;
  if (report_file) {
    const std::string document = pretty(json(report));
    report_file->write(document.data(), document.size());
    report_file->complete();
  }
  throwIfStopped();
  placeTogether({&array_file, &snapshot_file, &report_file});
  if (to_stdout) return print(pretty(json(report)));
  print(text(report));
}

}  // namespace simscope::cli
