#include "app/gui/panels/plots/plots_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/session/readings/plot_sources.h"

namespace simscope::gui {

namespace {

constexpr float kBothWide = 620;   // room for table and plots side by side
constexpr float kTableWide = 400;  // of the table, unless its texts need more
constexpr float kLeastPlot = 196;

// Whether the diagnostic has any value in this run; true before the first sample.
bool hasValues(const History& history, std::size_t diagnostic) {
  if (history.diagnostics() <= diagnostic || history.samples() == 0) return true;
  const std::span<const double> values = history.series(diagnostic);
  return std::any_of(values.begin(), values.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

bool PlotsPanel::matters(const Session& session, std::size_t diagnostic) const {
  const ParameterSet& run = session.status.parameters;
  const bool answered = run.infos().data() == description_->parameters->data();  // and not of another simulation yet
  return !answered || description_->diagnostics[diagnostic].relevant.holds(run);
}

void PlotsPanel::follow(const Session& session) {
  if (description_ == session.status.description) return;
  description_ = session.status.description;
  chosen_.clear();
  states_.clear();
  curve_views_.clear();
  hidden_.clear();
  for (const DiagnosticInfo& each : description_->diagnostics) {
    chosen_.push_back(each.plotted && each.exact_of.empty() ? Choice::WithValues : Choice::Hidden);
  }
}

std::vector<Plot> PlotsPanel::plots(const Session& session, const FieldReadings& readings) const {
  std::vector<Plot> all;
  const auto add = [&](Plot plot) {
    if (!plot.series.empty() && !hidden_.contains(plot.key)) all.push_back(std::move(plot));
  };
  if (session.scene.description == description_) {
    for (const View& view : description_->views) {
      if (!view.as<FieldView>()) continue;
      add(probesPlot(*description_, session.scene.marks, readings, view));
      add(cutsPlot(session.scene.marks, readings, view));
    }
  }
  for (const std::string& key : curve_views_) {
    const auto found = readings.curves().find(key);
    const View* view = description_->findView(key);
    if (found == readings.curves().end() || !view) continue;
    add(curvesPlot(found->second, *view));
  }
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    const bool wanted = chosen_[i] == Choice::WithValues ? hasValues(session.history, i) : chosen_[i] == Choice::Shown;
    if (!wanted || !matters(session, i)) continue;
    std::vector<std::size_t> which{i};
    if (const auto state = states_.find("diagnostic:" + description_->diagnostics[i].key); state != states_.end()) {
      which.insert(which.end(), state->second.added.begin(), state->second.added.end());
    }
    all.push_back(diagnosticPlot(*description_, session.history, which));
  }
  return all;
}

std::vector<PlotsPanel::Report> PlotsPanel::report(const Session& session, const FieldReadings& readings) const {
  std::vector<Report> reports;
  if (!description_ || description_ != session.status.description) return reports;
  for (const Plot& plot : plots(session, readings)) {
    Report each{plot.key, {}, {}};
    for (const PlotSeries& series : plot.series) each.series.push_back(series.key);
    if (const auto state = states_.find(plot.key); state != states_.end()) {
      each.zoom = state->second.view.zoom();
      each.window = state->second.window;
    }
    reports.push_back(std::move(each));
  }
  return reports;
}

void PlotsPanel::draw(Session& session, Ui& ui, FieldReadings& readings) {
  if (!session.status.description) return;
  follow(session);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const bool both = room.x >= ui.px(kBothWide);
  // A third of it, or what its texts need, as long as the plots keep the half.
  const float third = std::clamp(room.x * 0.36f, ui.px(260), ui.px(kTableWide));
  const float table = both ? std::max(third, std::min(truth_.wished(ui), 0.5f * room.x)) : room.x;
  const auto part = [&](const char* id, float width, const auto& body) {
    ImGui::BeginChild(id, {width, room.y}, false, ImGuiWindowFlags_NoScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
    body();
    ImGui::EndChild();
  };
  if (both) {
    part("truth", table, [&] {
      ImGui::AlignTextToFramePadding();
      boldLine(ui, "Diagnostics");
      truth_.draw(session, ui);
    });
    ImGui::SameLine(0, ui.px(14));
    part("plots", room.x - table - ui.px(14), [&] {
      drawHeader(session, ui, readings, true);
      drawRow(session, ui, readings);
    });
    return;
  }
  if (chip(ui, "show_truth", "Values", ui.colours().accent, truth_in_front_)) truth_in_front_ = true;
  ImGui::SameLine(0, ui.px(6));
  if (chip(ui, "show_plots", "Plots", ui.colours().accent, !truth_in_front_)) truth_in_front_ = false;
  ImGui::SameLine(0, ui.px(10));
  if (truth_in_front_) {
    ImGui::NewLine();
    truth_.draw(session, ui);
  } else {
    drawHeader(session, ui, readings, false);
    drawRow(session, ui, readings);
  }
}

void PlotsPanel::drawRow(Session& session, Ui& ui, const FieldReadings& readings) {
  std::vector<Plot> shown = plots(session, readings);
  std::erase_if(shown, [&](const Plot& plot) { return states_[plot.key].window; });
  const ImVec2 room = ImGui::GetContentRegionAvail();
  if (shown.empty()) {
    ImGui::TextDisabled("No plots here. Choose some, or measure on the figure.");
    return;
  }
  const float gap = ui.px(14);
  const float count = static_cast<float>(shown.size());
  const float width = std::max(std::floor((room.x - gap * (count - 1)) / count), std::min(ui.px(kLeastPlot), room.x));
  // More than fit side by side scroll.
  ImGui::BeginChild("plots_row", room, false,
                    ImGuiWindowFlags_HorizontalScrollbar | ImGuiWindowFlags_NoScrollWithMouse);
  const ImGuiIO& io = ImGui::GetIO();
  const float wheel = io.KeyShift ? io.MouseWheel + io.MouseWheelH : io.MouseWheelH;
  if (ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) && wheel != 0) {
    ImGui::SetScrollX(ImGui::GetScrollX() - wheel * ui.px(kLeastPlot) / 2);
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetContentRegionAvail().y;
  for (std::size_t i = 0; i < shown.size(); ++i) {
    drawOne(session, ui, shown[i], {std::round(at.x + static_cast<float>(i) * (width + gap)), at.y, width, height});
  }
  ImGui::EndChild();
}

void PlotsPanel::drawOne(Session& session, Ui& ui, const Plot& plot, const Rect& place) {
  State& state = states_[plot.key];
  if (plot.key.rfind("view:", 0) == 0) {
    const auto* curves = description_->view(plot.key.substr(5)).as<CurveView>();
    state.view.begin(curves && curves->x.decades, curves && curves->y.decades);
  }
  const bool diagnostic = plot.key.rfind("diagnostic:", 0) == 0;
  const PlotView::Response response = state.view.draw(
      session, ui, plot, place, state.window,
      diagnostic ? std::function<void()>([&] { drawAdded(session, ui, plot); }) : std::function<void()>());
  if (response.window) state.window = !state.window;
  if (response.hide) hide(plot);
}

void PlotsPanel::hide(const Plot& plot) {
  states_[plot.key].window = false;
  const std::string key = plot.key.substr(plot.key.find(':') + 1);
  if (plot.key.rfind("diagnostic:", 0) == 0) {
    chosen_[description_->diagnosticIndex(key)] = Choice::Hidden;
  } else if (plot.key.rfind("view:", 0) == 0) {
    curve_views_.erase(key);
  } else {
    hidden_.insert(plot.key);
  }
}

// Other diagnostics over the same axes.
void PlotsPanel::drawAdded(const Session& session, Ui& ui, const Plot& plot) {
  const bool open = ImGui::BeginMenu("Add to this plot");
  ui.mark("plot_menu_along");
  if (!open) return;
  std::vector<std::size_t>& added = states_[plot.key].added;
  for (std::size_t i = 0; i < description_->diagnostics.size(); ++i) {
    const DiagnosticInfo& info = description_->diagnostics[i];
    if ("diagnostic:" + info.key == plot.key || !info.exact_of.empty()) continue;
    if (!matters(session, i) || !hasValues(session.history, i)) continue;
    const auto found = std::find(added.begin(), added.end(), i);
    const bool on = found != added.end();
    const std::string label = axisText(info.title, info.unit);
    if (ImGui::MenuItem(label.c_str(), nullptr, on)) {
      if (on) {
        added.erase(found);
      } else {
        added.push_back(i);
      }
    }
    ui.mark("along:" + info.key);
  }
  ImGui::EndMenu();
}

void PlotsPanel::drawWindows(Session& session, Ui& ui, const FieldReadings& readings) {
  if (!description_ || description_ != session.status.description) return;
  float offset = 0;
  for (const Plot& plot : plots(session, readings)) {
    State& state = states_[plot.key];
    if (!state.window) continue;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 size(std::min(ui.px(520), screen.x * 0.8f), std::min(ui.px(320), screen.y * 0.7f));
    ImGui::SetNextWindowSize(size, ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowPos({(screen.x - size.x) / 2 + offset, (screen.y - size.y) / 2 - ui.px(60) + offset},
                            ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSizeConstraints({ui.px(220), ui.px(150)}, screen);
    offset += ui.px(24);
    std::string kind;
    if (plot.key.starts_with("probes:")) kind = "Probes: ";
    if (plot.key.starts_with("cuts:")) kind = "Line cuts: ";
    const bool open = ImGui::Begin((kind + plot.title + "###" + plot.key).c_str(), &state.window,
                                   ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoScrollbar |
                                       ImGuiWindowFlags_NoScrollWithMouse | ImGuiWindowFlags_NoSavedSettings);
    if (open) {
      const ImVec2 at = ImGui::GetCursorScreenPos(), room = ImGui::GetContentRegionAvail();
      if (ui.probing) {
        const ImVec2 low = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
        ui.probes["plot_window:" + plot.key] = {low.x, low.y, extent.x, extent.y};
      }
      if (room.x > 1 && room.y > 1) drawOne(session, ui, plot, {at.x, at.y, room.x, room.y});
    }
    ImGui::End();
  }
}

void PlotsPanel::drawHeader(Session& session, Ui& ui, FieldReadings& readings, bool titled) {
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const float width = iconButtonWidth(ui, Icon::None, "Choose...");
  ImGui::AlignTextToFramePadding();
  boldLine(ui, titled ? "Plots" : "");
  // Costly diagnostics are computed less often than pictures are drawn.
  const std::int64_t age = session.status.steps - session.status.diagnostics_steps;
  if (session.history.samples() > 1 && age > 0) {
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const std::string text = fmt::format("{} {} ago", age, age == 1 ? "step" : "steps");
    clippedText(text, right - width - ui.px(8) - ImGui::GetCursorPosX(), ui.colours().dim);
    tooltip(ui, fmt::format("Diagnostics are from {}. Computing them takes {:.3g} ms. While the run plays, they and "
                            "the search for NaN use at most a tenth of the time.",
                            text, session.status.diagnostics_ms));
  }
  ImGui::SameLine();
  ImGui::SetCursorPosX(std::max(right - width, ImGui::GetCursorPosX()));
  if (iconButton(ui, "choose_plots", Icon::None, "Choose...", "Choose the plots")) ImGui::OpenPopup("plots");
  if (ImGui::BeginPopup("plots")) {
    ui.popups.push_back("plots");
    if (ui.escape) ImGui::CloseCurrentPopup();
    drawChoices(session, ui, readings);
    ImGui::EndPopup();
  }
}

void PlotsPanel::drawChoices(Session& session, Ui& ui, FieldReadings& readings) {
  boldLine(ui, "Over time");
  for (std::size_t i = 0; i < chosen_.size(); ++i) {
    // A diagnostic without any value (a thermometer that is not placed, a missing exact value) is not offered.
    if (!matters(session, i) || (chosen_[i] != Choice::Shown && !hasValues(session.history, i))) continue;
    bool on = chosen_[i] != Choice::Hidden;
    const DiagnosticInfo& info = description_->diagnostics[i];
    if (ImGui::Checkbox(info.title.c_str(), &on)) chosen_[i] = on ? Choice::Shown : Choice::Hidden;
    ui.mark("plot:" + info.key);
    tooltip(ui, info.help);
  }
  bool first = true;
  const auto headed = [&] {
    if (std::exchange(first, false)) boldLine(ui, "Present curves");
  };
  for (const View& view : description_->views) {
    if (!view.as<CurveView>()) continue;
    headed();
    bool on = curve_views_.contains(view.key);
    if (ImGui::Checkbox((view.title + "##view_" + view.key).c_str(), &on)) {
      if (!curve_views_.erase(view.key)) curve_views_.insert(view.key);
    }
    ui.mark("plot_view:" + view.key);
  }
  for (const std::string& key : std::vector<std::string>(hidden_.begin(), hidden_.end())) {
    headed();
    bool on = false;
    const std::string of = key.substr(key.find(':') + 1);
    const std::string title =
        (key.rfind("probes:", 0) == 0 ? "Probes: " : "Line cuts: ") + description_->view(of).title;
    if (ImGui::Checkbox((title + "##" + key).c_str(), &on)) hidden_.erase(key);
  }
  readings.plotCurves(curve_views_);
}

}  // namespace simscope::gui
