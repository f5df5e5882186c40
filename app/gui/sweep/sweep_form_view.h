// The controls of a sweep's form: parameters, ranges, the measured diagnostic, and the display. An error is shown below
// its control. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/sweep/form.h"

namespace simscope::gui {

class SweepFormView {
 public:
  // As wide as the space allows. Applies the user's changes to the form.
  void draw(Ui& ui, const Scene& scene, sweep::Form& form, const sweep::FilledForm& filled);

 private:
  void drawAxis(Ui& ui, const Scene& scene, sweep::Form& form, std::size_t number, const sweep::FilledForm& filled);
  void drawListed(Ui& ui, const ParameterSet& parameters, sweep::TypedAxis& axis, std::size_t number);
  void drawRange(Ui& ui, sweep::TypedAxis& axis, std::size_t number, bool powers, const sweep::FilledForm& filled);
  void drawMeasure(Ui& ui, const Scene& scene, sweep::Form& form);
  void drawShown(Ui& ui, sweep::Form& form, const sweep::FilledForm& filled);
  bool drawField(Ui& ui, const std::string& mark, const char* hint, std::string& text, float width, bool wrong);
  void drawError(Ui& ui, const sweep::FilledForm& filled, sweep::FormField field, std::size_t axis,
                 const std::string& mark);

  std::string typing_;  // the mark of the field with the keyboard: its errors are not shown yet
};

}  // namespace simscope::gui
