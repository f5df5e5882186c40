// run: steps without graphics, then a report and the state.
#include <fmt/format.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "app/animation.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/report.h"
#include "app/export/files.h"
#include "sims/core/stepper.h"

namespace simscope::cli {

namespace {

constexpr std::int64_t kMostSteps = 1'000'000'000'000;

void requireDifferentFiles(const std::string& report, const std::string& save) {
  const auto resolved = [](const std::string& file) {
    std::error_code failed;
    return std::filesystem::weakly_canonical(std::filesystem::absolute(file, failed), failed);
  };
  if (resolved(report) == resolved(save)) {
    throw UsageError("--report and --save name the same file '" + save + "'; give each its own");
  }
}

}  // namespace

void run(const RunArguments& arguments) {
  std::vector<std::string> notes;
  const Scene scene = sceneOf(arguments, notes);
  const std::int64_t steps = readInteger("--steps", *arguments.steps, 1, kMostSteps);
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  const bool to_stdout = arguments.report && *arguments.report == "-";

  std::optional<exporting::PendingFile> report_file;
  if (arguments.report && arguments.save && !to_stdout) requireDifferentFiles(*arguments.report, *arguments.save);
  if (arguments.save) requireWritable(*arguments.save, arguments.force);
  if (arguments.report && !to_stdout) report_file.emplace(*arguments.report, arguments.force);
  for (const std::string& each : notes) note("simscope: note: " + each + "\n");

  const compute::DevicePtr device = openDevice(choice);
  RunReport report;
  report.description = scene.description;
  report.device = device->info();
  report.preset = scene.preset;
  report.parameters = scene.parameters;
  report.seed = scene.seed;
  device->run([&] {
    Stepper stepper(*scene.description, device, scene.parameters, scene.seed);
    stepWatched(
        stepper, steps, [&](int n) { report.total_ms += device->timed([&] { stepper.step(n); }); }, throwIfStopped);
    report.steps = stepper.simulation().steps();
    report.time = stepper.simulation().time();
    report.diagnostics = stepper.diagnostics();
    report.findings = stepper.findings();
    throwIfStopped();
    if (arguments.save) {
      const State state = stepper.simulation().save();
      const StateArray* array = state.find(scene.description->state_array);
      if (!array) throw Error("the state of " + scene.description->id + " has no array to save");
      exporting::writeNpy(*arguments.save, array->dtype, array->shape, array->bytes, arguments.force);
    }
  });
  if (report_file) {
    const std::string document = pretty(json(report));
    report_file->write(document.data(), document.size());
    report_file->commit();
  }
  if (to_stdout) return print(pretty(json(report)));
  print(text(report));
}

}  // namespace simscope::cli
