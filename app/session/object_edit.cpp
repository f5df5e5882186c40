#include "app/session/object_edit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "sims/core/words.h"
#include "sims/formula/quantity.h"

namespace simscope {

namespace {

constexpr double kNotch = 1.1, kFineNotch = 1.01;
constexpr const char* kAxes[] = {"x", "y", "z"};

ObjectValue scaled(ObjectValue vector, double factor) {
  for (double& each : vector) each *= factor;
  return vector;
}

}  // namespace

double lengthOf(const ObjectValue& vector) {
  return std::hypot(vector[0], vector[1], vector[2]);
}

std::vector<const ToolInfo*> editsOf(const Description& description, const ParameterSet& parameters,
                                     const std::string& object) {
  std::vector<const ToolInfo*> tools;
  for (const ToolInfo& tool : description.tools) {
    if (tool.gesture == Gesture::Edit && tool.edit.object == object && tool.relevant.holds(parameters)) {
      tools.push_back(&tool);
    }
  }
  return tools;
}

ParameterInfo infoOf(const ToolInfo& tool) {
  const EditInfo& edit = tool.edit;
  return {.key = tool.key,
          .title = tool.title,
          .unit = edit.unit,
          .initial = 1.0,
          .minimum = edit.vector ? -edit.maximum : edit.minimum,
          .maximum = edit.maximum};
}

std::string symbolOf(const EditInfo& edit, std::size_t component) {
  return edit.vector ? edit.symbol + kAxes[component] : edit.symbol;
}

std::string digitsOf(double value) {
  const auto narrow = static_cast<float>(value);
  return static_cast<double>(narrow) == value ? fmt::format("{}", narrow) : toText(value);
}

std::string readingOf(const EditInfo& edit, const ObjectValue& value) {
  const auto number = [](double each) { return fmt::format("{:.4g}", each == 0 ? 0.0 : each); };
  const std::string text = edit.symbol + " = " + number(edit.vector ? lengthOf(value) : value[0]) +
                           (edit.unit.empty() ? "" : " " + edit.unit);
  if (!edit.vector) return text;
  return fmt::format("{}   ({}, {}, {})", text, number(value[0]), number(value[1]), number(value[2]));
}

ObjectValue nearestAllowed(const EditInfo& edit, ObjectValue value) {
  if (!edit.vector) return {std::clamp(value[0], edit.minimum, edit.maximum), 0, 0};
  // Of infinite lengths the direction alone counts.
  const double largest = std::max({std::abs(value[0]), std::abs(value[1]), std::abs(value[2])});
  if (std::isinf(largest)) {
    for (double& each : value) each = std::isinf(each) ? std::copysign(edit.maximum, each) : 0;
  }
  const double length = lengthOf(value);
  if (length < edit.minimum) {
    return length > 0 ? scaled(value, edit.minimum / length) : ObjectValue{edit.minimum, 0, 0};
  }
  if (length <= edit.maximum) return value;
  value = scaled(value, edit.maximum / length);
  // Rounding shall not lead out of the range again.
  while (lengthOf(value) > edit.maximum) value = scaled(value, 1 - 0x1p-52);
  return value;
}

double turnedBy(const EditInfo& edit, double value, double notches, bool fine) {
  if (!std::isfinite(value) || !std::isfinite(notches)) return value;
  const double wanted = value * std::pow(fine ? kFineNotch : kNotch, notches);
  return std::clamp(rounded(wanted, fine ? 4 : 3), edit.minimum, edit.maximum);
}

TypedValue typedValue(const ToolInfo& tool, const ObjectValue& now, std::size_t component, const std::string& text,
                      const std::string& bare) {
  const EditInfo& edit = tool.edit;
  ParameterInfo info = infoOf(tool);
  if (edit.vector) info.key = symbolOf(edit, component);
  TypedValue typed;
  ObjectValue wanted = now;
  try {
    wanted[component] = std::get<double>(formula::readValue(info, text, edit.unit, bare));
  } catch (const formula::QuantityError& error) {
    typed.why = error.what();
    if (error.nearest) {
      wanted[component] = std::get<double>(*error.nearest);
      typed.offer = nearestAllowed(edit, wanted);
    }
    return typed;
  } catch (const UsageError& error) {
    typed.why = error.what();
    return typed;
  }
  const double size = edit.vector ? lengthOf(wanted) : wanted[0];
  if (size >= edit.minimum && size <= edit.maximum) {
    typed.value = wanted;
  } else {
    typed.offer = nearestAllowed(edit, wanted);
    typed.why = fmt::format("{} would be {:g} {}; range {:g} to {:g}", edit.symbol, size, edit.unit, edit.minimum,
                            edit.maximum);
  }
  return typed;
}

ObjectArrow::ObjectArrow(const render::Projection& projection, const EditInfo& edit, const Frame& frame, double side)
    : axes_(projection.axes()), edit_(&edit) {
  for (ObjectValue& axis : axes_) {
    if (const double length = lengthOf(axis); length > 0) axis = scaled(axis, 1 / length);
  }
  const Channel* points = frame.find(edit.points);
  const double usual = points ? frame.launch_rate * points->x_max : 0;
  pixels_ = kLongest * std::max(side, 1.0) / (usual > 0 && std::isfinite(usual) ? usual : 1);
}

std::array<double, 2> ObjectArrow::tip(const ObjectValue& vector) const {
  const auto along = [&](const ObjectValue& axis) {
    return pixels_ * (vector[0] * axis[0] + vector[1] * axis[1] + vector[2] * axis[2]);
  };
  return {along(axes_[0]), -along(axes_[1])};
}

ObjectValue ObjectArrow::vectorTo(double x, double y, const ObjectValue& before) const {
  const ObjectValue& eye = axes_[2];
  const double deep = before[0] * eye[0] + before[1] * eye[1] + before[2] * eye[2];
  ObjectValue vector;
  for (std::size_t k = 0; k < 3; ++k) {
    vector[k] = x / pixels_ * axes_[0][k] - y / pixels_ * axes_[1][k] + deep * eye[k];
  }
  return nearestAllowed(*edit_, vector);
}

void ObjectEdit::select(std::vector<const ToolInfo*> tools, std::int64_t number) {
  clear();
  if (tools.empty() || number < 0) return;
  number_ = number;
  for (const ToolInfo* tool : tools) values_.push_back({tool, {}});
}

std::vector<std::string> ObjectEdit::channels() const {
  std::vector<std::string> keys;
  if (!values_.empty()) keys.push_back(values_.front().tool->edit.points);
  for (const Known& each : values_) keys.push_back(each.tool->edit.channel);
  return keys;
}

bool ObjectEdit::isIn(const Frame& frame) const {
  if (!selected()) return false;
  const Channel* points = frame.find(values_.front().tool->edit.points);
  if (!points || points->every < 1) return false;
  const std::int64_t drawn = points->width, all = points->of > 0 ? points->of : drawn;
  return number_ < all && number_ % points->every == 0 && number_ / points->every < drawn;
}

std::vector<render::ElementRequest> ObjectEdit::plan(const Frame& frame) {
  if (!isIn(frame) || asked_) return {};
  planned_ = {number_, frame.sequence, {}};
  const auto element = static_cast<std::uint32_t>(number_ / frame.find(values_.front().tool->edit.points)->every);
  std::vector<render::ElementRequest> requests;
  for (const std::string& key : channels()) {
    // A frame from before it was selected has not all of them yet.
    if (!frame.wants(key) || !frame.find(key)) continue;
    planned_.channels.push_back(key);
    requests.push_back({key, {element}});
  }
  return answered_ == planned_ ? std::vector<render::ElementRequest>{} : requests;
}

void ObjectEdit::take(const std::vector<std::vector<float>>& answer) {
  if (!asked_) return;
  Question question = *std::exchange(asked_, std::nullopt);
  if (question.number != number_) return;
  for (std::size_t i = 0; i < question.channels.size() && i < answer.size(); ++i) {
    const std::vector<float>& read = answer[i];
    const auto finite = [](float each) { return std::isfinite(each); };
    if (!std::all_of(read.begin(), read.end(), finite)) continue;
    if (i == 0 && question.channels[0] == values_.front().tool->edit.points && read.size() >= 3) {
      place_ = Spot{static_cast<double>(read[0]), static_cast<double>(read[1]), static_cast<double>(read[2])};
      continue;
    }
    for (Known& each : values_) {
      const std::size_t components = each.tool->edit.vector ? 3 : 1;
      if (each.tool->edit.channel != question.channels[i] || read.size() < components) continue;
      if (question.sequence <= set_in_) continue;
      ObjectValue value = each.value.value_or(ObjectValue{});
      for (std::size_t k = 0; k < components; ++k) {
        const bool agrees = each.value && static_cast<float>(value[k]) == read[k];
        if (!agrees) value[k] = static_cast<double>(read[k]);
      }
      each.value = value;
    }
  }
  answered_ = std::move(question);
}

void ObjectEdit::follow(const Frame& frame, render::Figure& figure) {
  constexpr auto kMine = render::ElementsFor::Object;
  if (const auto answer = figure.takeElements(kMine)) take(*answer);
  const std::vector<render::ElementRequest> requests = plan(frame);
  if (requests.empty() || !figure.startElements(frame, requests, kMine)) return;
  asked();
  // What lies in the host's memory is there at once.
  if (const auto answer = figure.takeElements(kMine)) take(*answer);
}

Brush ObjectEdit::set(const ToolInfo& tool, const ObjectValue& value, std::uint64_t sequence, bool begins) {
  for (Known& each : values_) {
    if (each.tool == &tool) each.value = value;
  }
  set_in_ = sequence;
  Brush event{.tool = tool.key, .begins = begins, .object = number_};
  if (tool.edit.vector) {
    event.dx = value[0];
    event.dy = value[1];
    event.dz = value[2];
  } else {
    event.strength = value[0];
  }
  return event;
}

}  // namespace simscope
