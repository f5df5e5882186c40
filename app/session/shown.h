// Which view of a simulation is meant, and what the mouse can do on it. Plain functions of the description; any thread.
#pragma once

#include <string>
#include <vector>

#include "app/session/mouse_stroke.h"
#include "sims/core/description.h"

namespace simscope {

// A view of one of the four kinds; none where all are null.
struct Shown {
  const LinkedView* linked = nullptr;
  const FieldView* field = nullptr;
  const PointView* points = nullptr;
  const CurveView* curves = nullptr;

  explicit operator bool() const { return linked || field || points || curves; }
  std::string key() const;
  std::string title() const;
  // Not of a linked view.
  Ground ground() const;
  const AxisInfo& axis() const;  // of x; in space of all three
};

// The view with this key; empty: the one that opens. None for an unknown key.
Shown shownOf(const Description& description, const std::string& key);
// The views that the figure of this one is made of, the main one first: itself, or a linked view's panels.
std::vector<Shown> panelsOf(const Description& description, const Shown& view);
Shown mainOf(const Description& description, const std::string& key);
// All views in the order in which they are offered.
std::vector<Shown> viewsOf(const Description& description);

// Whether the tool acts on this view: on the one that it names, or on those over the simulation's own axes (those of
// the first view; others may be spectra).
bool actsOn(const Description& description, const ToolInfo& tool, const Shown& view);
// Whether it acts on any panel of the view with this key.
bool actsWithin(const Description& description, const ToolInfo& tool, const std::string& key);

}  // namespace simscope
