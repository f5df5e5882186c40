#include "app/judge/own_error.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <string_view>
#include <utility>

#include "app/judge/submission.h"
#include "app/recording/scene_run.h"

namespace simscope::judge {
namespace {

constexpr std::string_view kGrid = "grid_points", kEdge = "spacing", kStep = "time_step";
constexpr double kAlike = 0.25;             // a start on another grid that is farther away is another start
constexpr std::int64_t kMostDoubled = 512;  // cells along a side; a run on the double grid takes up to 16 times as long
constexpr double kRounding = 1e-9;          // of a time step

std::optional<std::size_t> parameterThat(const ParameterSet& parameters, const auto& holds) {
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (holds(parameters.infos()[i]) && parameters.matters(i)) return i;
  }
  return std::nullopt;
}

std::optional<std::size_t> timeStepOf(const Scene& scene) {
  return parameterThat(scene.parameters, [](const ParameterInfo& info) {
    return info.kind == Kind::Real && info.key.starts_with(kStep);
  });
}

bool followsKeyframes(const Scene& scene, std::size_t parameter) {
  return scene.timeline.track(scene.parameters.infos()[parameter].key) != nullptr;
}

// Sets the parameter so that a step is `wanted` long; false where that is not possible.
bool setTimeStep(Scene& scene, std::size_t parameter, double wanted) {
  const double now = scene.description->timeStep(scene.parameters);
  const double value = scene.parameters.real(scene.parameters.infos()[parameter].key) * wanted / now;
  scene.parameters.set(parameter, value);
  return std::abs(scene.description->timeStep(scene.parameters) - wanted) <= kRounding * wanted;
}

// In steps of a `parts`th of their length; strokes happen at the same times, and keyframes keep their pace.
void divideSteps(Scene& scene, int parts) {
  for (Stroke& stroke : scene.timeline.strokes) {
    for (Stroke::Event& each : stroke.events) each.step *= parts;
  }
  scene.steps_per_frame *= parts;
}

// The same scene with half the time step.
std::optional<Scene> finerInTime(const Scene& scene, std::size_t time_step) {
  if (followsKeyframes(scene, time_step)) return std::nullopt;
  Scene made = scene;
  try {
    if (!setTimeStep(made, time_step, 0.5 * scene.description->timeStep(scene.parameters))) return std::nullopt;
  } catch (const UsageError&) {  // below the range
    return std::nullopt;
  }
  divideSteps(made, 2);
  return made;
}

// The same scene with `size` cells along each side, and a `parts`th of the time step.
std::optional<Scene> onGridOf(const Scene& scene, std::int64_t size, int parts) {
  Scene made = scene;
  try {
    made.parameters.set(kGrid, size);
    const auto edge = parameterThat(scene.parameters, [](const ParameterInfo& info) { return info.key == kEdge; });
    const double finer = static_cast<double>(size) / static_cast<double>(scene.parameters.integer(kGrid));
    if (edge) made.parameters.set(*edge, scene.parameters.real(kEdge) / finer);
    const double step = scene.description->timeStep(scene.parameters) / parts;
    const double other = scene.description->timeStep(made.parameters);
    if (step > 0 && std::abs(other - step) > kRounding * step) {
      const auto time_step = timeStepOf(scene);
      if (!time_step || followsKeyframes(scene, *time_step) || !setTimeStep(made, *time_step, step))
        return std::nullopt;
    }
  } catch (const UsageError&) {  // out of range
    return std::nullopt;
  }
  if (parts > 1) divideSteps(made, parts);
  return made;
}

// A fine array on a grid of half as many points: every second one, the mean over the cells that one of twice the length
// covers, or the middle half, as spectra and far fields have it. Nothing if the shapes are no such grids.
enum class Restriction { Points, Means, Middle };
std::optional<StateArray> restricted(const StateArray& fine, const std::vector<std::size_t>& shape, Restriction how) {
  const bool means = how == Restriction::Means, middle = how == Restriction::Middle;
  if (fine.shape.size() != shape.size()) return std::nullopt;
  const bool complex = fine.dtype[1] == 'c';
  const std::size_t parts = complex ? 2 : 1, axes = shape.size();
  std::vector<std::size_t> ratio(axes), stride(axes, 1);
  std::size_t count = parts, covered = 1;
  for (std::size_t a = 0; a < axes; ++a) {
    if (shape[a] == 0 || fine.shape[a] % shape[a] != 0 || fine.shape[a] / shape[a] > 2) return std::nullopt;
    ratio[a] = fine.shape[a] / shape[a];
    count *= shape[a];
    covered *= means ? ratio[a] : 1;
  }
  for (std::size_t a = axes; a-- > 1;) stride[a - 1] = stride[a] * fine.shape[a];
  const std::vector<double> from = doublesOf(fine);
  std::vector<double> to(count, 0.0);
  std::vector<std::size_t> index(axes, 0);
  for (std::size_t at = 0; at < count; at += parts) {
    for (std::size_t cell = 0; cell < covered; ++cell) {
      std::size_t place = 0, rest = cell;
      for (std::size_t a = 0; a < axes; ++a) {
        const std::size_t first = middle ? index[a] + (fine.shape[a] - shape[a]) / 2 : index[a] * ratio[a];
        place += (first + (means ? rest % ratio[a] : 0)) * stride[a];
        if (means) rest /= ratio[a];
      }
      for (std::size_t part = 0; part < parts; ++part) {
        to[at + part] += from[place * parts + part] / static_cast<double>(covered);
      }
    }
    for (std::size_t a = axes; a-- > 0 && ++index[a] == shape[a];) index[a] = 0;
  }
  StateArray made{fine.name, complex ? "<c16" : "<f8", shape};
  const auto bytes = std::as_bytes(std::span<const double>(to));
  made.bytes.assign(bytes.begin(), bytes.end());
  return made;
}

// The nearest one of all.
std::optional<double> distanceOnGrid(const StateArray& fine, const StateArray& coarse) {
  std::optional<double> nearest;
  for (const Restriction how : {Restriction::Points, Restriction::Means, Restriction::Middle}) {
    const auto own = restricted(fine, coarse.shape, how);
    if (!own) return std::nullopt;
    const double one = distance(*own, coarse).relative;
    if (!nearest || one < *nearest) nearest = one;
  }
  return nearest;
}

// The coarse run's state with these arrays from the fine one's; false if they are not on such a grid.
bool takeMeans(State& coarse, const State& fine, const std::vector<std::string>& arrays) {
  for (StateArray& each : coarse.arrays) {
    if (std::find(arrays.begin(), arrays.end(), each.name) == arrays.end()) continue;
    const StateArray* const from = fine.find(each.name);
    const auto means = from ? restricted(*from, each.shape, Restriction::Means) : std::nullopt;
    if (!means) return false;
    fill(each, doublesOf(*means));
  }
  return true;
}

// Of the array that is farthest away; nothing if one of them is not there, or not on such a grid.
template <class Each>
std::optional<double> farthest(const State& own, const State& other, const std::vector<std::string>& arrays,
                               const Each& each) {
  double most = 0;
  for (const std::string& name : arrays) {
    const StateArray *const a = own.find(name), *const b = other.find(name);
    const std::optional<double> one = a && b ? each(*a, *b) : std::nullopt;
    if (!one || !std::isfinite(*one)) return std::nullopt;
    most = std::max(most, *one);
  }
  return most;
}

}  // namespace

void stepToTime(Stepper& stepper, double time, const std::function<void()>& between) {
  constexpr double kMostAtOnce = 1e9;
  if (!(time >= stepper.simulation().time())) {
    throw UsageError(fmt::format("--at: {} is before the run begins, at {}", time, stepper.simulation().time()));
  }
  for (;;) {
    const double step = stepper.simulation().timeStep();
    if (!(step > 0)) throw UsageError("--at: the length of a step is unknown here; use --frame");
    double steps = std::round((time - stepper.simulation().time()) / step);
    if (steps < 1) return;
    // A step's length may follow keyframes.
    if (!stepper.timeline().tracks.empty()) steps = std::min(steps, double(stepper.timeline().track_interval));
    steps = std::min(steps, kMostAtOnce);
    stepWatched(
        stepper, static_cast<std::int64_t>(steps), [&](int n) { stepper.step(n); }, between);
  }
}

std::optional<double> ownError(const Scene& scene, const compute::DevicePtr& device, const State& own,
                               const std::vector<std::string>& arrays, const std::function<void()>& between) {
  const auto stateAt = [&](const Scene& other, double time) {
    Stepper stepper = begin(other, device, std::nullopt, between);
    stepToTime(stepper, time, between);
    return stepper.save();
  };
  const auto apart = [](const StateArray& a, const StateArray& b) -> std::optional<double> {
    if (a.shape != b.shape) return std::nullopt;
    return distance(a, b).relative;
  };
  // Arrays that are farther apart do not show the same thing.
  const auto alike = [](const std::optional<double>& far) { return far && *far <= kAlike; };
  const auto known = [](const auto& found) -> std::optional<double> {
    try {
      return found();
    } catch (const NotFinite&) {
      return std::nullopt;
    } catch (const UsageError&) {  // a state that this grid cannot have, or a step that is too long there
      return std::nullopt;
    }
  };
  const auto time_step = timeStepOf(scene);
  const bool grid = scene.description->size_key == kGrid;
  if (!time_step && !grid) return std::nullopt;

  const auto errorInTime = [&]() -> std::optional<double> {
    const auto finer = finerInTime(scene, *time_step);
    if (!finer) return std::nullopt;
    const auto far = farthest(own, stateAt(*finer, own.time), arrays, apart);
    if (!far) return std::nullopt;
    return 4.0 / 3 * *far;
  };
  bool half_there_is = false;
  const auto errorOfHalfTheGrid = [&]() -> std::optional<double> {
    const std::int64_t size = scene.parameters.integer(kGrid);
    const auto coarser = size % 2 == 0 ? onGridOf(scene, size / 2, 1) : std::nullopt;
    if (!coarser) return std::nullopt;
    const State start = stateAt(scene, 0);
    Stepper stepper = begin(*coarser, device, std::nullopt, between);
    State coarse = stepper.save();
    if (!alike(farthest(start, coarse, arrays, distanceOnGrid))) {
      if (!takeMeans(coarse, start, arrays)) return std::nullopt;
      stepper.load(coarse);
    }
    stepToTime(stepper, own.time, between);
    half_there_is = true;
    const auto far = farthest(own, stepper.save(), arrays, distanceOnGrid);
    if (!alike(far)) return std::nullopt;
    return *far / 3;
  };
  const auto errorOfTwiceTheGrid = [&](int parts) -> std::optional<double> {
    const std::int64_t size = scene.parameters.integer(kGrid);
    const auto finer = size <= kMostDoubled ? onGridOf(scene, 2 * size, parts) : std::nullopt;
    if (!finer || !alike(farthest(stateAt(*finer, 0), stateAt(scene, 0), arrays, distanceOnGrid))) return std::nullopt;
    const auto far = farthest(stateAt(*finer, own.time), own, arrays, distanceOnGrid);
    if (!alike(far)) return std::nullopt;
    return 4.0 / 3 * *far;
  };

  double error = 0;
  if (time_step) {
    const auto in_time = known(errorInTime);
    if (!in_time) return std::nullopt;
    error += *in_time;
  }
  if (grid) {
    auto on_grid = known(errorOfHalfTheGrid);
    // Explicit steps on half the edge may have to be a quarter as long.
    for (const int parts : {1, 4}) {
      if (!on_grid && !half_there_is) on_grid = known([&] { return errorOfTwiceTheGrid(parts); });
    }
    if (!on_grid) return std::nullopt;
    error += *on_grid;
  }
  return error;
}

}  // namespace simscope::judge
