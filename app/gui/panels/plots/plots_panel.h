// The strip at the bottom: the run's diagnostics (TruthTable), and plots: diagnostics over time with their exact
// values, probes, line cuts, and views of curves. A plot may have a separate window. Thread: the UI's.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/gui/panels/plots/plot_view.h"
#include "app/gui/panels/plots/truth_table.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/readings/field_readings.h"
#include "app/session/session.h"

namespace simscope::gui {

class PlotsPanel {
 public:
  void draw(Session& session, Ui& ui, FieldReadings& readings);
  // Draws the separate windows, also if the strip is hidden; call after draw().
  void drawWindows(Session& session, Ui& ui, const FieldReadings& readings);

  // For tests: what is plotted, and how.
  struct Report {
    std::string key;
    PlotZoom zoom;
    std::vector<std::string> series;  // keys
    bool window = false;
  };
  std::vector<Report> report(const Session& session, const FieldReadings& readings) const;

 private:
  struct State {
    PlotView view;
    std::vector<std::size_t> added;  // further diagnostics on the same axes
    bool window = false;
  };
  // Diagnostics plotted by the description are shown if they have values; those that the user chose, always.
  enum class Choice { Hidden, WithValues, Shown };

  void follow(const Session& session);
  std::vector<Plot> plots(const Session& session, const FieldReadings& readings) const;
  void drawHeader(Session& session, Ui& ui, FieldReadings& readings, bool titled);
  void drawChoices(Session& session, Ui& ui, FieldReadings& readings);
  void drawRow(Session& session, Ui& ui, const FieldReadings& readings);
  void drawOne(Session& session, Ui& ui, const Plot& plot, const Rect& place);
  void drawAdded(const Session& session, Ui& ui, const Plot& plot);
  void hide(const Plot& plot);
  // Whether a diagnostic has a meaning for the present run.
  bool matters(const Session& session, std::size_t diagnostic) const;

  const Description* description_ = nullptr;
  std::vector<Choice> chosen_;         // by diagnostic
  std::set<std::string> curve_views_;  // plotted, by key
  std::set<std::string> hidden_;       // plots of marks, by key
  std::map<std::string, State> states_;
  TruthTable truth_;
  bool truth_in_front_ = false;  // if there is no room for both side by side
};

}  // namespace simscope::gui
