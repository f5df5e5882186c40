// The controls of a lesson: its parameters with the window's fields, sliders, and lists, for a set without a run.
#pragma once

#include <map>
#include <string>

#include "app/gui/panels/parameters/parameter_field.h"
#include "app/gui/widgets/widgets.h"
#include "sims/core/parameters.h"

namespace simscope::gui {

class Knobs {
 public:
  // All parameters that matter, one per row; marked "knob:KEY", "slider:KEY". Invalid text stays in its field, framed,
  // with the reason below.
  void draw(Ui& ui, ParameterSet& parameters, float width);
  // Discards typed text when another lesson is shown.
  void forget();
  bool refused() const noexcept { return !refused_.empty(); }

 private:
  void drawNumber(Ui& ui, ParameterSet& parameters, std::size_t index, float field, float slider);
  void drawText(Ui& ui, ParameterSet& parameters, std::size_t index, float width);
  void drawChoice(Ui& ui, ParameterSet& parameters, std::size_t index, float width) const;
  void enter(ParameterSet& parameters, std::size_t index, const std::string& typed);

  struct Refused {
    std::string typed, unit, why;
  };
  ParameterField field_;
  std::map<std::size_t, Refused> refused_;
  std::map<std::size_t, double> places_;  // of sliders being dragged
};

}  // namespace simscope::gui
