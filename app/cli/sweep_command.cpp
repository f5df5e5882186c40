// sweep: the runs, their files, and a summary.
#include "app/cli/sweep_command.h"

#include <fmt/format.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/export/files.h"
#include "app/render/gl/gl_context.h"
#include "app/sweep/multiples.h"
#include "app/sweep/outputs.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

constexpr std::int64_t kMostSweepSteps = 1'000'000'000'000;
constexpr std::size_t kRowsShown = 24;

// Progress in a line that overwrites itself; silent if standard error is not a terminal.
class SweepLine {
 public:
  SweepLine() : shown_(isatty(STDERR_FILENO) == 1) {}
  ~SweepLine() {
    if (drawn_) note("\r\x1b[K");
  }
  SweepLine(const SweepLine&) = delete;
  SweepLine& operator=(const SweepLine&) = delete;

  void show(const sweep::Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    if (!shown_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(100);
    constexpr double kCells = 30;
    const auto filled = static_cast<std::size_t>(std::clamp(progress.share, 0.0, 1.0) * kCells);
    const double seconds = std::chrono::duration<double>(now - start_).count();
    std::string line = fmt::format("\r[{}{}] {} of {}", std::string(filled, '#'),
                                   std::string(static_cast<std::size_t>(kCells) - filled, '.'), progress.runs_done,
                                   counted(static_cast<std::int64_t>(progress.runs), "run"));
    if (progress.share > 0.01) {
      line += fmt::format(", {} left", secondsText(seconds * (1 - progress.share) / progress.share));
    }
    note(line + "\x1b[K");
    drawn_ = true;
  }

 private:
  bool shown_, drawn_ = false;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now(), next_ = start_;
};

sweep::Plan planOf(const SweepArguments& arguments, std::vector<std::string>& notes) {
  Scene scene = sceneOf(arguments, notes);
  applyFigure(arguments, scene);
  if (arguments.fps) scene.fps = readReal("--fps", *arguments.fps, 0.01, 1000);
  std::vector<sweep::Axis> axes;
  try {
    for (const std::string& each : arguments.param) axes.push_back(sweep::readAxis(scene.parameters, each));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("--param: {}", error.what()));
  }
  std::optional<std::int64_t> steps;
  if (arguments.steps) steps = readInteger("--steps", *arguments.steps, 1, kMostSweepSteps);
  try {
    return sweep::makePlan(std::move(scene), std::move(axes), arguments.measure, steps, notes);
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("sweep: {}", error.what()));
  }
}

// The runs, with the pictures that are made while they go on.
sweep::Result make(const SweepArguments& arguments, const sweep::Plan& plan, const compute::DevicePtr& device,
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
    result = sweep::makeRuns(plan, device, between, {.batched = !arguments.one_by_one, .ranks = ranks});
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

// The arguments that must be equal on all ranks.
std::string alike(const SweepArguments& arguments, const sweep::Plan& plan) {
  std::string text = fmt::format("{} {}", plan.steps, arguments.one_by_one);
  for (const std::string& each : arguments.param) text += " " + each;
  for (const std::size_t each : plan.measures) text += fmt::format(" {}", each);
  return text + toJson(plan.scene);
}

}  // namespace

void sweep(const SweepArguments& arguments, Team& team) {
  std::vector<std::string> notes;
  std::optional<sweep::Plan> planned;
  DeviceChoice choice;
  const bool to_stdout = arguments.report && *arguments.report == "-";
  std::optional<exporting::PendingFile> report_file;
  std::optional<sweep::Outputs> outputs;
  team.prepare("sweep", [&] {
    planned = planOf(arguments, notes);
    choice = team.choiceForWholeRuns(deviceOf(arguments.device, arguments.threads));
    if (!team.first()) return alike(arguments, *planned);
    std::vector<std::pair<const char*, Text>> files;
    for (const std::string& each : arguments.out) files.emplace_back("--out", each);
    files.emplace_back("--report", arguments.report);
    requireDifferentFiles(files);
    if (arguments.report && !to_stdout) report_file.emplace(*arguments.report, arguments.force);
    try {
      outputs.emplace(*planned, sweep::OutputOptions{
                                    {arguments.out.begin(), arguments.out.end()}, arguments.figures, arguments.force});
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("--out: {}", error.what()));
    }
    if (team.ranks() && outputs->wantsFigures()) {
      throw UsageError(
          "--out: the runs' figures (.gif, or .png with --figures) need a single process: start it without mpirun, or "
          "ask for .csv, .npy, or .png");
    }
    return alike(arguments, *planned);
  });
  const sweep::Plan& plan = *planned;
  for (const std::string& each : notes) note(foreign::harmless("simscope: note: " + each + "\n"));

  const compute::DevicePtr device = openDevice(choice);
  sweep::Result result;
  if (!team.first()) {
    // Rank 0 receives its results.
    sweep::makeRuns(plan, device, [](const sweep::Progress&) { throwIfStopped(); },
                    {.batched = !arguments.one_by_one, .ranks = team.ranks()});
    return;
  }
  {
    SweepLine line;
    result = make(arguments, plan, device, *outputs, team.ranks(), [&](const sweep::Progress& progress) {
      throwIfStopped();
      line.show(progress);
    });
  }
  throwIfStopped();
  const std::string document = arguments.report ? pretty(reportOf(plan, result)) : "";
  if (report_file) {
    report_file->write(document.data(), document.size());
    report_file->complete();
  }
  outputs->finish(result);
  if (report_file) report_file->commit();
  for (const std::string& each : outputs->summary()) note(foreign::harmless(each + "\n"));
  print(to_stdout ? document : textOf(plan, result));
}

}  // namespace simscope::cli
