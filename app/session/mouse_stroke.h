// One stroke of the mouse with a tool, from the press to the release, as events for the simulation; the first begins a
// simscope::Stroke.
// The tool's Gesture decides when events come: paint all along the way, launch once at the end, or place at the mouse.
// A shape drawn in the plane (DrawnShape) comes at the release, a fill with the press.
//
// Plain data; any thread. Coordinates are the simulation's; non-finite ones are ignored.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "app/session/drawn_shape.h"
#include "app/session/spot.h"
#include "sims/core/simulation.h"
#include "sims/core/view.h"

namespace simscope {

// In a view of curves, painting waits after the press for a motion, so that a drag has a direction from its first event
// on; without motion the event comes with the release. Painted events lie at most half a radius apart: a fast drag
// leaves no gaps.
class MouseStroke {
 public:
  struct Tip {
    double radius = 0;
    double strength = 1;
  };
  // A shape is ignored, and the stroke drawn freehand, if the tool does not paint or the view is not a plane.
  MouseStroke(std::string tool, Gesture gesture, Domain domain, DrawnShape shape = DrawnShape::Freehand)
      : tool_(std::move(tool)),
        gesture_(gesture),
        domain_(domain),
        shape_(gesture == Gesture::Paint && domain == Domain::Plane ? shape : DrawnShape::Freehand) {}

  std::vector<Brush> press(Spot at, const Tip& tip);
  // `straight`: the shape is constrained (straightened()).
  std::vector<Brush> move(Spot to, const Tip& tip, bool straight = false);
  std::vector<Brush> release(const Tip& tip);
  // For a launch: the event that a release now would send.
  Brush aimed(const Tip& tip) const;

  Gesture gesture() const noexcept { return gesture_; }
  Domain domain() const noexcept { return domain_; }
  DrawnShape shape() const noexcept { return shape_; }
  bool begun() const noexcept { return begun_; }
  const Spot& start() const noexcept { return start_; }  // where the button was pressed
  const Spot& last() const noexcept { return last_; }    // where the mouse was last

 private:
  Spot grounded(const Spot& spot) const;
  Brush event(const Spot& at, const Spot& from, const Tip& tip);
  std::vector<Brush> paint(const Spot& to, const Tip& tip);

  std::string tool_;
  Gesture gesture_;
  Domain domain_;
  DrawnShape shape_;
  bool begun_ = false;   // there is a last place
  bool silent_ = false;  // no event has been sent yet
  bool sent_ = false;    // the event that begins the run's stroke has been sent
  Spot start_, last_;
};

}  // namespace simscope
