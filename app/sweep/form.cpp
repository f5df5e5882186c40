#include "app/sweep/form.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <utility>

#include "sims/foreign/words.h"
#include "sims/formula/quantity.h"

namespace simscope::sweep {

namespace {

constexpr int kCurveValues = 24, kDiagramValues = 12;
constexpr std::int64_t kMostStepsOfRun = 1'000'000'000'000;
constexpr double kHalf = 0.5, kTwice = 2;

bool canBeSwept(const ParameterInfo& info) {
  return info.kind == Kind::Integer || info.kind == Kind::Real;
}

double asNumber(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  return std::get<double>(value);
}

// Rounded to three digits, inside the range.
double threeDigits(const ParameterInfo& info, double value) {
  if (info.power_of_two) value = std::exp2(std::round(std::log2(value)));
  if (info.kind == Kind::Integer) value = std::round(value);
  if (info.kind == Kind::Real) value = std::stod(fmt::format("{:.3g}", value));
  return std::clamp(value, info.minimum, info.maximum);
}

Value ofKind(const ParameterInfo& info, double value) {
  if (info.kind == Kind::Integer) return static_cast<std::int64_t>(std::llround(value));
  return value;
}

// The interest of a parameter: physics before numerics, continuous values before counts. Parameters beside the size of
// the problem concern its grid.
int interest(const Scene& scene, std::size_t index) {
  const auto infos = scene.parameters.infos();
  const ParameterInfo& info = infos[index];
  const auto size = std::find_if(infos.begin(), infos.end(),
                                 [&](const ParameterInfo& each) { return each.key == scene.description->size_key; });
  int points = info.kind == Kind::Real ? 2 : 0;
  if (info.applies == Applies::Live) points += 1;
  if (!scene.parameters.matters(index)) points -= 8;
  if (info.power_of_two || (size != infos.end() && info.group == size->group)) points -= 4;
  if (info.group == "Numerics") points -= 4;
  if (asNumber(scene.parameters[index]) == 0) points -= 1;
  return points;
}

std::size_t mostInteresting(const Scene& scene, std::optional<std::size_t> but) {
  const auto infos = scene.parameters.infos();
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (!canBeSwept(infos[i]) || i == but) continue;
    if (!best || interest(scene, i) > interest(scene, *best)) best = i;
  }
  if (!best) throw UsageError(fmt::format("{} has no numeric parameter to sweep", scene.description->id));
  return *best;
}

// Reads a whole number; nullopt and an error if it is invalid or out of range.
std::optional<std::int64_t> wholeNumber(const std::string& text, const std::string& what, std::int64_t least,
                                        std::int64_t most, FormError error, std::vector<FormError>& errors) {
  try {
    const double value = formula::readQuantity(text, "", "");
    const double nearest = std::clamp(std::isnan(value) ? static_cast<double>(least) : std::round(value),
                                      static_cast<double>(least), static_cast<double>(most));
    if (value == nearest) return static_cast<std::int64_t>(value);
    error.text = fmt::format("{} {} must be a whole number from {} to {}; nearest {:.0f}", foreign::quoted(text), what,
                             least, most, nearest);
  } catch (const UsageError& wrong) {
    error.text = fmt::format("{} (a whole number from {} to {})", wrong.what(), least, most);
  }
  errors.push_back(std::move(error));
  return std::nullopt;
}

std::optional<double> endOf(const TypedAxis& typed, const ParameterInfo& info, const std::string& unit,
                            const std::string& text, FormError error, std::vector<FormError>& errors) {
  try {
    return asNumber(formula::readValue(info, text, unit, typed.unit));
  } catch (const UsageError& wrong) {
    error.text = wrong.what();
  }
  errors.push_back(std::move(error));
  return std::nullopt;
}

std::optional<Axis> listFrom(const TypedAxis& typed, std::size_t number, const ParameterSet& parameters,
                             std::vector<FormError>& errors) {
  const ParameterInfo& info = parameters.infos()[typed.parameter];
  try {
    std::vector<double> values;
    std::istringstream parts(typed.values + ",");
    for (std::string each; std::getline(parts, each, ',');) {
      values.push_back(asNumber(formula::readValue(info, each, parameters.unit(typed.parameter), typed.unit)));
    }
    return listedAxis(parameters, typed.parameter, std::move(values));
  } catch (const UsageError& wrong) {
    errors.push_back({FormField::Values, number, wrong.what()});
  }
  return std::nullopt;
}

std::optional<Axis> axisFrom(const TypedAxis& typed, std::size_t number, const ParameterSet& parameters,
                             std::vector<FormError>& errors) {
  if (typed.listed) return listFrom(typed, number, parameters, errors);
  const ParameterInfo& info = parameters.infos()[typed.parameter];
  const std::string& unit = parameters.unit(typed.parameter);
  const auto from = endOf(typed, info, unit, typed.from, {FormField::From, number, {}}, errors);
  const auto to = endOf(typed, info, unit, typed.to, {FormField::To, number, {}}, errors);
  const auto count =
      wholeNumber(typed.count, "values:", kFewestValues, kMostValues, {FormField::Count, number, {}}, errors);
  if (!from || !to || !count) return std::nullopt;
  const Axis axis{typed.parameter, *from, *to, static_cast<int>(*count), typed.log || info.power_of_two};
  try {
    valuesOf(axis, info);
    return axis;
  } catch (const UsageError& wrong) {
    const bool spacing = axis.log && !(*from > 0 && *to > 0);
    const FormField field = *from == *to ? FormField::To : spacing ? FormField::Spacing : FormField::Count;
    errors.push_back({field, number, wrong.what()});
    return std::nullopt;
  }
}

}  // namespace

std::vector<std::size_t> sweptParameters(const ParameterSet& parameters) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (canBeSwept(parameters.infos()[i])) all.push_back(i);
  }
  std::stable_partition(all.begin(), all.end(), [&](std::size_t i) { return parameters.matters(i); });
  return all;
}

std::vector<std::size_t> measuresOf(const Description& description, const ParameterSet& parameters) {
  std::vector<std::size_t> all;
  for (std::size_t i = 0; i < description.diagnostics.size(); ++i) {
    if (description.diagnostics[i].exact_of.empty()) all.push_back(i);
  }
  std::stable_partition(all.begin(), all.end(),
                        [&](std::size_t i) { return description.diagnostics[i].relevant.holds(parameters); });
  return all;
}

TypedAxis proposedAxis(const Scene& scene, std::size_t parameter, int count) {
  const ParameterInfo& info = scene.parameters.infos()[parameter];
  const std::string& unit = scene.parameters.unit(parameter);
  const Value& now = scene.parameters[parameter];
  const double value = asNumber(now);
  double from = threeDigits(info, std::min(kHalf * value, kTwice * value));
  double to = threeDigits(info, std::max(kHalf * value, kTwice * value));
  if (!(from < to)) {
    from = info.minimum;
    to = info.maximum;
  }
  TypedAxis axis;
  axis.parameter = parameter;
  axis.unit = formula::shownUnit(info, value == 0 ? ofKind(info, to) : now, unit);
  axis.from = formula::numberIn(ofKind(info, from), unit, axis.unit);
  axis.to = formula::numberIn(ofKind(info, to), unit, axis.unit);
  axis.log = info.power_of_two || (info.scale == Scale::Log && from > 0);
  // No more than there are.
  double different = count;
  if (info.power_of_two) {
    different = std::log2(to / from) + 1;
  } else if (info.kind == Kind::Integer) {
    different = axis.log ? std::max(2.0, (to - from) / 8) : to - from + 1;
  }
  axis.count = fmt::format("{:.0f}", std::clamp(std::floor(different), 2.0, static_cast<double>(count)));
  return axis;
}

Form proposedForm(const Scene& scene) {
  Form form;
  form.axes.push_back(proposedAxis(scene, mostInteresting(scene, std::nullopt), kCurveValues));
  const Description& description = *scene.description;
  const std::vector<std::size_t> measures = measuresOf(description, scene.parameters);
  if (measures.empty()) throw UsageError(fmt::format("{} has no diagnostic to measure", description.id));
  form.measure = measures.front();
  const auto telling = [&](std::size_t i) {
    const DiagnosticInfo& info = description.diagnostics[i];
    return info.relevant.holds(scene.parameters) && exactOf(description, i).has_value();
  };
  if (const auto best = std::find_if(measures.begin(), measures.end(), telling); best != measures.end()) {
    form.measure = *best;
  }
  return form;
}

std::string listedText(const TypedAxis& axis, const ParameterSet& parameters) {
  std::vector<FormError> errors;
  const auto range = axisFrom(axis, 0, parameters, errors);
  std::string text;
  if (!range || range->count > kDiagramValues * 2) return text;
  const std::string& unit = parameters.unit(axis.parameter);
  for (const Value& each : valuesOf(*range, parameters.infos()[axis.parameter])) {
    text += (text.empty() ? "" : ", ") + formula::numberIn(each, unit, axis.unit);
  }
  return text;
}

void addSecondAxis(Form& form, const Scene& scene) {
  const std::size_t first = form.axes.front().parameter;
  form.axes.resize(1);
  form.axes.push_back(proposedAxis(scene, mostInteresting(scene, first), kDiagramValues));
  if (form.axes.front().count == std::to_string(kCurveValues)) form.axes.front().count = std::to_string(kDiagramValues);
}

const FormError* FilledForm::find(FormField field, std::size_t axis) const noexcept {
  const auto found = std::find_if(errors.begin(), errors.end(),
                                  [&](const FormError& each) { return each.field == field && each.axis == axis; });
  return found == errors.end() ? nullptr : &*found;
}

FilledForm filled(const Form& form, const Scene& scene) {
  FilledForm result;
  std::vector<Axis> axes;
  std::int64_t runs = 1;
  for (std::size_t i = 0; i < form.axes.size(); ++i) {
    if (i > 0 && form.axes[i].parameter == form.axes[0].parameter) {
      result.errors.push_back({FormField::Parameter, i, "The two parameters must differ: choose another one."});
    }
    if (const auto axis = axisFrom(form.axes[i], i, scene.parameters, result.errors)) {
      runs *= axis->count;
      axes.push_back(*axis);
    }
  }
  std::optional<std::int64_t> steps;
  if (!form.steps.empty()) {
    steps = wholeNumber(form.steps, "steps:", 1, kMostStepsOfRun, {FormField::Steps, 0, {}}, result.errors);
  }
  const bool all = axes.size() == form.axes.size();
  if (all && runs > kMostRuns) {
    const std::int64_t others = runs / axes.back().count;
    result.errors.push_back({form.axes.back().listed ? FormField::Values : FormField::Count, axes.size() - 1,
                             fmt::format("{} runs are too many; range 1 to {}: at most {} values here", runs, kMostRuns,
                                         kMostRuns / others)});
  } else if (all && form.figures && runs > static_cast<std::int64_t>(kMostFigures)) {
    result.errors.push_back(
        {FormField::Shown, 0,
         fmt::format("{} figures are too many side by side; range 1 to {}: choose fewer values", runs, kMostFigures)});
  }
  if (!result.errors.empty()) return result;
  try {
    result.plan =
        makePlan(scene, std::move(axes), {scene.description->diagnostics[form.measure].key}, steps, result.notes);
  } catch (const UsageError& wrong) {
    result.errors.push_back({FormField::Parameter, 0, wrong.what()});
  }
  return result;
}

}  // namespace simscope::sweep
