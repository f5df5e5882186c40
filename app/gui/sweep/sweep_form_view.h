// The controls in which a sweep is filled in: parameters, ranges, what is measured, and what is shown. What is wrong is
// said below the control that is to blame. Thread: the UI's.
#pragma once

#include "app/gui/widgets/widgets.h"
#include "app/sweep/form.h"

namespace simscope::gui {

class SweepFormView {
 public:
  // As wide as there is room. Changes the form as the user does.
  void draw(Ui& ui, const Scene& scene, sweep::Form& form, const sweep::FilledForm& filled);

 private:
  void drawAxis(Ui& ui, const Scene& scene, sweep::Form& form, std::size_t number, const sweep::FilledForm& filled);
  void drawMeasure(Ui& ui, const Scene& scene, sweep::Form& form);
  void drawShown(Ui& ui, sweep::Form& form, const sweep::FilledForm& filled);
  bool drawField(Ui& ui, const std::string& mark, const char* hint, std::string& text, float width, bool wrong);
  void drawError(Ui& ui, const sweep::FilledForm& filled, sweep::FormField field, std::size_t axis,
                 const std::string& mark);

  std::string typing_;  // the mark of the field that has the keyboard: what it lacks is not said yet
};

}  // namespace simscope::gui
