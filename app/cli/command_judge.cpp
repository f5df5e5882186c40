// judge: checks a result that another program computed.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/judge/judge.h"
#include "app/judge/report.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

struct JudgeRequest : SceneRequest {  // `what` is the scene, or SIM:PRESET
  std::string file;
  judge::Options how;
  Text at;  // as typed
  bool json = false;
};

void judgeFile(const JudgeRequest& request, Program& program) {
  SceneRequest what = request;
  const SceneRequest named = runNamed(request.what);
  if (named.preset) {
    if (what.preset) throw UsageError("--scene already names a preset; leave out --preset");
    what.what = named.what;
    what.preset = named.preset;
  }
  judge::Options options = request.how;
  if (options.at && options.frame) throw UsageError("--at and --frame do not go together");
  options.between = throwIfStopped;
  std::vector<std::string> notes;
  const Scene scene = sceneOf(what, notes);
  noteAll(notes);

  const judge::Judgement judgement = judge::judged(request.file, scene, openDevice(program.device), options);
  const std::string name = foreign::shownFile(request.file);
  if (options.at && std::abs(judgement.time - *options.at) > 1e-6 * judgement.step_length) {
    note(fmt::format("simscope: note: --at {}: the nearest step of the scene is at {:.10g}\n", *request.at,
                     judgement.time));
  }
  if (request.json) {
    print(pretty(judge::json(judgement, name)));
  } else {
    Table table;
    for (const std::vector<std::string>& row : judge::rows(judgement)) table.row(row);
    print(foreign::harmless(judge::head(judgement, name) + table.text("  ") + judge::verdict(judgement)));
  }
  if (!judgement.passed()) program.status = kMismatch;
}

}  // namespace

void addJudge(Program& program) {
  auto [options, request] =
      program.add("judge", "Judges a result that another program has computed for a scene", judgeFile);
  options.word("FILE", request.file, "The result as a NumPy array: a wave, a field, or one row per body")
      ->required()
      ->type_name("FILE.npy");
  options.app
      .add_option("--scene", request.what, "The scene to compare with: a scene file, or a simulation and its preset")
      ->required()
      ->type_name("SCENE|SIM[:PRESET]");
  options.scene(request);
  const auto readTime = [&at = request.at](const std::string& option, const std::string& text) {
    at = text;
    return readReal(option, text, 0, 1e30);
  };
  options.value("--at", "TIME", request.how.at, readTime,
                "Judges the result at this time of the run [the scene's end]");
  options.value("--frame", "N", request.how.frame, whole<int>(0, kMostFrames),
                "Judges the result at this frame, counted from 0 as in render");
  const auto require = [&all = request.how.requirements](const std::string&, const std::string& text) {
    all.push_back(judge::readRequirement(text));
  };
  options.repeated("--require", "KEY<=VALUE", require, R"(Upper bound of a magnitude, or with >= lower bound of
a value; "inf" removes a bound; may be repeated

[the bounds that simscope describe SIM lists; difference: five times the own run's error, 0.001 to 0.1])");
  options.flag("--json", request.json, "As a JSON object");
  options.device();
  options.app.footer(
      R"(The result replaces the state of the scene's own run, and the simulation's diagnostics judge it. KEY is a
diagnostic, KEY_error (measured minus exact), difference (from the own run, relative; of ψ up to a phase), or phase.
Exit status: 0 all requirements are met; 3 some are not met; 1 and 2 errors.)");
}

}  // namespace simscope::cli
