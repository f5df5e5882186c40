#include "app/session/readings/plot_sources.h"

namespace simscope {

namespace {

Label timeLabel(const Description& description) {
  return {description.clock.symbol, description.clock.unit};
}

// Where all share one; the units of several stand in the legend's titles otherwise.
std::string commonUnit(const std::vector<PlotSeries>& series) {
  for (const PlotSeries& each : series) {
    if (each.unit != series.front().unit) return "";
  }
  return series.empty() ? "" : series.front().unit;
}

}  // namespace

std::optional<std::size_t> exactPartner(const Description& description, std::size_t diagnostic) {
  for (std::size_t i = 0; i < description.diagnostics.size(); ++i) {
    if (description.diagnostics[i].exact_of == description.diagnostics[diagnostic].key) return i;
  }
  return std::nullopt;
}

Plot diagnosticPlot(const Description& description, const History& history, const std::vector<std::size_t>& which) {
  Plot plot;
  int colour = 0;
  for (const std::size_t i : which) {
    if (i >= history.diagnostics()) continue;
    const DiagnosticInfo& info = description.diagnostics[i];
    plot.series.push_back({.key = info.key,
                           .title = info.title,
                           .unit = info.unit,
                           .x = history.times(),
                           .y = history.series(i),
                           .colour = colour});
    if (const auto exact = exactPartner(description, i); exact && *exact < history.diagnostics()) {
      const DiagnosticInfo& of = description.diagnostics[*exact];
      plot.series.push_back({.key = of.key,
                             .title = which.size() == 1 ? "exact" : of.title,
                             .unit = of.unit,
                             .x = history.times(),
                             .y = history.series(*exact),
                             .style = PlotSeries::Style::Dashed,
                             .colour = colour,
                             .exact = true});
    }
    ++colour;
  }
  if (!which.empty()) {
    const DiagnosticInfo& first = description.diagnostics[which.front()];
    plot.key = "diagnostic:" + first.key;
    plot.title = first.title;
    if (which.size() > 1) plot.title += " and others";
    plot.x = timeLabel(description);
    plot.y = {first.title, commonUnit(plot.series)};
  }
  return plot;
}

Plot probesPlot(const Description& description, const std::vector<FieldMark>& marks, const FieldReadings& readings,
                const View& view) {
  Plot plot{"probes:" + view.key, "Probes", timeLabel(description), {}, {}};
  for (const FieldMark& mark : marks) {
    const FieldReadings::Reading* reading = readings.find(mark);
    if (mark.kind != FieldMark::Kind::Probe || mark.view != view.key || !reading) continue;
    plot.y = reading->value;
    plot.title = reading->value.title;
    plot.series.push_back({.key = nameOf(mark),
                           .title = nameOf(mark),
                           .unit = reading->value.unit,
                           .x = reading->over_time.times(),
                           .y = reading->over_time.values(),
                           .colour = mark.number - 1});
  }
  return plot;
}

Plot cutsPlot(const std::vector<FieldMark>& marks, const FieldReadings& readings, const View& view) {
  Plot plot{"cuts:" + view.key, "Line cuts", {"distance", xAxisOf(view).unit}, {}, {}};
  for (const FieldMark& mark : marks) {
    const FieldReadings::Reading* reading = readings.find(mark);
    if (mark.kind != FieldMark::Kind::Cut || mark.view != view.key || !reading) continue;
    plot.y = reading->value;
    plot.title = reading->value.title;
    plot.series.push_back({.key = nameOf(mark),
                           .title = nameOf(mark),
                           .unit = reading->value.unit,
                           .x = reading->distance,
                           .y = reading->values,
                           .colour = mark.number - 1});
  }
  return plot;
}

Plot curvesPlot(const FieldReadings::Curves& curves, const View& view) {
  Plot plot{"view:" + view.key, view.title, curves.x, curves.y, {}};
  for (const FieldReadings::Curve& trace : curves.traces) {
    const bool bars = trace.info.style == TraceStyle::Bars;
    plot.series.push_back({.key = trace.info.channel,
                           .title = trace.label.title,
                           .unit = trace.label.unit,
                           .x = trace.x,
                           .y = trace.y,
                           .style = bars                                    ? PlotSeries::Style::Bars
                                    : trace.info.style == TraceStyle::Ghost ? PlotSeries::Style::Dashed
                                                                            : PlotSeries::Style::Line,
                           .colour = trace.info.colour,
                           .bar_width = bars ? trace.bar_width : 0});
  }
  return plot;
}

}  // namespace simscope
