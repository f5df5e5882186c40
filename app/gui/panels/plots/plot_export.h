// Exports a plot as a picture, or as a table to a file or the clipboard. Thread: the UI's, between NewFrame and Render,
// with its GL context current. Errors become messages of the session.
//
// Files are new ones in the working folder.
#pragma once

#include "app/gui/widgets/plot_drawing.h"
#include "app/session/session.h"

namespace simscope::gui {

void savePlotPicture(Session& session, const Ui& ui, const Plot& plot, const PlotZoom& zoom);
void savePlotTable(Session& session, const Plot& plot, const PlotZoom& zoom);
void copyPlotPicture(Session& session, const Ui& ui, const Plot& plot, const PlotZoom& zoom);
void copyPlotTable(Session& session, const Plot& plot, const PlotZoom& zoom);

}  // namespace simscope::gui
