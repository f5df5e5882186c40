// judge: checks a result that another program computed.
#include "app/cli/judge_command.h"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/judge/judge.h"
#include "app/judge/report.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

bool judge(const JudgeArguments& arguments) {
  SceneArguments what = arguments;
  const std::size_t colon = what.what.find(':');
  if (colon != std::string::npos && !looksLikeFile(what.what)) {
    if (what.preset) throw UsageError("--scene already names a preset; leave out --preset");
    what.preset = what.what.substr(colon + 1);
    what.what.resize(colon);
  }
  judge::Options options;
  if (arguments.at && arguments.frame) throw UsageError("--at and --frame do not go together");
  if (arguments.at) options.at = readReal("--at", *arguments.at, 0, 1e30);
  if (arguments.frame) options.frame = static_cast<int>(readInteger("--frame", *arguments.frame, 0, kMostFrames));
  for (const std::string& each : arguments.require) options.requirements.push_back(judge::readRequirement(each));
  options.between = throwIfStopped;
  std::vector<std::string> notes;
  const Scene scene = sceneOf(what, notes);
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  for (const std::string& each : notes) note(foreign::harmless("simscope: note: " + each + "\n"));

  const judge::Judgement judgement = judge::judged(arguments.file, scene, openDevice(choice), options);
  const std::string name = foreign::shownFile(arguments.file);
  if (options.at && std::abs(judgement.time - *options.at) > 1e-6 * judgement.step_length) {
    note(fmt::format("simscope: note: --at {}: the nearest step of the scene is at {:.10g}\n", *arguments.at,
                     judgement.time));
  }
  if (arguments.json) {
    print(pretty(judge::json(judgement, name)));
  } else {
    Table table;
    for (const std::vector<std::string>& row : judge::rows(judgement)) table.row(row);
    print(foreign::harmless(judge::head(judgement, name) + table.text("  ") + judge::verdict(judgement)));
  }
  return judgement.passed();
}

}  // namespace simscope::cli
