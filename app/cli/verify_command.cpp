// verify: renders the scene of a picture or film again and compares.
#include "app/cli/verify_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/process/time_limit.h"
#include "app/cli/report.h"
#include "app/verify/report.h"
#include "app/verify/verify.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

bool verify(const VerifyArguments& arguments) {
  using Clock = std::chrono::steady_clock;
  verify::Options options;
  if (arguments.tolerance) {
    options.tolerance = static_cast<int>(readInteger("--tolerance", *arguments.tolerance, 0, 255));
  }
  const double most = arguments.most_seconds ? readReal("--most-seconds", *arguments.most_seconds, 0.001, 1e9) : 3600;
  options.out = arguments.out.value_or("");
  options.overwrite = arguments.force;
  const Clock::time_point start = Clock::now();
  const std::string late = fmt::format("not verified within {}; --most-seconds allows more", secondsText(most));
  options.between = [&] {
    throwIfStopped();
    if (std::chrono::duration<double>(Clock::now() - start).count() > most) throw Error(late);
  };
  const TimeLimit limit(most, late);
  const bool shown = isatty(STDERR_FILENO) == 1;
  Clock::time_point due = start;
  options.done = [&](std::int64_t done, std::int64_t all) {
    if (!shown || Clock::now() < due) return;
    due = Clock::now() + std::chrono::milliseconds(100);
    note(fmt::format("\rcompared {} of {}\x1b[K", done, counted(all, "picture")));
  };
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  const verify::Report report = verify::verified(arguments.file, openDevice(choice), options);
  if (shown) note("\r\x1b[K");
  const std::string name = foreign::shownFile(arguments.file);
  print(arguments.json ? pretty(verify::json(report, name)) : foreign::harmless(verify::text(report, name)));
  return report.verdict != verify::Verdict::Different;
}

}  // namespace simscope::cli
