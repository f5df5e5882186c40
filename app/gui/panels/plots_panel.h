// The strip at the bottom: diagnostics over time as small multiples, with the value now, the range, and the exact
// partner as a dashed line where the description names one. Thread: the UI's.
#pragma once

#include <vector>

#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

namespace simscope::gui {

class PlotsPanel {
 public:
  void draw(Session& session, Ui& ui);

 private:
  void drawHeader(Session& session, Ui& ui);
  // Whether a diagnostic says something about what runs.
  bool matters(const Session& session, std::size_t diagnostic) const;
  void drawPlot(const Session& session, Ui& ui, std::size_t diagnostic, const Rect& place);

  const Description* description_ = nullptr;
  // Those that the description plots are shown where they have values; those that the user chose, always.
  enum class Choice { Hidden, WithValues, Shown };
  std::vector<Choice> chosen_;  // by diagnostic
};

}  // namespace simscope::gui
