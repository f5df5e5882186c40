// Which view of the simulation the figure shows, and its controls above the figure: the choice of the view, a toggle
// for each trace of curves, the colours of a field. Thread: the UI's.
#pragma once

#include <string>

#include "app/gui/session.h"
#include "app/gui/widgets.h"

namespace simscope::gui {

// The view that the options show: a field or curves.
struct Shown {
  const CurveView* curves = nullptr;
  const FieldView* field = nullptr;
  std::string key() const { return field ? field->key : curves ? curves->key : std::string(); }
  std::string title() const { return field ? field->title : curves ? curves->title : std::string(); }
};

// For FigureOptions::view; an empty key is the first field, else the first curves.
Shown shownOf(const Description& description, const std::string& key);

// Up to the cursor position `right`; what does not fit is left out.
void drawViewControls(Session& session, Ui& ui, float right);

}  // namespace simscope::gui
