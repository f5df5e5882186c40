// Helpers of the sweep's tests: plans from what would be typed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/sweep/plan.h"
#include "app/sweep/runner.h"
#include "sims/core/testing/testing.h"

namespace simscope::sweep::tests {

inline Scene sceneWith(const Description& description, const simscope::tests::Changes& changes = {}) {
  Scene scene = Scene::fromPreset(description, description.presets.empty() ? "" : description.presets.front().key);
  scene.parameters = simscope::tests::changed(scene.parameters, changes);
  return scene;
}

inline Plan planWith(const Scene& scene, const std::vector<std::string>& axes, const std::vector<std::string>& measures,
                     std::optional<std::int64_t> steps, std::vector<std::string>* told = nullptr) {
  std::vector<Axis> read;
  for (const std::string& each : axes) read.push_back(readAxis(scene.parameters, each));
  std::vector<std::string> notes;
  Plan plan = makePlan(scene, read, measures, steps, notes);
  if (told) *told = notes;
  return plan;
}

inline Result made(const Plan& plan, int threads = 2, const Making& making = {}) {
  return makeRuns(
      plan, simscope::tests::cpu(threads), [](const Progress&) {}, making);
}

// All values of one diagnostic, in the order of the runs.
inline std::vector<double> valuesOf(const Plan& plan, const Result& result, const std::string& key) {
  std::vector<double> values;
  for (const RunResult& run : result.runs) {
    values.push_back(run.diagnostics[plan.description().diagnosticIndex(key)]);
  }
  return values;
}

}  // namespace simscope::sweep::tests
