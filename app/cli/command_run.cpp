// run: steps without graphics, then a report and the state.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/report.h"
#include "app/cli/report_file.h"
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

struct RunRequest : SceneRequest {
  std::int64_t steps = 0;
  Text report, save, save_snapshot;
  bool force = false;
};

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

void run(const RunRequest& request, Program& program) {
  requireOwnFiles({}, {request.save, request.save_snapshot, request.report}, request.force);
  Team& team = program.team;
  team.join("run");
  std::vector<std::string> notes;
  std::optional<State> state;
  std::optional<Scene> wanted;
  DeviceChoice choice;
  std::optional<ReportFile> report_file;
  std::optional<exporting::PendingFile> array_file, snapshot_file;
  team.prepare("run", [&] {
    wanted = sceneOf(request, notes, &state, team.ranks());
    team.requireDivided(*wanted);
    choice = team.choice(program.device, *wanted);
    requireDifferentFiles(
        {{"--report", request.report}, {"--save", request.save}, {"--save-snapshot", request.save_snapshot}});
    if (request.save_snapshot) {
      if (!isSnapshotName(*request.save_snapshot)) {
        throw UsageError(
            fmt::format("--save-snapshot: {} does not end in .npz", foreign::quotedFile(*request.save_snapshot)));
      }
      exporting::requireRegular(*request.save_snapshot, "a snapshot");
    }
    if (team.first()) {
      if (request.save_snapshot) snapshot_file.emplace(*request.save_snapshot, request.force);
      if (request.save) array_file.emplace(*request.save, request.force);
      report_file.emplace(request.report, request.force);
    }
    return team.alike(*wanted, state, choice);
  });
  const Scene& scene = *wanted;
  noteAll(notes);

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
  report.steps_made = request.steps;
  device->run([&] {
    const auto beat = [&] { team.beat(); };
    Stepper stepper = begin(scene, device, state, beat);
    stepWatched(
        stepper, request.steps, [&](int n) { report.total_ms += device->timed([&] { stepper.step(n); }); }, beat);
    if (!team.first() && !team.looksTogether(scene)) return;
    report.steps = stepper.simulation().steps();
    report.time = stepper.simulation().time();
    report.parameters = stepper.simulation().parameters();
    for (const Track& track : stepper.timeline().tracks) report.followed.push_back(track.key);
    report.diagnostics = stepper.diagnostics();
    report.findings = stepper.findings();
    throwIfStopped();
    if (!request.save && !request.save_snapshot) return;
    const bool in_parts = team.sharesState(scene);
    if (!team.first() && !in_parts) return;
    State saved = in_parts ? stepper.saveOwn() : stepper.save();
    compute::Ranks* const parts = in_parts ? team.ranks() : nullptr;
    if (request.save) writeArray(array_file, saved, *scene.description, parts);
    if (snapshot_file) {
      writeSnapshot(*snapshot_file, {scene, std::move(saved)}, parts);
    } else if (request.save_snapshot) {
      sendSnapshot(saved, *parts);
    }
  });
  if (!team.first()) return;
  report_file->write(json(report));
  throwIfStopped();
  placeTogether({&array_file, &snapshot_file, &report_file->file});
  report_file->print(text(report));
}

}  // namespace

void addRun(Program& program) {
  auto [options, request] = program.add("run", "Runs without graphics and reports the numbers", run);
  options.word("SIM", request.what, "A simulation (simscope list), a scene file, or a snapshot")->required();
  options.value("--steps", "N", request.steps, whole(0, kMostSteps), "Number of time steps; 0: the initial state")
      ->required();
  options.scene(request);
  options.device();
  options.text("--report", "FILE", request.report, "Writes a JSON report; - for standard output");
  options.text("--save", "FILE.npy", request.save, "Writes the state as a NumPy array");
  options.text("--save-snapshot", "FILE.npz", request.save_snapshot,
               "Writes the scene with its whole state; simscope run FILE.npz --steps N continues from it");
  options.force(request.force);
}

}  // namespace simscope::cli
