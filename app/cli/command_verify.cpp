// verify: renders the scene of a picture or film again and compares.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/tasks.h"
#include "app/cli/process/time_limit.h"
#include "app/cli/report.h"
#include "app/verify/report.h"
#include "app/verify/verify.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

struct VerifyRequest {
  std::string file;
  Text out;
  int tolerance = verify::Options{}.tolerance;
  double most_seconds = 3600;
  bool json = false, force = false;
};

void verifyFile(const VerifyRequest& request, Program& program) {
  requireOwnFiles({}, {request.out}, request.force);
  const double most = request.most_seconds;
  verify::Options options;
  options.tolerance = request.tolerance;
  options.out = request.out.value_or("");
  options.overwrite = request.force;
  ProgressLine line;
  const std::string late = fmt::format("not verified within {}; --most-seconds allows more", secondsText(most));
  options.between = [&] {
    throwIfStopped();
    if (line.seconds() > most) throw Error(late);
  };
  const TimeLimit limit(most, late);
  options.done = [&](std::int64_t done, std::int64_t all) {
    if (line.due()) line.show(fmt::format("compared {} of {}", done, counted(all, "picture")));
  };
  const verify::Report report = verify::verified(request.file, openDevice(program.device), options);
  line.clear();
  const std::string name = foreign::shownFile(request.file);
  print(request.json ? pretty(verify::json(report, name)) : foreign::harmless(verify::text(report, name)));
  if (report.verdict == verify::Verdict::Different) program.status = kMismatch;
}

}  // namespace

void addVerify(Program& program) {
  auto [options, request] = program.add(
      "verify", "Renders the scene in a GIF, APNG, or PNG again, and compares the pictures with the file", verifyFile);
  options.word("FILE", request.file, "A .gif, .apng, or .png that simscope made")->required();
  options.text("--out", "DIFF", request.out, R"(Marks the pixels that differ: red, or yellow within the tolerance;
.png: the frame that differs most; .gif: all frames)");
  options.value("--tolerance", "LEVELS", request.tolerance, whole<int>(0, 255), R"(Levels, 0 to 255, by which a pixel
may differ from the colours around it in the new picture; 0: every pixel must be equal [2])");
  options.value("--most-seconds", "S", request.most_seconds, real(0.001, 1e9),
                "Stops after S seconds, because an unknown file may ask for years of work [3600]");
  options.flag("--json", request.json, "As a JSON object");
  options.device();
  options.force(request.force);
  options.app.footer(
      R"(Exit status: 0 identical, or within the tolerance; 3 different; 1 and 2 errors.
The device and the version that made the file make identical pictures. Other devices and versions round differently,
by a level or two, and move edges by less than a pixel: the tolerance allows this. Chaotic runs (many bodies, colliding
discs) always differ on other devices: choose the device that made the file with --device.
Only FILE is read; a scene that names other files is refused. At most 4 GiB of memory are taken for its pictures.)");
}

}  // namespace simscope::cli
