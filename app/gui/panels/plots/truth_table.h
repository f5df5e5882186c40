// The table of diagnostics: each with its value and unit, its history as a sparkline, the exact value with the relative
// error, and whether it keeps the description's bounds; above them the violations, each with a remedy.
// Thread: the UI's.
#pragma once

#include <string>
#include <vector>

#include "app/gui/widgets/widgets.h"
#include "app/session/readings/truth.h"
#include "app/session/session.h"

namespace simscope::gui {

class TruthTable {
 public:
  // In the remaining space; scrolls.
  void draw(Session& session, Ui& ui);
  // The width at which nothing is cut, as drawn last; 0 before.
  float wished(const Ui& ui) const;

 private:
  void drawFinding(Session& session, Ui& ui, const Finding& finding);
  void drawRow(const Session& session, Ui& ui, const Truth& truth);

  void arrange(const Session& session, const Ui& ui, const std::vector<Truth>& truths);

  struct Columns {
    float title = 0, value = 0, against = 0;  // pixels
  };
  Columns columns_;
  const Description* arranged_for_ = nullptr;
  float arranged_at_ = 0;  // scale
};

}  // namespace simscope::gui
