#include "app/judge/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "app/judge/own_error.h"
#include "app/judge/submission.h"
#include "app/recording/scene_run.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::judge {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

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
    throw UsageError(fmt::format("--require: unknown key {}{} Known: {}", foreign::quoted(wanted.key),
                                 didYouMean(wanted.key, keys, "."), fmt::join(keys, ", ")));
  }
  line->asked = true;
  line->why.clear();
  (wanted.at_least ? line->least : line->most) = wanted.value;
  if (!wanted.at_least && std::isinf(wanted.value)) {
    line->most.reset();
    line->asked = line->least.has_value();
  }
}

Line differenceLine(double relative, std::optional<double> own_error) {
  Line line{"difference", "Difference from the own run", "", relative, own_error.value_or(kNaN)};
  line.most = kMostDifference;
  if (!own_error) {
    line.why = "the bound where the error of the own run is not known";
  } else if (kErrors * *own_error < kLeastDifference) {
    line.most = kLeastDifference;
    line.why = "the smallest bound, for rounding";
  } else if (kErrors * *own_error < kMostDifference) {
    line.most = kErrors * *own_error;
    line.why = fmt::format("{:g} times the own run's error of {:.2g}", kErrors, *own_error);
  } else {
    line.why = fmt::format("the largest bound; the own run's error is {:.2g}", *own_error);
  }
  return line;
}

// A bound of the description that the own run exceeds, though it is right.
void dropWhatIsNoError(std::vector<Line>& lines, double own_error) {
  for (Line& each : lines) {
    if (!each.most || within(each, each.own)) continue;
    each.most.reset();
    each.why = fmt::format("no requirement: the own run has {:.3g} too, and an error of {:.2g}", each.own, own_error);
  }
}

// ψ of the array that is farthest from the own run's.
Distance farthestOf(const Submission& theirs, const State& own) {
  Distance farthest{0, kNaN};
  for (const std::string& each : theirs.arrays) {
    const Distance one = distance(*own.find(each), *theirs.state.find(each));
    if (!(one.relative <= farthest.relative) || std::isnan(farthest.phase)) farthest = one;
  }
  return farthest;
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
    State own_state;
    std::optional<Submission> theirs;
    {
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
      own_state = stepper.save();
      const std::vector<double> own = stepper.diagnostics();
      theirs = placed(file, *scene.description, own_state, simulation.stateEntries(), device);
      try {
        stepper.load(theirs->state);
      } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}: {}", foreign::quotedFile(file), error.what()));
      }
      made.told = theirs->told;
      made.arrays = theirs->arrays;
      addDiagnostics(*scene.description, parameters, stepper.diagnostics(), own, made.lines);
    }
    const Distance farthest = farthestOf(*theirs, own_state);
    const std::optional<double> own_error = ownError(scene, device, own_state, made.arrays, options.between);
    if (own_error && kErrors * *own_error <= kMostDifference) dropWhatIsNoError(made.lines, *own_error);
    made.lines.push_back(differenceLine(farthest.relative, own_error));
    if (!std::isnan(farthest.phase)) {
      made.lines.push_back({"phase", "Phase against the own run", "rad", farthest.phase, 0});
    }
  });
  for (const Requirement& each : options.requirements) require(each, made.lines);
  for (Line& each : made.lines) {
    each.kept = within(each, each.theirs);
    const bool unknown = each.key == "difference" && std::isnan(each.own);
    each.own_keeps = unknown || within(each, each.own);
  }
  return made;
}

}  // namespace simscope::judge
