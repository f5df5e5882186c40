// sweep: the runs, their files, and a summary.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/report.h"
#include "app/cli/report_file.h"
#include "app/render/gl/gl_context.h"
#include "app/sweep/multiples.h"
#include "app/sweep/outputs.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

constexpr std::size_t kRowsShown = 24;

struct SweepRequest : SceneRequest {
  std::vector<std::string> param, measure, out;
  Look look;
  std::optional<std::int64_t> steps;
  std::optional<double> fps;
  Text report;
  bool figures = false, one_by_one = false, force = false;
};

std::string progressText(const sweep::Progress& progress, double seconds) {
  std::string line = fmt::format("{} {} of {}", barText(progress.share), progress.runs_done,
                                 counted(static_cast<std::int64_t>(progress.runs), "run"));
  if (progress.share > 0.01) {
    line += fmt::format(", {} left", secondsText(seconds * (1 - progress.share) / progress.share));
  }
  return line;
}

sweep::Plan planOf(const SweepRequest& request, std::vector<std::string>& notes) {
  Scene scene = sceneOf(request, notes);
  applyLook(request.look, scene);
  scene.fps = request.fps.value_or(scene.fps);
  std::vector<sweep::Axis> axes;
  for (const std::string& each : request.param) {
    axes.push_back(naming("--param", [&] { return sweep::readAxis(scene.parameters, each); }));
  }
  return naming("sweep", [&] {
    return sweep::makePlan(std::move(scene), std::move(axes), request.measure, request.steps, notes);
  });
}

// The runs, with the pictures that are made while they go on.
sweep::Result make(const SweepRequest& request, const sweep::Plan& plan, const compute::DevicePtr& device,
                   sweep::Outputs& outputs, compute::Ranks* ranks, const sweep::Between& between) {
  std::optional<render::HeadlessContext> context;
  std::optional<render::Figure> figure;
  if (outputs.wantsFigures() || outputs.wantsPicture()) {
    context.emplace();
    figure.emplace();
  }
  sweep::Result result;
  if (outputs.wantsFigures()) {
    sweep::Multiples multiples(plan, device, plan.scene.figure, between);
    if (outputs.wantsAnimation()) outputs.addFrame(multiples.draw(*figure));
    const std::int64_t each = outputs.wantsAnimation() ? plan.scene.steps_per_frame : plan.steps;
    for (std::int64_t done = 0; done < plan.steps; done += each) {
      multiples.step(std::min(each, plan.steps - done), between);
      outputs.addFrame(multiples.draw(*figure));
      throwIfStopped();
    }
    result = multiples.result();
    sweep::requireAnyRun(plan, result);
  } else {
    result = sweep::makeRuns(plan, device, between, {.batched = !request.one_by_one, .ranks = ranks});
  }
  if (outputs.wantsPicture()) {
    const sweep::Picture picture = sweep::pictureOf(plan, result, plan.scene.figure);
    figure->draw(picture.description, picture.parameters, picture.frame, picture.options);
    outputs.setPicture(figure->read());
  }
  return result;
}

// The largest difference between a measured diagnostic and its exact value; NaN if no run has both.
struct Deviation {
  const DiagnosticInfo* measured;
  double largest = std::nan("");
};

std::vector<Deviation> deviations(const sweep::Plan& plan, const sweep::Result& result) {
  std::vector<Deviation> all;
  for (const std::size_t measure : plan.measures) {
    const auto exact = sweep::exactOf(plan.description(), measure);
    if (!exact) continue;
    Deviation deviation{&plan.description().diagnostics[measure]};
    for (const sweep::RunResult& run : result.runs) {
      deviation.largest = std::fmax(deviation.largest, std::abs(run.diagnostics[measure] - run.diagnostics[*exact]));
    }
    all.push_back(deviation);
  }
  return all;
}

// The runs with a warning of one code.
struct SweptWarning {
  std::string code, message;  // of the first of them
  std::vector<std::size_t> runs;
};

std::vector<SweptWarning> sweptWarnings(const sweep::Result& result) {
  std::vector<SweptWarning> all;
  for (std::size_t run = 0; run < result.runs.size(); ++run) {
    for (const Finding& each : result.runs[run].warnings) {
      auto known = std::find_if(all.begin(), all.end(), [&](const SweptWarning& one) { return one.code == each.code; });
      if (known == all.end()) known = all.insert(all.end(), {each.code, each.message, {}});
      known->runs.push_back(run);
    }
  }
  return all;
}

Json reportOf(const sweep::Plan& plan, const sweep::Result& result) {
  const Description& description = plan.description();
  Json parameters = Json::object(), axes = Json::array(), columns = Json::array(), rows = Json::array();
  Json failures = Json::array(), apart = Json::object();
  for (std::size_t i = 0; i < plan.scene.parameters.size(); ++i) {
    const bool swept =
        std::any_of(plan.axes.begin(), plan.axes.end(), [&](const sweep::Axis& axis) { return axis.parameter == i; });
    if (!swept) parameters[plan.scene.parameters.infos()[i].key] = valueJson(plan.scene.parameters[i]);
  }
  for (std::size_t i = 0; i < plan.axes.size(); ++i) {
    const sweep::Axis& axis = plan.axes[i];
    const ParameterInfo& info = (*description.parameters)[axis.parameter];
    Json values = Json::array();
    for (const Value& each : plan.values[i]) values.push_back(valueJson(each));
    axes.push_back({{"parameter", info.key},
                    {"unit", plan.scene.parameters.unit(axis.parameter)},
                    {"from", axis.from},
                    {"to", axis.to},
                    {"count", axis.count},
                    {"log", axis.log},
                    {"values", std::move(values)}});
  }
  for (const exporting::CsvColumn& each : sweep::columnsOf(plan)) columns.push_back(each.key);
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    Json row = Json::array();
    for (const double value : sweep::rowOf(plan, result, run)) row.push_back(number(value));
    rows.push_back(std::move(row));
    if (!result.runs[run].failure.empty()) failures.push_back({{"run", run}, {"message", result.runs[run].failure}});
  }
  Json warnings = Json::array();
  for (const SweptWarning& each : sweptWarnings(result)) {
    warnings.push_back({{"code", each.code}, {"message", each.message}, {"runs", each.runs}});
  }
  for (const Deviation& each : deviations(plan, result)) apart[each.measured->key] = number(each.largest);
  return {{"simulation", description.id},
          {"preset", plan.scene.preset},
          {"device", result.device.id},
          {"device_name", result.device.name},
          {"method", result.method},
          {"seed", plan.scene.seed},
          {"steps", plan.steps},
          {"parameters", parameters},
          {"sweep", axes},
          {"columns", columns},
          {"runs", rows},
          {"failures", failures},
          {"warnings", warnings},
          {"largest_difference_to_exact", apart},
          {"timing",
           {{"total_ms", number(result.seconds * 1e3)},
            {"runs_per_second", number(static_cast<double>(plan.runs()) / result.seconds)},
            {"batched_runs", result.batched},
            {"batches", result.batches}}}};
}

std::string textOf(const sweep::Plan& plan, const sweep::Result& result) {
  const auto runs = static_cast<std::int64_t>(plan.runs());
  Table table;
  std::vector<std::string> head;
  for (const exporting::CsvColumn& each : sweep::columnsOf(plan)) head.push_back(each.key);
  table.row(head);
  for (std::size_t run = 0; run < std::min(plan.runs(), kRowsShown); ++run) {
    std::vector<std::string> cells;
    for (const double value : sweep::rowOf(plan, result, run)) {
      cells.push_back(std::isnan(value) ? "–" : fmt::format("{:.6g}", value));
    }
    table.row(std::move(cells));
  }
  std::string text = fmt::format("{}: {} of {} on {}\n\n{}", plan.description().id, counted(runs, "run"),
                                 counted(plan.steps, "step"), result.device.id, table.text());
  if (plan.runs() > kRowsShown) {
    text += fmt::format("... {} more; --out FILE.csv writes all\n", plan.runs() - kRowsShown);
  }
  text += "\n";
  for (const Deviation& each : deviations(plan, result)) {
    if (std::isnan(each.largest)) continue;
    text += fmt::format("{}: within {:.2g} of the exact value\n", each.measured->key, each.largest);
  }
  if (const std::size_t failed = result.failed()) {
    const auto first = static_cast<std::size_t>(
        std::find_if(result.runs.begin(), result.runs.end(), [](const auto& run) { return !run.failure.empty(); }) -
        result.runs.begin());
    text += fmt::format("{} no values. The first, {}: {}\n",
                        counted(static_cast<std::int64_t>(failed), "run has", "runs have"), plan.label(first),
                        result.runs[first].failure);
  }
  for (const SweptWarning& each : sweptWarnings(result)) {
    text += fmt::format("warning ({}) in {}. The first, {}: {}\n", each.code,
                        counted(static_cast<std::int64_t>(each.runs.size()), "run"), plan.label(each.runs.front()),
                        each.message);
  }
  const std::string how =
      result.batches == 0
          ? "one by one"
          : fmt::format("{} side by side in {}", result.batched == plan.runs() ? "all" : std::to_string(result.batched),
                        counted(static_cast<std::int64_t>(result.batches), "batch", "batches"));
  return text + fmt::format("{} in {}, {}, {} ({})\n", counted(runs, "run"), secondsText(result.seconds),
                            rateText(static_cast<double>(runs) / result.seconds, "runs/s"), how, result.method);
}

void sweep(const SweepRequest& request, Program& program) {
  requireOwnFiles(request.out, {request.report}, request.force);
  Team& team = program.team;
  team.join("sweep");
  std::vector<std::string> notes;
  std::optional<sweep::Plan> planned;
  DeviceChoice choice;
  std::optional<ReportFile> report;
  std::optional<sweep::Outputs> outputs;
  team.prepare("sweep", [&] {
    planned = planOf(request, notes);
    choice = team.choiceForWholeRuns(program.device);
    // Each rank may have a device of its own kind.
    const std::string alike = team.alike(planned->scene, {}, {});
    if (!team.first()) return alike;
    std::vector<std::pair<const char*, Text>> files;
    for (const std::string& each : request.out) files.emplace_back("--out", each);
    files.emplace_back("--report", request.report);
    requireDifferentFiles(files);
    report.emplace(request.report, request.force);
    const sweep::OutputOptions wanted{{request.out.begin(), request.out.end()}, request.figures, request.force};
    naming("--out", [&] { outputs.emplace(*planned, wanted); });
    if (team.ranks() && outputs->wantsFigures()) {
      throw UsageError(
          "--out: the runs' figures (.gif, or .png with --figures) need a single process: start it without mpirun, or "
          "ask for .csv, .npy, or .png");
    }
    return alike;
  });
  const sweep::Plan& plan = *planned;
  noteAll(notes);

  const compute::DevicePtr device = openDevice(choice);
  sweep::Result result;
  if (!team.first()) {
    // Rank 0 receives its results.
    sweep::makeRuns(plan, device, [](const sweep::Progress&) { throwIfStopped(); },
                    {.batched = !request.one_by_one, .ranks = team.ranks()});
    return;
  }
  {
    ProgressLine line;
    result = make(request, plan, device, *outputs, team.ranks(), [&](const sweep::Progress& progress) {
      throwIfStopped();
      if (line.due()) line.show(progressText(progress, line.seconds()));
    });
  }
  throwIfStopped();
  if (report->wanted()) report->write(reportOf(plan, result));
  outputs->finish(result);
  placeTogether({&report->file});
  for (const std::string& each : outputs->summary()) note(foreign::harmless(each + "\n"));
  report->print(textOf(plan, result));
}

}  // namespace

void addSweep(Program& program) {
  auto [options, request] =
      program.add("sweep", "Makes many runs over one or two parameters, and measures each", sweep);
  options.word("SIM", request.what, "A simulation (simscope list) or a scene file")->required();
  options.repeated("--param", "KEY=VALUES", request.param, R"(A parameter and its values: FROM:TO:COUNT, evenly spaced;
FROM:TO:COUNT:log, by equal factors; or A,B,C;

once or twice)");
  options.repeated("--measure", "KEY", request.measure,
                   "A diagnostic at the end of each run, beside its exact value if one is known; may be repeated");
  options.repeated("--out", "FILE", request.out, R"(A file of the kind that its ending names: .csv, .npy (the
numbers), .png (a curve, or a phase diagram of two

parameters), .gif (the figures of all runs side by side); may be repeated)");
  options.value("--steps", "N", request.steps, whole(1, kMostSteps), "Time steps of each run [to the preset's end]");
  options.flag("--figures", request.figures, "For .png: the figures of all runs side by side, at their end");
  options.scene(request);
  options.device();
  options.flag("--one-by-one", request.one_by_one,
               "Makes the runs one after another, never in batches (to compare the times)");
  options.text("--report,--json", "FILE", request.report, "Writes a JSON report; - for standard output");
  options.look("--size", request.look, "Size of pictures, in pixels [960x540]");
  options.look("--scale", request.look, "Scale of text and lines: a factor, or auto [auto with --size, else 1]");
  options.look("--theme", request.look, "dark, light, slides, or print [dark]");
  options.look("--colormap", request.look, "Colormap of a phase diagram, or of the runs' fields");
  options.look("--view", request.look, "View that the runs' figures show [the preset's]");
  options.value("--fps", "F", request.fps, framesPerSecond(),
                "Frames per second of a .gif: 50, 33.3, 25, 20, and slower [25]");
  options.force(request.force);
}

}  // namespace simscope::cli
