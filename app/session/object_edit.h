// Values of one of the objects that a view of points shows, set on the figure by tools of Gesture::Edit: which object
// is selected, what the frame says of it, what is typed for it, and the arrow of a vector.
//
// Owner: plain data. Thread: the UI's. A frame's channels are read as FieldReadings does: single elements, nothing
// waits, a frame whose answer has not come yet is passed over. What was set is shown at once, in double precision, and
// stays where the frame's single precision agrees with it.
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

using ObjectValue = std::array<double, 3>;  // of a number the first counts

double lengthOf(const ObjectValue& vector);

// The tools that set values of what is called `object`, and matter; in the description's order.
std::vector<const ToolInfo*> editsOf(const Description& description, const ParameterSet& parameters,
                                     const std::string& object);
// As parameters have them: for the field of a number, or of a component of a vector.
ParameterInfo infoOf(const ToolInfo& tool);
// "vx", "m".
std::string symbolOf(const EditInfo& edit, std::size_t component);
// With the fewest digits that read back the same; of single precision where that is what it came from.
std::string digitsOf(double value);
// "v = 0.85 length/time   (0.3, 0.8, 0)"
std::string readingOf(const EditInfo& edit, const ObjectValue& value);
// The nearest value that the tool allows; not NaN.
ObjectValue nearestAllowed(const EditInfo& edit, ObjectValue value);
// By notches of a wheel: about a tenth each, or a hundredth, to round numbers; within the range.
double turnedBy(const EditInfo& edit, double value, double notches, bool fine);

// What was typed for a component of the value that there is.
struct TypedValue {
  std::optional<ObjectValue> value;  // nothing: it is none
  std::string why;                   // it is none
  std::optional<ObjectValue> offer;  // the nearest that would do
};
TypedValue typedValue(const ToolInfo& tool, const ObjectValue& now, std::size_t component, const std::string& text,
                      const std::string& bare);

// A vector as an arrow in the picture, whatever the zoom: pixels, y down, from where its object is drawn.
class ObjectArrow {
 public:
  // `side`: of the plot, shorter one. What a launch across half the cube's edge gets is kLongest of it.
  ObjectArrow(const render::Projection& projection, const EditInfo& edit, const Frame& frame, double side);
  static constexpr double kLongest = 0.4;

  std::array<double, 2> tip(const ObjectValue& vector) const;
  // The vector whose tip lies there, with what `before` has along the line of sight; within the tool's range.
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
    std::optional<ObjectValue> value;  // nothing until the first answer
  };

  // Forgets what was selected before. `number`: of the object, in the run.
  void select(std::vector<const ToolInfo*> tools, std::int64_t number);
  void clear() { *this = {}; }
  bool selected() const noexcept { return number_ >= 0; }
  std::int64_t number() const noexcept { return number_; }  // −1: none
  const std::optional<Spot>& place() const noexcept { return place_; }
  const std::vector<Known>& values() const noexcept { return values_; }
  // The channels that frames must hold.
  std::vector<std::string> channels() const;
  // Whether the frame shows it: it may be of another run, or of fewer objects.
  bool isIn(const Frame& frame) const;

  // Takes what has come, and asks for what the frame says, which the figure has drawn last. Errors: as
  // Figure::startElements.
  void follow(const Frame& frame, render::Figure& figure);
  // The two halves of it: what is to be read, none where it is known; and the answer.
  std::vector<render::ElementRequest> plan(const Frame& frame);
  void asked() { asked_ = planned_; }
  void take(const std::vector<std::vector<float>>& answer);

  // The event that sets this value; it is shown from here on, and frames up to `sequence` tell no more of it.
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
  std::uint64_t set_in_ = 0;  // the frame that was shown when a value was set last
  Question planned_;
  std::optional<Question> asked_, answered_;
};

}  // namespace simscope
