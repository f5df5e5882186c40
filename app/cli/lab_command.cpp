#include "app/cli/lab_command.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <optional>

#include <unistd.h>

#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/report.h"
#include "app/export/files.h"
#include "app/lab/lesson.h"
#include "app/lab/lesson_figure.h"
#include "app/lab/lesson_text.h"
#include "app/render/gl/gl_context.h"
#include "app/scene/scene.h"
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
  return "Lessons, and what --set takes:\n" + table.text("  ") +
         "\nsimscope lab LESSON measures one on this machine.\n";
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

std::string resultText(const lab::Lesson& lesson, const lab::Result& result) {
  Table table;
  for (std::vector<std::string>& row : lab::cellsOf(result)) table.row(std::move(row));
  std::string out = lesson.title + "\n\n" + folded(lesson.text, 100) + "\n" + table.text() + "\n";
  for (const std::string& each : result.notes) out += folded("Note: " + each, 100);
  return out + folded(result.finding, 100);
}

lab::Bench benchOf(const LabArguments& arguments) {
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  lab::Bench bench;
  bench.cpu = compute::Device::open("cpu", choice.threads);
  if (choice.spec == "cpu") {
    bench.no_cuda = "--device cpu was asked for";
  } else if (choice.spec == "auto") {
    bench.no_cuda = compute::Device::whyNoCuda();
    if (bench.no_cuda.empty()) bench.cuda = compute::Device::open("cuda");
  } else {
    bench.cuda = openDevice(choice);
  }
  bench.check = throwIfStopped;
  if (isatty(STDERR_FILENO) == 1) {
    bench.progress = [](double share) {
      note(share < 1 ? fmt::format("\rmeasuring {:3.0f} %\x1b[K", 100 * share) : std::string("\r\x1b[K"));
    };
  }
  return bench;
}

// What is wrong with a name is told before anything is measured.
void requireOutputs(const LabArguments& arguments) {
  for (const std::string& each : arguments.out) {
    const std::string ending = std::filesystem::path(each).extension().string();
    if (ending != ".csv" && ending != ".png" && ending != ".gif") {
      throw UsageError(fmt::format("--out: {} ends in none of .csv, .png, .gif", foreign::quotedFile(each)));
    }
    exporting::PendingFile probe(each, arguments.force);
  }
}

}  // namespace

void lab(const LabArguments& arguments) {
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
  const std::string document = arguments.json ? pretty(lab::json(lesson, parameters, result)) : std::string();
  if (arguments.json && *arguments.json != "-") exporting::writeText(*arguments.json, document, arguments.force);
  print(arguments.json && *arguments.json == "-" ? document : resultText(lesson, result));
}

}  // namespace simscope::cli
