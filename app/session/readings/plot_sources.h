// The plots of a session: diagnostics over time with their exact values, probes over time, line cuts, and the
// description's views of curves (histograms with their exact curves). Plain functions; any thread. Plots hold spans of
// the session's history and of the readings: use them at once.
#pragma once

#include <string>
#include <vector>

#include "app/session/changes/history.h"
#include "app/session/readings/field_readings.h"
#include "app/session/readings/plot_model.h"

namespace simscope {

// The diagnostic that holds this diagnostic's exact value.
std::optional<std::size_t> exactPartner(const Description& description, std::size_t diagnostic);

// Several diagnostics over one time axis, each with its exact value. Key: "diagnostic:" and the first one's key.
Plot diagnosticPlot(const Description& description, const History& history, const std::vector<std::size_t>& which);
// All probes, or cuts, of the view; no series if there are none. Keys: "probes:" and "cuts:" with the view's key.
Plot probesPlot(const Description& description, const std::vector<FieldMark>& marks, const FieldReadings& readings,
                const View& view);
Plot cutsPlot(const std::vector<FieldMark>& marks, const FieldReadings& readings, const View& view);
// Key: "view:" and the view's key.
Plot curvesPlot(const FieldReadings::Curves& curves, const View& view);

}  // namespace simscope
