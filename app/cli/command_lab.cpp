#include "app/cli/command_lab.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

#include <unistd.h>

#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/report.h"
#include "app/cli/report_file.h"
#include "app/export/files.h"
#include "app/lab/comparison.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_figure.h"
#include "app/lab/lesson_text.h"
#include "app/lab/measurer.h"
#include "app/lab/stored_run.h"
#include "app/render/gl/gl_context.h"
#include "app/scene/scene.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {
namespace {

constexpr std::int64_t kMostFieldSteps = 1'000'000'000;

std::string listText() {
  Table table;
  for (const lab::Lesson* each : lab::lessons()) {
    std::string knobs;
    for (const ParameterInfo& info : *each->parameters) knobs += (knobs.empty() ? "" : ", ") + info.key;
    table.row({each->id, each->title, knobs});
  }
  return "Lessons, with the keys of --set:\n" + table.text("  ") +
         "\nsimscope lab LESSON measures one lesson on this machine; simscope lab --all measures all of them within a "
         "minute.\n";
}

std::string folded(const std::string& text, std::size_t width) {
  std::string out, line;
  std::size_t from = 0;
  while (from < text.size()) {
    const std::size_t end = std::min(text.find(' ', from), text.size());
    const std::string word = text.substr(from, end - from);
    if (!line.empty() && displayWidth(line) + 1 + displayWidth(word) > width) {
      out += line + "\n";
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word;
    from = end + 1;
  }
  return out + line + "\n";
}

std::string tableText(const std::vector<std::vector<std::string>>& cells) {
  Table table;
  for (const std::vector<std::string>& row : cells) table.row(row);
  return table.text();
}

std::string resultText(const lab::Lesson& lesson, const lab::Result& result, bool explained = true) {
  std::string out = lesson.title + "\n\n";
  if (explained) out += folded(lesson.text, 100) + "\n";
  out += tableText(lab::cellsOf(result)) + "\n";
  for (const std::string& each : result.notes) out += folded("Note: " + each, 100);
  return out + folded(result.finding, 100);
}

lab::Bench benchOf(const DeviceChoice& choice) {
  requireOneDevice(choice.spec, "simscope lab");
  lab::Bench bench = lab::benchOf(choice.spec, choice.threads);
  bench.check = throwIfStopped;
  if (isatty(STDERR_FILENO) == 1) {
    bench.progress = [](double share) {
      note(share < 1 ? fmt::format("\rmeasuring {:3.0f} %\x1b[K", 100 * share) : std::string("\r\x1b[K"));
    };
  }
  return bench;
}

void requireNumbersOrChart(const LabRequest& request) {
  requireOutputs(request, {".csv", ".png", ".gif"}, ".csv, .png, or .gif");
}

void requireAlone(const LabRequest& request, const char* option, bool lesson_too) {
  const auto refuse = [&](const char* other) {
    throw UsageError(fmt::format("{} and {} do not go together", option, other));
  };
  if (lesson_too && request.lesson) refuse("a LESSON");
  if (!request.set.empty()) refuse("--set");
  if (!request.out.empty()) refuse("--out");
}

// Lessons that fail print their reason, and the exit status is 1.
void measureAll(const LabRequest& request, const DeviceChoice& choice) {
  requireAlone(request, "--all", true);
  requireNumbersOrChart(request);
  ReportFile report(request.json, request.force);
  lab::Bench bench = benchOf(choice);
  std::vector<lab::Outcome> outcomes;
  std::string failed;
  double seconds = 0;
  lab::measureAll(
      lab::allRequests(), bench, lab::kAllSeconds, [](const lab::Request&) {},
      [&](lab::Outcome outcome) {
        seconds += outcome.seconds;
        if (!outcome.result) failed += (failed.empty() ? "" : ", ") + outcome.lesson->id;
        if (!report.printed) {
          print(outcome.result ? resultText(*outcome.lesson, *outcome.result, false)
                               : outcome.lesson->title + "\n\n" + folded(outcome.failure, 100));
          print(fmt::format("({})\n\n", secondsText(outcome.seconds)));
        }
        outcomes.push_back(std::move(outcome));
      });
  report.finish(lab::json(outcomes, bench.best()->info().name),
                fmt::format("{} lessons in {}\n", outcomes.size(), secondsText(seconds)));
  if (!failed.empty()) throw Error("not measured: " + failed);
}

void compare(const LabRequest& request) {
  requireAlone(request, "--compare", false);
  if (request.all) throw UsageError("--compare and --all do not go together");
  const lab::StoredRun first = lab::readRun(request.compare[0]), second = lab::readRun(request.compare[1]);
  const bool third = request.compare.size() > 2;
  const std::string lesson = third ? request.compare[2] : request.lesson.value_or("");
  print(lab::comparisonText(first, second, lesson, tableText));
}

void giveLesson(const LabRequest& request, Program& program) {
  requireOwnFiles(request.out, {request.json}, request.force);
  if (!request.compare.empty()) return compare(request);
  if (request.field) {
    if (request.all) throw UsageError("--field and --all do not go together");
    return filterField(request, program.device);
  }
  if (request.steps) throw UsageError("--steps goes with --field");
  if (request.all) return measureAll(request, program.device);
  if (!request.lesson) {
    print(listText());
    return;
  }
  const lab::Lesson& lesson = lab::lessonById(*request.lesson);
  ParameterSet parameters = lesson.defaults();
  applyChanges(request.set, "lab " + lesson.id, parameters);
  requireNumbersOrChart(request);
  ReportFile report(request.json, request.force);
  Scene look;
  applyLook(request.look, look);

  lab::Bench bench = benchOf(program.device);
  const lab::Result result = lab::measure(lesson, bench, parameters);
  throwIfStopped();
  std::optional<render::HeadlessContext> context;
  std::optional<lab::LessonFigure> chart;
  for (const std::string& each : request.out) {
    if (each.ends_with(".csv")) {
      exporting::writeText(each, lab::csv(result), request.force);
      continue;
    }
    if (!context) context.emplace();
    if (!chart) {
      chart.emplace(lesson, result, parameters, bench.cpu, bench.best()->info().name);
    }
    bench.cpu->run([&] { lab::writeChart(*chart, look.figure, each, request.force); });
  }
  report.finish(lab::json(lesson, parameters, result, bench.best()->info().name), resultText(lesson, result));
}

}  // namespace

void requireOutputs(const LabRequest& request, const std::vector<std::string>& endings, const std::string& otherwise) {
  std::vector<std::pair<const char*, Text>> files{{"--json", request.json}};
  for (const std::string& each : request.out) files.emplace_back("--out", each);
  requireDifferentFiles(files);
  for (const std::string& each : request.out) {
    const std::string ending = std::filesystem::path(each).extension().string();
    if (std::find(endings.begin(), endings.end(), ending) == endings.end()) {
      throw UsageError(fmt::format("--out: {} does not end in {}", foreign::quotedFile(each), otherwise));
    }
    exporting::PendingFile probe(each, request.force);
  }
}

void addLab(Program& program) {
  auto [options, request] = program.add("lab", "Lessons of GPU computing, measured on this machine", giveLesson);
  options.word("LESSON", request.lesson, "The lesson to measure [lists all lessons]");
  options.flag("--all", request.all, "Measures every lesson, within a minute");
  options.app
      .add_option("--compare", request.compare,
                  "Compares two files that --json wrote, side by side; LESSON: only this lesson")
      ->expected(2, 3)
      ->type_name("A.json B.json [LESSON]");
  options.repeated("--set", "KEY=VALUE", request.set, "Changes a knob of the lesson; may be repeated");
  const auto readField = [&typed = request.field_typed](const std::string&, const std::string& text) {
    typed = text;
    return runNamed(text);
  };
  options.value("--field", "WHAT", request.field, readField, R"(For fourier_filters: filters the field of this scene,
or of SIMULATION[:PRESET]; measures no times)");
  options.value("--steps", "N", request.steps, whole(0, kMostFieldSteps),
                "With --field: time steps before the field is taken [those of ten frames]");
  options.device();
  options.repeated("--out", "FILE", request.out, "The numbers as .csv, or the chart as .png or .gif");
  options.look("--size", request.look, "For a chart: pixels [960x540]");
  options.look("--theme", request.look, "For a chart: dark, light, slides, or print [dark]");
  options.text("--json", "FILE", request.json, "Writes the result as JSON; - for standard output");
  options.force(request.force);
}

}  // namespace simscope::cli
