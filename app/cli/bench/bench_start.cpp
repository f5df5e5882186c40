#include <fmt/format.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "app/cli/bench/batches.h"
#include "app/cli/bench/bench.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/cli/report_file.h"
#include "app/export/child_process.h"
#include "app/export/files.h"
#include "app/gui/window/start_meter.h"
#include "sims/foreign/nesting.h"

namespace simscope::cli {

namespace {

constexpr int kStarts = 5;
constexpr double kGoalMs = 1000, kSoftwareGoalMs = 2000;  // to the first moving picture

struct Start {
  double window_ms = 0, picture_ms = 0, moving_ms = 0;
  std::string renderer;
  bool software = false;
};

Start startOnce(const DeviceChoice& choice) {
  const std::optional<std::filesystem::path> env = exporting::findProgram("env");
  if (!env) throw Error("the program 'env' is not on the PATH");
  const std::filesystem::path temporary = std::filesystem::temp_directory_path();
  const exporting::PendingFolder folder(temporary / "simscope-start");  // the state folder of this start
  const std::vector<std::string> words = {"SIMSCOPE_STATE_DIR=" + folder.path().string(),
                                          std::filesystem::read_symlink("/proc/self/exe").string(),
                                          "gui",
                                          "--start-times",
                                          "--device",
                                          choice.spec,
                                          "--threads",
                                          std::to_string(choice.threads)};
  const std::int64_t begun = gui::monotonicNs();
  exporting::ChildProcess child(*env, words);
  child.closeInput();
  const std::string ended = child.wait();
  throwIfStopped();
  if (!ended.empty()) throw Error("the window " + ended + ": " + child.lastErrors(2000));
  const auto told = foreign::parsedJson<Json>(child.output());
  if (!told.is_object()) throw Error("the window reported no times: it was closed before the first moving picture");
  const auto ms = [&](const char* key) { return static_cast<double>(told.at(key).get<std::int64_t>() - begun) / 1e6; };
  return {ms("window_ns"), ms("picture_ns"), ms("moving_ns"), told.at("renderer").get<std::string>(),
          told.at("software").get<bool>()};
}

}  // namespace

void benchStart(const BenchRequest& request, const DeviceChoice& choice) {
  if (!request.simulations.empty() || request.preset || !request.set.empty() || !request.sizes.empty() ||
      request.live) {
    throw UsageError("--start measures only how the window opens: leave out SIM, --preset, --set, --size, and --live");
  }
  ReportFile report(request.json, request.force);
  std::vector<double> window, picture, moving;
  Start last;
  for (int i = 0; i < kStarts; ++i) {
    last = startOnce(choice);
    window.push_back(last.window_ms);
    picture.push_back(last.picture_ms);
    moving.push_back(last.moving_ms);
  }
  const double goal = last.software ? kSoftwareGoalMs : kGoalMs, reached = median(moving);
  const Json result = {{"renderer", last.renderer},
                       {"software", last.software},
                       {"starts", kStarts},
                       {"window_ms", number(median(window))},
                       {"first_picture_ms", number(median(picture))},
                       {"first_moving_ms", number(reached)},
                       {"goal_ms", number(goal)}};
  Table table;
  table.row({"WINDOW", "FIRST PICTURE", "FIRST MOVING PICTURE", "GOAL", "OPENGL"});
  table.row({fmt::format("{:.0f} ms", median(window)), fmt::format("{:.0f} ms", median(picture)),
             fmt::format("{:.0f} ms", reached),
             fmt::format("{:.0f} ms, {}", goal, reached <= goal ? "reached" : "missed"), last.renderer});
  report.finish(result, table.text() + fmt::format(R"(
Times from the start of the program, without settings or pictures of earlier starts. Median of {} starts.
)",
                                                   kStarts));
}

}  // namespace simscope::cli
