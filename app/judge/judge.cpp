#include "app/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "app/judge/submission.h"
#include "app/recording/scene_run.h"
#include "sims/foreign/words.h"

namespace simscope::judge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

// To the step that is nearest to the time.
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

std::int64_t stepOf(const Scene& scene, const Options& options) {
  const std::int64_t each = scene.steps_per_frame;
  return options.frame ? scene.first_step + *options.frame * each : scene.beginsAt() + scene.frames * each;
}

bool within(const Line& line, double value) {
  if (std::isnan(value)) return !line.asked;
  return (!line.most || std::abs(value) <= *line.most) && (!line.least || value >= *line.least);
}

void addDiagnostics(const Description& description, const ParameterSet& parameters, const std::vector<double>& theirs,
                    const std::vector<double>& own, std::vector<Line>& lines) {
  for (std::size_t i = 0; i < description.diagnostics.size(); ++i) {
    const DiagnosticInfo& info = description.diagnostics[i];
    if (!info.exact_of.empty() || !info.relevant.holds(parameters)) continue;
    Line line{info.key, info.title, info.unit, theirs[i], own[i]};
    if (info.bound > 0) line.most = info.bound;
    lines.push_back(line);
    for (std::size_t e = 0; e < description.diagnostics.size(); ++e) {
      const DiagnosticInfo& exact = description.diagnostics[e];
      if (exact.exact_of != info.key || !exact.relevant.holds(parameters) || std::isnan(own[e])) continue;
      lines.back().exact = own[e];
      Line error{info.key + "_error", info.title + ", error", info.unit, theirs[i] - own[e], own[i] - own[e]};
      if (exact.tolerance > 0 && std::abs(error.own) <= exact.tolerance) error.most = exact.tolerance;
      lines.push_back(error);
    }
  }
}

void require(const Requirement& wanted, std::vector<Line>& lines) {
  const auto line = std::find_if(lines.begin(), lines.end(), [&](const Line& each) { return each.key == wanted.key; });
  if (line == lines.end()) {
    std::vector<std::string> keys;
    for (const Line& each : lines) keys.push_back(each.key);
    const std::string close = closestName(wanted.key, keys);
    throw UsageError(fmt::format("--require: unknown key {}{} Known: {}", foreign::quoted(wanted.key),
                                 close.empty() ? "." : "; did you mean '" + close + "'?", fmt::join(keys, ", ")));
  }
  line->asked = true;
  (wanted.at_least ? line->least : line->most) = wanted.value;
  if (!wanted.at_least && std::isinf(wanted.value)) {
    line->most.reset();
    line->asked = line->least.has_value();
  }
}

}  // namespace

Requirement readRequirement(const std::string& text) {
  std::size_t sign = text.find("<=");
  Requirement read;
  if (sign == std::string::npos) {
    sign = text.find(">=");
    read.at_least = true;
  }
  const auto refuse = [&] {
    throw UsageError(
        fmt::format("--require: {} is not a requirement; write KEY<=VALUE or KEY>=VALUE", foreign::quoted(text)));
  };
  if (sign == std::string::npos || sign == 0) refuse();
  read.key = text.substr(0, sign);
  const std::string number = text.substr(sign + 2);
  if (number == "inf" && !read.at_least) {
    read.value = std::numeric_limits<double>::infinity();
    return read;
  }
  const char* end = number.data() + number.size();
  const auto [last, error] = std::from_chars(number.data(), end, read.value);
  if (error != std::errc() || last != end || !std::isfinite(read.value) || (!read.at_least && read.value < 0)) refuse();
  return read;
}

bool Judgement::passed() const {
  return std::all_of(lines.begin(), lines.end(), [](const Line& each) { return each.kept; });
}

Judgement judged(const std::filesystem::path& file, const Scene& scene, const compute::DevicePtr& device,
                 const Options& options) {
  Judgement made{scene, {}, {}, 0, 0, 0, device->info().name, {}};
  device->run([&] {
    Stepper stepper = begin(scene, device, std::nullopt, options.between);
    if (options.at) {
      stepToTime(stepper, *options.at, options.between);
    } else if (const std::int64_t steps = stepOf(scene, options) - stepper.simulation().steps(); steps > 0) {
      stepWatched(
          stepper, steps, [&](int n) { stepper.step(n); }, options.between);
    }
    Simulation& simulation = stepper.simulation();
    made.step = simulation.steps();
    made.time = simulation.time();
    made.step_length = simulation.timeStep();
    const ParameterSet parameters = simulation.parameters();
    const State own_state = stepper.save();
    const std::vector<double> own = stepper.diagnostics();
    const Submission theirs = placed(file, *scene.description, own_state, simulation.stateEntries());
    try {
      stepper.load(theirs.state);
    } catch (const UsageError& error) {
      throw UsageError(fmt::format("{}: {}", foreign::quotedFile(file), error.what()));
    }
    made.told = theirs.told;
    made.arrays = theirs.arrays;
    addDiagnostics(*scene.description, parameters, stepper.diagnostics(), own, made.lines);
    Distance farthest{0, kNaN};
    for (const std::string& each : theirs.arrays) {
      const Distance one = distance(*own_state.find(each), *theirs.state.find(each));
      if (!(one.relative <= farthest.relative) || std::isnan(farthest.phase)) farthest = one;
    }
    made.lines.push_back({"difference", "Difference from the own run", "", farthest.relative, 0});
    made.lines.back().most = kMostDifference;
    if (!std::isnan(farthest.phase)) {
      made.lines.push_back({"phase", "Phase against the own run", "rad", farthest.phase, 0});
    }
  });
  for (const Requirement& each : options.requirements) require(each, made.lines);
  for (Line& each : made.lines) {
    each.kept = within(each, each.theirs);
    each.own_keeps = within(each, each.own);
  }
  return made;
}

}  // namespace simscope::judge
