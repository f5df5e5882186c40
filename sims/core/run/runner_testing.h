// Helpers of the tests of the runner.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <utility>

#include "sims/core/run/runner.h"
#include "sims/core/testing/fake_simulation.h"

namespace simscope {

inline constexpr auto kLimit = std::chrono::seconds(60);

using fake::with;

// Polls until `condition` holds for the status; returns that status, or fails the test after a minute.
template <class Condition>
RunnerStatus await(const Runner& runner, Condition condition) {
  const auto end = std::chrono::steady_clock::now() + kLimit;
  for (;;) {
    RunnerStatus status = runner.status();
    if (condition(status)) return status;
    if (std::chrono::steady_clock::now() > end) {
      ADD_FAILURE() << "waited in vain; step " << status.steps << ", message: " << status.message;
      return status;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

inline RunnerStatus settled(Runner& runner) {
  runner.waitUntilIdle();
  return runner.status();
}

inline State saved(Runner& runner) {
  State state;
  runner.save([&](State now) { state = std::move(now); });
  runner.waitUntilIdle();
  return state;
}

inline auto idIs(CommandId id) {
  return testing::Field("id", &RefusedCommand::id, id);
}

inline constexpr Pace kFast{.mode = Pace::Mode::StepsPerFrame, .steps_per_frame = 3, .frames_per_second = 0};

}  // namespace simscope
