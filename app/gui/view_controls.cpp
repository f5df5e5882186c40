#include "app/gui/view_controls.h"

#include <algorithm>
#include <vector>

#include "app/render/colormap.h"
#include "app/render/theme.h"

namespace simscope::gui {

namespace {

std::vector<Shown> viewsOf(const Description& description) {
  std::vector<Shown> all;
  for (const FieldView& field : description.fields) all.push_back({nullptr, &field});
  for (const CurveView& curves : description.views) all.push_back({&curves, nullptr});
  return all;
}

ImVec4 colourOf(const render::ThemeColours& theme, const TraceInfo& trace) {
  render::Colour hex = theme.lines[static_cast<std::size_t>(trace.colour) % render::kLineColours];
  if (trace.style == TraceStyle::PhaseFilled) hex = theme.phase[render::phaseEntry(-2.0)];
  if (trace.style == TraceStyle::Ghost) hex = theme.ghost;
  if (trace.style == TraceStyle::OwnAxis) hex = theme.area_outline;
  return {static_cast<float>(hex >> 16 & 255) / 255, static_cast<float>(hex >> 8 & 255) / 255,
          static_cast<float>(hex & 255) / 255, 1};
}

void drawChips(Session& session, Ui& ui, const CurveView& view, float right) {
  const render::ThemeColours& theme = render::themeColours(session.scene.figure.theme);
  bool first = true;
  for (const TraceInfo& trace : view.traces) {
    const float width = chipWidth(ui, trace.title);
    if (!first) ImGui::SameLine(0, ui.px(6));
    first = false;
    // Traces that do not fit stay reachable in a wider window; a cut chip would mislead.
    if (ImGui::GetCursorPosX() + width > right) {
      ImGui::Dummy({0, ImGui::GetFrameHeight()});
      break;
    }
    const auto chosen = session.scene.figure.shown.find(trace.channel);
    const bool shown = chosen == session.scene.figure.shown.end() ? trace.shown : chosen->second;
    if (chip(ui, ("trace:" + trace.channel).c_str(), trace.title, colourOf(theme, trace), shown)) {
      session.scene.figure.shown[trace.channel] = !shown;
    }
  }
}

void drawFieldControls(Session& session, Ui& ui, const FieldView& view, float right) {
  if (view.style != FieldStyle::Scalar) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
    return;
  }
  render::FigureOptions& options = session.scene.figure;
  const std::string present = options.colormap.empty() ? view.colormap : options.colormap;
  ImGui::SetNextItemWidth(std::min(ui.px(120), std::max(right - ImGui::GetCursorPosX(), ui.px(40))));
  const bool open = ImGui::BeginCombo("##colormap", present.c_str());
  ui.mark("colormap");
  if (open) {
    for (const std::string& name : render::colormapNames()) {
      if (ImGui::Selectable(name.c_str(), name == present)) options.colormap = name;
      ui.mark("colormap:" + name);
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, "Colours of the field");
  }
  struct Toggle {
    const char* id;
    const char* label;
    bool* on;
  };
  for (const Toggle& toggle :
       {Toggle{"reversed", "Reversed", &options.reversed}, Toggle{"isolines", "Contours", &options.isolines}}) {
    ImGui::SameLine(0, ui.px(6));
    const float width = chipWidth(ui, toggle.label);
    if (ImGui::GetCursorPosX() + width > right) {
      ImGui::Dummy({0, ImGui::GetFrameHeight()});
      break;
    }
    if (chip(ui, toggle.id, toggle.label, ui.colours().accent, *toggle.on)) *toggle.on = !*toggle.on;
  }
}

}  // namespace

Shown shownOf(const Description& description, const std::string& key) {
  for (const Shown& each : viewsOf(description)) {
    if (key.empty() || each.key() == key) return each;
  }
  return {};
}

void drawViewControls(Session& session, Ui& ui, float right) {
  const Description& description = *session.scene.description;
  render::FigureOptions& options = session.scene.figure;
  const Shown view = shownOf(description, options.view);
  const std::vector<Shown> all = viewsOf(description);
  ImGui::Dummy({0, ImGui::GetFrameHeight()});
  if (all.size() > 1) {
    ImGui::SameLine(0, 0);
    float longest = 0;
    for (const Shown& each : all) longest = std::max(longest, ImGui::CalcTextSize(each.title().c_str()).x);
    const float most = std::max(ui.px(130), 0.22f * (right - ImGui::GetCursorPosX()));
    ImGui::SetNextItemWidth(std::min(longest + ImGui::GetFrameHeight() + ui.px(18), most));
    const bool open = ImGui::BeginCombo("##view", view.title().c_str());
    ui.mark("view");
    if (open) {
      for (const Shown& each : all) {
        if (ImGui::Selectable(each.title().c_str(), each.key() == view.key()) && each.key() != view.key()) {
          options.view = each.key();
          options.x.reset();
          options.y.reset();
        }
        ui.mark("view:" + each.key());
      }
      ImGui::EndCombo();
    }
    ImGui::SameLine(0, ui.px(6));
  } else {
    ImGui::SameLine(0, 0);
  }
  if (view.curves) drawChips(session, ui, *view.curves, right);
  if (view.field) drawFieldControls(session, ui, *view.field, right);
}

}  // namespace simscope::gui
