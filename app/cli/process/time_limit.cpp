#include "app/cli/process/time_limit.h"

#include <unistd.h>

#include <chrono>
#include <exception>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/process/ending.h"
#include "app/cli/process/interrupt.h"
#include "app/export/signals.h"
#include "app/export/unfinished.h"

namespace simscope::cli {

TimeLimit::TimeLimit(double seconds, std::string message) : said_(std::move(message)) {
  constexpr double kGraceSeconds = 0.5;
  const exporting::SignalsElsewhere signals;
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration_cast<std::chrono::steady_clock::duration>(
                                                          std::chrono::duration<double>(seconds + kGraceSeconds));
  try {
    watch_ = std::thread([this, end] {
      std::unique_lock lock(mutex_);
      if (ended_.wait_until(lock, end, [this] { return over_; })) return;
      exporting::unfinished::abandonAll();
      note("simscope: " + said_ + "\n");
      _exit(kFailed);
    });
  } catch (const std::exception&) {
    endByTimer(seconds + kGraceSeconds, said_.c_str(), kFailed);
  }
}

TimeLimit::~TimeLimit() {
  {
    const std::lock_guard lock(mutex_);
    over_ = true;
  }
  ended_.notify_all();
  if (watch_.joinable()) {
    watch_.join();
  } else {
    endByTimer(0, nullptr, 0);
  }
}

}  // namespace simscope::cli
