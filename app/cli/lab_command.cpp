#include "app/cli/lab_command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

#include <unistd.h>

#include "app/cli/lab_field.h"
#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
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

lab::Bench benchOf(const LabArguments& arguments) {
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
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

// Checks the names of files before anything is measured.
void requireOutputs(const LabArguments& arguments) {
  std::vector<std::pair<const char*, Text>> files{{"--json", arguments.json}};
  for (const std::string& each : arguments.out) files.emplace_back("--out", each);
  requireDifferentFiles(files);
  for (const std::string& each : arguments.out) {
    const std::string ending = std::filesystem::path(each).extension().string();
    if (ending != ".csv" && ending != ".png" && ending != ".gif") {
      throw UsageError(fmt::format("--out: {} does not end in .csv, .png, or .gif", foreign::quotedFile(each)));
    }
    exporting::PendingFile probe(each, arguments.force);
  }
  if (arguments.json && *arguments.json != "-") exporting::PendingFile probe(*arguments.json, arguments.force);
}

void requireAlone(const LabArguments& arguments, const char* option, bool lesson_too) {
  const auto refuse = [&](const char* other) {
    throw UsageError(fmt::format("{} and {} do not go together", option, other));
  };
  if (lesson_too && arguments.lesson) refuse("a LESSON");
  if (!arguments.set.empty()) refuse("--set");
  if (!arguments.out.empty()) refuse("--out");
}

// Lessons that fail print their reason, and the exit status is 1.
void measureAll(const LabArguments& arguments) {
  requireAlone(arguments, "--all", true);
  requireOutputs(arguments);
  const bool json = arguments.json && *arguments.json == "-";
  lab::Bench bench = benchOf(arguments);
  std::vector<lab::Outcome> outcomes;
  std::string failed;
  double seconds = 0;
  lab::measureAll(
      lab::allRequests(), bench, lab::kAllSeconds, [](const lab::Request&) {},
      [&](lab::Outcome outcome) {
        seconds += outcome.seconds;
        if (!outcome.result) failed += (failed.empty() ? "" : ", ") + outcome.lesson->id;
        if (!json) {
          print(outcome.result ? resultText(*outcome.lesson, *outcome.result, false)
                               : outcome.lesson->title + "\n\n" + folded(outcome.failure, 100));
          print(fmt::format("({})\n\n", secondsText(outcome.seconds)));
        }
        outcomes.push_back(std::move(outcome));
      });
  if (arguments.json) {
    const std::string document = pretty(lab::json(outcomes, bench.best()->info().name));
    json ? print(document) : exporting::writeText(*arguments.json, document, arguments.force);
  }
  if (!json) print(fmt::format("{} lessons in {}\n", outcomes.size(), secondsText(seconds)));
  if (!failed.empty()) throw Error("not measured: " + failed);
}

void compare(const LabArguments& arguments) {
  requireAlone(arguments, "--compare", false);
  if (arguments.all) throw UsageError("--compare and --all do not go together");
  const lab::StoredRun first = lab::readRun(arguments.compare[0]), second = lab::readRun(arguments.compare[1]);
  const bool third = arguments.compare.size() > 2;
  const std::string lesson = third ? arguments.compare[2] : arguments.lesson.value_or("");
  print(lab::comparisonText(first, second, lesson, tableText));
}

}  // namespace

void lab(const LabArguments& arguments) {
  if (!arguments.compare.empty()) return compare(arguments);
  if (arguments.field) {
    if (arguments.all) throw UsageError("--field and --all do not go together");
    return filterField(arguments);
  }
  if (arguments.steps) throw UsageError("--steps goes with --field");
  if (arguments.all) return measureAll(arguments);
  if (!arguments.lesson) {
    print(listText());
    return;
  }
  const lab::Lesson& lesson = lab::lessonById(*arguments.lesson);
  ParameterSet parameters = lesson.defaults();
  applyChanges(arguments.set, "lab " + lesson.id, parameters);
  requireOutputs(arguments);
  Scene look;
  applyFigure(arguments, look);

  lab::Bench bench = benchOf(arguments);
  const lab::Result result = lab::measure(lesson, bench, parameters);
  throwIfStopped();
  std::optional<render::HeadlessContext> context;
  std::optional<lab::LessonFigure> chart;
  for (const std::string& each : arguments.out) {
    if (each.ends_with(".csv")) {
      exporting::writeText(each, lab::csv(result), arguments.force);
      continue;
    }
    if (!context) context.emplace();
    if (!chart) {
      chart.emplace(lesson, result, parameters, bench.cpu, bench.best()->info().name);
    }
    bench.cpu->run([&] { lab::writeChart(*chart, look.figure, each, arguments.force); });
  }
  const std::string document =
      arguments.json ? pretty(lab::json(lesson, parameters, result, bench.best()->info().name)) : std::string();
  if (arguments.json && *arguments.json != "-") exporting::writeText(*arguments.json, document, arguments.force);
  print(arguments.json && *arguments.json == "-" ? document : resultText(lesson, result));
}

}  // namespace simscope::cli
