// The page of the present simulation (F2), from its README.md: its equation, the physics, experiments with a button
// that sets them up, and the sources. It lies beside the figure, over the list of presets, and can be moved. Thread:
// the UI's.
#pragma once

#include <optional>

#include "app/explanation/page.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class ExplanationWindow {
 public:
  void toggle() noexcept { shown_ = !shown_; }
  void close() noexcept { shown_ = false; }
  bool isOpen() const noexcept { return shown_; }
  // For a simulation without a page it shows a note.
  void draw(Session& session, Ui& ui);

 private:
  void drawPage(Session& session, Ui& ui, const Page& page);
  void drawExperiment(Session& session, Ui& ui, const Experiment& experiment, std::size_t index);

  bool shown_ = false;
  const Description* description_ = nullptr;  // the description whose page was drawn last
  // The experiment set up last, while the scene is still that experiment's.
  const Experiment* running_ = nullptr;
  std::optional<ParameterSet> running_with_;
};

}  // namespace simscope::gui
