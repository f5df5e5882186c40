#include "app/sweep/plan.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/explanation/symbols.h"
#include "sims/core/words.h"

namespace simscope::sweep {

namespace {

void requireAxes(const Plan& plan) {
  if (plan.axes.empty() || plan.axes.size() > kMostAxes) {
    throw UsageError(fmt::format("a sweep has one or two parameters, but this one has {}; nearest {}", plan.axes.size(),
                                 plan.axes.empty() ? 1 : kMostAxes));
  }
  if (plan.axes.size() == 2 && plan.axes[0].parameter == plan.axes[1].parameter) {
    throw UsageError(fmt::format("{}: the two parameters of a sweep must differ; name another one, or only this one",
                                 plan.scene.parameters.infos()[plan.axes[0].parameter].key));
  }
  std::int64_t runs = 1;
  for (const Axis& axis : plan.axes) runs *= axis.count;
  if (runs > kMostRuns) {
    throw UsageError(fmt::format("{} runs are too many; range 1 to {}: give the second parameter at most {} values",
                                 runs, kMostRuns, kMostRuns / plan.axes.front().count));
  }
}

// True if the condition holds in at least one run.
template <class Holds>
bool inAnyRun(const Plan& plan, const Holds& holds) {
  for (std::size_t run = 0; run < plan.runs(); ++run) {
    if (holds(plan.parametersOf(run))) return true;
  }
  return false;
}

void noteWhatDoesNothing(const Plan& plan, std::vector<std::string>& notes) {
  for (const Axis& axis : plan.axes) {
    const ParameterInfo& info = plan.scene.parameters.infos()[axis.parameter];
    if (inAnyRun(plan, [&](const ParameterSet& run) { return run.matters(axis.parameter); })) continue;
    notes.push_back(
        fmt::format("{} does nothing here; it matters with {}", info.key, simscope::typedText(info.relevant)));
  }
  for (const std::size_t measure : plan.measures) {
    const DiagnosticInfo& info = plan.description().diagnostics[measure];
    if (inAnyRun(plan, [&](const ParameterSet& run) { return info.relevant.holds(run); })) continue;
    notes.push_back(
        fmt::format("{} has no meaning here; it has one with {}", info.key, simscope::typedText(info.relevant)));
  }
}

std::string labelOf(const Plan& plan, std::size_t run, bool brief) {
  const ParameterSet parameters = plan.parametersOf(run);
  std::vector<std::string> parts;
  for (const Axis& axis : plan.axes) {
    const Value& value = parameters[axis.parameter];
    const auto* real = std::get_if<double>(&value);
    const std::string &unit = parameters.unit(axis.parameter), &title = parameters.title(axis.parameter);
    const std::string symbol = brief ? symbolIn(title) : std::string();
    parts.push_back((symbol.empty() ? title : symbol) + " = " + (real ? fmt::format("{:.4g}", *real) : toText(value)) +
                    (unit.empty() || brief ? "" : " " + unit));
  }
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace

std::size_t Plan::runs() const noexcept {
  std::size_t count = 1;
  for (const auto& each : values) count *= each.size();
  return count;
}

std::size_t Plan::valueIndex(std::size_t run, std::size_t axis) const noexcept {
  return axis == 0 ? run % values[0].size() : run / values[0].size();
}

ParameterSet Plan::parametersOf(std::size_t run) const {
  ParameterSet parameters = scene.parameters;
  for (std::size_t axis = 0; axis < axes.size(); ++axis) {
    parameters.set(axes[axis].parameter, values[axis][valueIndex(run, axis)]);
  }
  return parameters;
}

std::string Plan::label(std::size_t run) const {
  return labelOf(*this, run, false);
}

std::string Plan::shortLabel(std::size_t run) const {
  return labelOf(*this, run, true);
}

Plan makePlan(Scene scene, std::vector<Axis> axes, const std::vector<std::string>& measures,
              std::optional<std::int64_t> steps, std::vector<std::string>& notes) {
  Plan plan;
  plan.scene = std::move(scene);
  plan.axes = std::move(axes);
  requireAxes(plan);
  const auto infos = plan.scene.parameters.infos();
  for (const Axis& axis : plan.axes) {
    plan.values.push_back(valuesOf(axis, infos[axis.parameter]));
    // The sweep replaces keyframes, as a given value does.
    std::erase_if(plan.scene.timeline.tracks,
                  [&](const Track& track) { return track.key == infos[axis.parameter].key; });
  }
  for (const std::string& key : measures) {
    const std::size_t measure = plan.description().diagnosticIndex(key);
    if (std::find(plan.measures.begin(), plan.measures.end(), measure) == plan.measures.end()) {
      plan.measures.push_back(measure);
    }
  }
  if (plan.measures.empty())
    throw UsageError("a sweep must measure a diagnostic; name one with --measure KEY (simscope describe lists them)");
  plan.steps =
      steps.value_or(plan.scene.beginsAt() + static_cast<std::int64_t>(plan.scene.frames) * plan.scene.steps_per_frame);
  noteWhatDoesNothing(plan, notes);
  return plan;
}

std::optional<std::size_t> exactOf(const Description& description, std::size_t measure) {
  for (std::size_t i = 0; i < description.diagnostics.size(); ++i) {
    if (description.diagnostics[i].exact_of == description.diagnostics[measure].key) return i;
  }
  return std::nullopt;
}

}  // namespace simscope::sweep
