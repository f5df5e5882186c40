// The form of a sweep: the text typed for one or two parameters, the diagnostic, and the kind of picture. It begins
// with a proposal that fits the scene, and becomes a plan, or errors with their fields.
//
// Plain host data, any thread. Numbers take arithmetic and units, as everywhere (sims/formula/quantity.h).
#pragma once

#include <string>
#include <vector>

#include "app/sweep/plan.h"

namespace simscope::sweep {

inline constexpr std::size_t kMostFigures = 64;  // side by side

struct TypedAxis {
  std::size_t parameter = 0;  // its index among the description's
  std::string from, to;       // numbers without a unit are in `unit`
  std::string unit;           // a multiple of the parameter's own
  std::string count;          // of values
  bool log = false;
  bool listed = false;  // by `values`, "1, 2, 5", instead of the range
  std::string values = {};
  bool operator==(const TypedAxis&) const = default;
};

struct Form {
  std::vector<TypedAxis> axes;  // one or two
  std::size_t measure = 0;      // index among the description's diagnostics
  std::string steps;            // of each run; empty: the steps to the scene's end
  bool figures = false;         // the runs' own figures side by side; otherwise the curve or the phase diagram
  bool operator==(const Form&) const = default;
};

// The parameters that can be swept: first those that matter in the present scene.
std::vector<std::size_t> sweptParameters(const ParameterSet& parameters);
// The diagnostics that can be measured: first those with a meaning in the present scene. Exact values are included.
std::vector<std::size_t> measuresOf(const Description& description, const ParameterSet& parameters);

// The proposal: one parameter around its present value, and if possible a diagnostic with an exact value.
Form proposedForm(const Scene& scene);
// From half the present value to twice as much; the whole range if that is empty.
TypedAxis proposedAxis(const Scene& scene, std::size_t parameter, int count);
// The values of the range, as they are typed in a list; empty if it is not valid, or too long to be read.
std::string listedText(const TypedAxis& axis, const ParameterSet& parameters);
// A second parameter beside the first, with few values of both.
void addSecondAxis(Form& form, const Scene& scene);

enum class FormField { Parameter, From, To, Count, Spacing, Values, Steps, Shown };
struct FormError {
  FormField field = FormField::Parameter;
  std::size_t axis = 0;  // of the first six
  std::string text;
};

// The plan, if there are no errors.
struct FilledForm {
  std::optional<Plan> plan;
  std::vector<FormError> errors;
  std::vector<std::string> notes;  // parameters without effect

  const FormError* find(FormField field, std::size_t axis = 0) const noexcept;
};
FilledForm filled(const Form& form, const Scene& scene);

}  // namespace simscope::sweep
