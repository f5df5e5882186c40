// Threads that are started together: all of them, or none and an Error.
#pragma once

#include <fmt/format.h>

#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::sweep {

// work(0), …, work(count - 1), each on its thread. Where the system starts no more, `ended` is set for those that run,
// which are joined before the Error is thrown.
template <class Work>
std::vector<std::thread> startedThreads(int count, std::atomic<bool>& ended, const Work& work) {
  std::vector<std::thread> threads;
  try {
    for (int i = 0; i < count; ++i) threads.emplace_back(work, i);
  } catch (const std::system_error& error) {
    ended = true;
    for (std::thread& each : threads) each.join();
    throw Error(
        fmt::format("only {} of {} threads for the runs can be started ({}): take fewer with --threads, or raise "
                    "the limit (ulimit -u)",
                    threads.size(), count, error.what()));
  }
  return threads;
}

}  // namespace simscope::sweep
