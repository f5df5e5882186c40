// A stroke of the mouse with one of a simulation's tools, as the Brush events that the simulation gets. Any thread.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sims/core/simulation.h"

namespace simscope::gui {

// On a field the stroke begins where the button goes down. On curves only x is a place (y and dy stay 0), and the event
// of the press waits for a motion, so that a drag has a direction from its first event on; without one it comes with
// the release. Events lie half a radius apart at most: a fast drag leaves no gaps.
class Stroke {
 public:
  struct Tip {
    double radius = 0;
    double strength = 1;
  };
  Stroke(std::string tool, bool field) : tool_(std::move(tool)), field_(field) {}

  // In simulation units. What is not finite is passed over.
  std::vector<Brush> press(double x, double y, const Tip& tip);
  std::vector<Brush> move(double x, double y, const Tip& tip);
  std::vector<Brush> release(const Tip& tip);

 private:
  Brush at(double x, double y, double dx, double dy, const Tip& tip) const;

  std::string tool_;
  bool field_;
  bool begun_ = false;   // there is a last place
  bool silent_ = false;  // and no event yet
  double x_ = 0, y_ = 0;
};

}  // namespace simscope::gui
