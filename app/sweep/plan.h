// The plan of a sweep: the runs of one scene with one or two parameters changed, their number of steps, and the
// diagnostics to measure.
//
// Plain host data, any thread. Errors: UsageError, before anything is computed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/sweep/axis.h"

namespace simscope::sweep {

inline constexpr std::size_t kMostAxes = 2;

struct Plan {
  Scene scene;  // the runs' scene, except for the swept parameters, whose keyframes are removed
  std::vector<Axis> axes;
  std::vector<std::vector<Value>> values;  // of each axis
  std::vector<std::size_t> measures;       // indices of the description's diagnostics, in the requested order
  std::int64_t steps = 0;                  // of each run

  const Description& description() const noexcept { return *scene.description; }
  std::size_t runs() const noexcept;
  // Run i has value i % n of the first axis, n its length, and value i / n of the second.
  std::size_t valueIndex(std::size_t run, std::size_t axis) const noexcept;
  ParameterSet parametersOf(std::size_t run) const;
  // "Packet momentum k₀ = 1.5 1/length, Barrier width a = 2 length": distinguishes the run from its neighbours. Short:
  // "k₀ = 1.5, a = 2", if parameters have symbols.
  std::string label(std::size_t run) const;
  std::string shortLabel(std::size_t run) const;
};

// `steps`: nullopt for the scene's own number. Parameters that matter in no run and diagnostics without a meaning in
// any run are no errors; they are reported in `notes`.
Plan makePlan(Scene scene, std::vector<Axis> axes, const std::vector<std::string>& measures,
              std::optional<std::int64_t> steps, std::vector<std::string>& notes);

// The diagnostic that is the exact value of this one; nullopt if there is none.
std::optional<std::size_t> exactOf(const Description& description, std::size_t measure);

}  // namespace simscope::sweep
