// A session with a run of the sample simulation, for tests.
#pragma once

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>

#include "app/session/session.h"
#include "tests/window/sample_simulation.h"

namespace simscope::gui {

inline SessionOptions sampleOptions() {
  SessionOptions options;
  options.scene = Scene::fromPreset(sampleSimulation(), "usual");
  options.device = "cpu";
  options.threads = 1;
  return options;
}

class ASession : public ::testing::Test {
 protected:
  Session session{sampleOptions()};

  void SetUp() override {
    until([&] { return session.frame != nullptr; });
  }

  // Takes the run's answers until the condition holds.
  template <class Condition>
  void until(const Condition& condition) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(120);
    double now = 0;
    do {
      session.poll(now += 0.01);
      if (condition()) return;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    } while (std::chrono::steady_clock::now() < end);
    FAIL() << "the run does not answer";
  }
  // Until the run has answered everything, and the session knows.
  void untilSettled() {
    session.runner().waitUntilIdle();
    session.poll(0);
    session.runner().waitUntilIdle();  // what was asked for again
    session.poll(0);
  }
  std::size_t index(const char* key) const { return session.scene.parameters.find(key); }
  std::string text(const char* key) const { return toText(session.scene.parameters.get(key)); }
  void set(const char* key, const Value& value) { session.setParameter(index(key), value); }
};

}  // namespace simscope::gui
