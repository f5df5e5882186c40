#include "app/cli/process/ending.h"

#include <fmt/format.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <new>
#include <string>
#include <thread>

#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "sims/compute/error.h"
#include "sims/compute/ranks/ranks.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

int complain(const std::string& what, int status) {
  noteFromAny(foreign::harmless("simscope: " + what) + "\n");
  return status;
}

struct Ending {
  std::string why;
  int status;
};
Ending endingOf(const std::exception& error) {
  if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr) {
    return {"out of memory; choose a smaller problem or close other programs", kFailed};
  }
  // Of the standard library or of TBB: neither says what to do.
  const bool own = dynamic_cast<const Error*>(&error) != nullptr || dynamic_cast<const UsageError*>(&error) != nullptr;
  if (!own && std::string(error.what()).find(std::strerror(EAGAIN)) != std::string::npos) {
    return {
        fmt::format("no more threads can be started ({}): take fewer with --threads, or raise the limit (ulimit -u)",
                    error.what()),
        kFailed};
  }
  if (const auto* failed = dynamic_cast<const compute::RankFailed*>(&error)) return {error.what(), failed->status()};
  return {error.what(), dynamic_cast<const UsageError*>(&error) != nullptr ? kUsage : kFailed};
}

}  // namespace

int endOf(const std::exception& error) {
  if (const auto* interrupted = dynamic_cast<const Interrupted*>(&error)) return endOf(*interrupted);
  if (stopRequested()) return endOf(Interrupted(stopSignal()));
  if (dynamic_cast<const PipeClosed*>(&error) != nullptr) return kFailed;
  const Ending ending = endingOf(error);
  return complain(ending.why, ending.status);
}

int endOf(const std::exception& error, Team& team) {
  compute::Ranks& ranks = *team.ranks();
  if (const auto* refused = dynamic_cast<const Refused*>(&error)) {
    if (ranks.first()) complain(refused->what(), refused->status());
    ranks.finish();
    return refused->status();
  }
  if (const int signal = stopSignal()) {
    if (ranks.first()) return endOf(Interrupted(signal));
    // A signal from mpirun reaches all ranks: rank 0 then reports the interruption and ends before it hears of this
    // rank. If only this rank was stopped and rank 0 does not listen, mpirun reports its number and status.
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    ranks.tell(fmt::format("stopped by signal {}", signal), 128 + signal);
    ranks.abort(128 + signal);
  }
  const Ending ending = endingOf(error);
  if (dynamic_cast<const compute::RankFailed*>(&error) != nullptr) ranks.abort(complain(ending.why, ending.status));
  if (dynamic_cast<const PipeClosed*>(&error) != nullptr) ranks.abort(kFailed);
  ranks.tell(ending.why, ending.status);
  ranks.abort(complain(fmt::format("{}: {}", ranks.name(ranks.rank()), ending.why), ending.status));
}

}  // namespace simscope::cli
