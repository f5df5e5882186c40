#include "app/gui/panels/transport/past_slider.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "app/render/figure/ticks.h"
#include "app/session/past_range.h"

namespace simscope::gui {

namespace {

constexpr float kRowHeight = 20, kGroove = 5, kPastKnob = 6.5f;

// "t = 0.5000 s", "update = 3".
std::string clockWords(const Session& session, double time) {
  return render::clockText(session.scene.description->clock, time, shortNumber(time));
}

std::string hint(const Session& session, const PastRange& range, std::int64_t step) {
  const RunnerStatus& run = session.status;
  std::string text = fmt::format("step {}", step);
  if (run.time_step > 0) {
    text = fmt::format("{}, {}", clockWords(session, timeOfStep(run, step)), text);
  }
  if (session.inPast()) text += fmt::format("; the present is step {}", range.present);
  text += "\nDrag to go back. Play goes on from there; Ctrl+Z or End returns to the present.";
  if (range.end) text += fmt::format("\nThe mark shows the preset's end, step {}.", *range.end);
  return text;
}

// Copies of the state: where there is one every few pixels, all are shown as one line.
void drawCopies(ImDrawList& list, Ui& ui, const Session& session, const PastRange& range, float low, float span,
                float y) {
  float last = -1e9f;
  for (const std::int64_t step : session.status.past.steps) {
    const float x = std::round(low + span * static_cast<float>(range.placeOf(step)));
    if (x - last < ui.px(4)) continue;
    last = x;
    list.AddRectFilled({x, y}, {x + std::max(1.0f, ui.px(1)), y + ui.px(2)}, toU32(ui.colours().dim, 0.7f));
  }
}

}  // namespace

bool drawPastSlider(Session& session, Ui& ui, float width) {
  const UiColours& p = ui.colours();
  const RunnerStatus& run = session.status;
  const PastRange range = pastRange(run, session.runEnd());
  const float height = ui.px(kRowHeight), knob = ui.px(kPastKnob);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool able = !session.recording() && !(run.replay && !run.replay->travels);
  {
    const ScopedDisabled disabled(!able);
    ImGui::InvisibleButton("##past", {std::max(width, ui.px(40)), height});
  }
  ui.mark("past");
  const bool active = able && ImGui::IsItemActive(), over = ImGui::IsItemHovered();
  const bool menu = over && ImGui::IsMouseReleased(1);
  const float low = at.x + knob, span = std::max(width - 2 * knob, 1.0f);
  const std::int64_t pointed = range.stepAt((ImGui::GetIO().MousePos.x - low) / span);
  if (active && (pointed != session.pastStep() || session.playing())) session.scrub(pointed, true);
  if (able && ImGui::IsItemDeactivated()) session.scrub(pointed, false);

  const std::int64_t step = active ? pointed : run.steps;
  const float middle = std::round(at.y + height / 2 - ui.px(1)), half = ui.px(kGroove) / 2;
  const auto placed = [&](std::int64_t s) { return low + span * static_cast<float>(range.placeOf(s)); };
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float x = placed(step), present = placed(range.present);
  list.AddRectFilled({at.x, middle - half}, {at.x + width, middle + half}, toU32(p.raised), half);
  if (present > at.x + half) {
    list.AddRectFilled({at.x, middle - half}, {present, middle + half}, toU32(p.accent, 0.3f), half);
  }
  if (x > at.x + half) list.AddRectFilled({at.x, middle - half}, {x, middle + half}, toU32(p.accent, 0.85f), half);
  drawCopies(list, ui, session, range, low, span, middle + half + ui.px(2));
  if (range.end) {
    const float mark = std::round(placed(*range.end));
    list.AddRectFilled({mark - ui.px(1), middle - ui.px(7)}, {mark + ui.px(1), middle + ui.px(7)}, toU32(p.dim));
  }
  if (session.inPast()) {
    list.AddRectFilled({present - ui.px(1), middle - ui.px(6)}, {present + ui.px(1), middle + ui.px(6)},
                       toU32(p.accent));
  }
  list.AddCircleFilled({x, middle}, active || over ? knob : knob - ui.px(1),
                       toU32(active || over ? p.text : p.accent, able ? 1 : 0.4f), 24);
  if (over && !active) tooltip(ui, hint(session, range, pointed));
  return menu;
}

void drawClock(Session& session, Ui& ui, float width) {
  const UiColours& p = ui.colours();
  const RunnerStatus& run = session.status;
  const std::string work = workText(run);
  std::string text = work;
  if (work.empty()) {
    text = fmt::format("{}   step {}", clockWords(session, run.time), run.steps);
    if (session.inPast()) text += fmt::format(" of {}", run.past.last);
    if (run.at_end) text += ", the end";
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string shown = fitted(text, width);
  const float wide = ImGui::CalcTextSize(shown.c_str()).x;
  const float y = at.y + (ui.px(kRowHeight) - ImGui::GetTextLineHeight()) / 2 - ui.px(1);
  const ImVec4& idle = session.inPast() ? p.accent : p.dim;
  const ImVec4& colour = work.empty() ? idle : p.warning;
  ImGui::GetWindowDrawList()->AddText({at.x + width - wide, y}, toU32(colour), shown.c_str());
  ImGui::Dummy({width, ui.px(kRowHeight)});
  ui.mark("clock", false);
  if (!work.empty()) tooltip(ui, "The simulation computes in its own thread. The window stays usable.");
}

}  // namespace simscope::gui
