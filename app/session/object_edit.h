// Values of an object in a view of points, set on the figure by tools of Gesture::Edit: the selected object, its values
// in the frame, the typed values, and the arrow of a vector.
//
// Owner: plain data. Thread: the UI's. A frame's channels are read as in FieldReadings: single elements, without
// waiting; a frame whose answer has not come yet is skipped. A set value is shown at once, in double precision, and
// kept as long as the frame's single precision agrees with it.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/session/spot.h"
#include "sims/core/simulation.h"

namespace simscope {

using ObjectValue = std::array<double, 3>;  // of a number only the first is used

double lengthOf(const ObjectValue& vector);

// The tools that set values of `object` and matter; in the description's order.
std::vector<const ToolInfo*> editsOf(const Description& description, const ParameterSet& parameters,
                                     const std::string& object);
// In the form of a parameter: for the field of a number, or of a component of a vector.
ParameterInfo infoOf(const ToolInfo& tool);
// "vx", "m".
std::string symbolOf(const EditInfo& edit, std::size_t component);
// With the fewest digits that read back the same; of single precision if the value came from it.
std::string digitsOf(double value);
// "v = 0.85 length/time   (0.3, 0.8, 0)"
std::string readingOf(const EditInfo& edit, const ObjectValue& value);
// The nearest value that the tool allows; never NaN.
ObjectValue nearestAllowed(const EditInfo& edit, ObjectValue value);
// Changed by wheel notches: by about a tenth each, or a hundredth, to round numbers; within the range.
double turnedBy(const EditInfo& edit, double value, double notches, bool fine);

// The result of typing a component of the present value.
struct TypedValue {
  std::optional<ObjectValue> value;  // nothing: not valid
  std::string why;                   // why it is not valid
  std::optional<ObjectValue> offer;  // the nearest valid value
};
TypedValue typedValue(const ToolInfo& tool, const ObjectValue& now, std::size_t component, const std::string& text,
                      const std::string& bare);

// A vector drawn as an arrow of a size independent of the zoom: in pixels, y down, from the drawn place of its object.
class ObjectArrow {
 public:
  // `side`: the plot's shorter side. The value that a launch across half the cube's edge gives is kLongest of it.
  ObjectArrow(const render::Projection& projection, const EditInfo& edit, const Frame& frame, double side);
  static constexpr double kLongest = 0.4;

  std::array<double, 2> tip(const ObjectValue& vector) const;
  // The vector with its tip at this place and the component of `before` along the line of sight; within the tool's
  // range.
  ObjectValue vectorTo(double x, double y, const ObjectValue& before) const;

 private:
  std::array<ObjectValue, 3> axes_;
  double pixels_ = 1;  // per unit
  const EditInfo* edit_;
};

class ObjectEdit {
 public:
  struct Known {
    const ToolInfo* tool = nullptr;
    std::optional<ObjectValue> value;  // nothing before the first answer
  };

  // Clears the previous selection. `number`: the object's, in the run.
  void select(std::vector<const ToolInfo*> tools, std::int64_t number);
  void clear() { *this = {}; }
  bool selected() const noexcept { return number_ >= 0; }
  std::int64_t number() const noexcept { return number_; }  // −1: none
  const std::optional<Spot>& place() const noexcept { return place_; }
  const std::vector<Known>& values() const noexcept { return values_; }
  // The channels that frames must hold.
  std::vector<std::string> channels() const;
  // Whether the frame shows the object: the frame may be of another run, or of fewer objects.
  bool isIn(const Frame& frame) const;

  // Takes the answers that have come, and requests the values in the frame that the figure drew last. Errors: as
  // Figure::startElements.
  void follow(const Frame& frame, render::Figure& figure);
  // Two parts of follow(), separate for tests: the requests, empty if the value is known; and the answer.
  std::vector<render::ElementRequest> plan(const Frame& frame);
  void asked() { asked_ = planned_; }
  void take(const std::vector<std::vector<float>>& answer);

  // The event that sets this value; the value is shown from now on, and frames up to `sequence` are ignored for it.
  Brush set(const ToolInfo& tool, const ObjectValue& value, std::uint64_t sequence, bool begins);

 private:
  struct Question {
    std::int64_t number = -1;
    std::uint64_t sequence = 0;
    std::vector<std::string> channels;
    bool operator==(const Question&) const = default;
  };

  std::int64_t number_ = -1;
  std::vector<Known> values_;
  std::optional<Spot> place_;
  std::uint64_t set_in_ = 0;  // the frame shown when a value was last set
  Question planned_;
  std::optional<Question> asked_, answered_;
};

}  // namespace simscope
