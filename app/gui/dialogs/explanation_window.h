// The page of the simulation at hand (F2): its equation, the physics, experiments with a button that sets them up, and
// the sources, from its README.md. Beside the figure, over the list of presets; it can be moved. Thread: the UI's.
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
  // Of a simulation without a page it says so.
  void draw(Session& session, Ui& ui);

 private:
  void drawPage(Session& session, Ui& ui, const Page& page);
  void drawExperiment(Session& session, Ui& ui, const Experiment& experiment, std::size_t index);

  bool shown_ = false;
  const Description* description_ = nullptr;  // whose page was drawn last
  // Of the experiment that was set up last, while the scene is its own.
  const Experiment* running_ = nullptr;
  std::optional<ParameterSet> running_with_;
};

}  // namespace simscope::gui
