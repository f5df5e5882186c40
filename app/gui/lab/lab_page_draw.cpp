// Draws the lab's page.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/lab/lab_page.h"
#include "app/gui/widgets/prose.h"

namespace simscope::gui {

namespace {

constexpr float kLabHeader = 52, kLabMargin = 16, kLabLeastList = 120, kLabWide = 820, kLabPage = 980;
constexpr float kLabLeastChart = 200;

void bulletMark(const Ui& ui, ImVec2 centre, const ImVec4& colour, bool filled) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (filled) {
    list.AddCircleFilled(centre, ui.px(4), toU32(colour), 16);
  } else {
    list.AddCircle(centre, ui.px(4), toU32(colour), 16, std::max(1.0f, 1.3f * ui.scale));
  }
}

std::string outcomeText(const lab::Outcome* outcome) {
  if (!outcome) return "not measured yet";
  return outcome->result ? fmt::format("measured in {:.2g} s", outcome->seconds) : outcome->failure;
}

// A part of the page that scrolls.
template <class Body>
void part(const char* id, ImVec2 size, float padding, const ImVec4& ground, const Body& body) {
  const ScopedStyle inside(ImGuiStyleVar_WindowPadding, {padding, padding});
  const ScopedColour behind(ImGuiCol_ChildBg, ground);
  beginPadded(id, size);
  body();
  ImGui::EndChild();
}

}  // namespace

LabPage::Actions LabPage::draw(Session& session, Ui& ui) {
  Actions actions;
  ui.popups.emplace_back("lab");
  actions.back = std::exchange(leave_, false);
  advanceFilm();
  if (look_.theme != session.scene.figure.theme) {
    look_.theme = session.scene.figure.theme;
    drawn_.reset();
  }
  followShown();
  drawHeader(ui, actions);
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // Names are whole; where that takes too much of the page, they go on below.
  float names = 0;
  for (const lab::Lesson* each : lab::lessons()) names = std::max(names, ImGui::CalcTextSize(each->title.c_str()).x);
  const float wanted = names + ui.px(20 + 16) + ImGui::GetStyle().ScrollbarSize;
  const float list = std::round(std::clamp(wanted, 0.0f, std::max(0.42f * room.x, ui.px(kLabLeastList))));
  part("lab_lessons", {list, room.y}, ui.px(8), ui.colours().panel, [&] { drawLessons(ui); });
  ImGui::SetCursorScreenPos({at.x + list, at.y});
  part("lab_lesson", {room.x - list, room.y}, ui.px(kLabMargin), ui.colours().background, [&] {
    if (std::exchange(top_, false)) ImGui::SetScrollY(0);
    drawLesson(session, ui);
  });
  dialog_.draw(session, ui);
  return actions;
}

void LabPage::drawHeader(Ui& ui, Actions& actions) {
  const UiColours& p = ui.colours();
  const float height = ui.px(kLabHeader), width = ImGui::GetContentRegionAvail().x, gap = ui.px(8);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.panel));
  const float row = at.y + std::round((height - ImGui::GetFrameHeight()) / 2);
  const bool wide = width > ui.px(kLabWide);
  const char* const back = wide ? "Back" : "";
  const char* const open = wide ? "Open a run..." : "Open...";
  const float buttons = iconButtonWidth(ui, Icon::None, "Measure all") + iconButtonWidth(ui, Icon::None, open) +
                        iconButtonWidth(ui, Icon::Theme, "") + iconButtonWidth(ui, Icon::Cross, back) + 3 * gap;
  const float right = at.x + width - ui.px(kLabMargin), left = at.x + ui.px(kLabMargin);
  float named = left + ui.px(14);
  {
    const ScopedFont font(ui.fonts.bold);
    list.AddText({left, row + ImGui::GetStyle().FramePadding.y}, toU32(p.text), "The lab");
    named += ImGui::CalcTextSize("The lab").x;
  }
  ImGui::SetCursorScreenPos({named, row});
  ImGui::AlignTextToFramePadding();
  clippedText(live() ? "GPU computing, measured on this machine. The simulation's field is filtered while it runs."
                     : "GPU computing, measured on this machine. Meanwhile the simulation is paused.",
              right - buttons - ui.px(16) - named, p.dim);

  ImGui::SetCursorScreenPos({right - buttons, row});
  if (const ScopedDisabled busy(notebook_.measuring());
      iconButton(ui, "lab_measure_all", Icon::None, "Measure all", "Measures every lesson, within a minute")) {
    notebook_.measureAll();
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "lab_open", Icon::None, open,
                 "Shows another machine's measurements, or earlier ones, beside these")) {
    openRun();
  }
  ImGui::SameLine(0, gap);
  actions.toggle_theme = iconButton(ui, "lab_theme", Icon::Theme, "", "Dark or light");
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "lab_back", Icon::Cross, back, "To the simulation  (Esc)")) actions.back = true;
  ImGui::SetCursorScreenPos({at.x, at.y + height});
}

void LabPage::drawLessons(Ui& ui) {
  const UiColours& p = ui.colours();
  const lab::Measurer::State now = notebook_.state();
  const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {ui.px(8), ui.px(5)});
  for (const lab::Lesson* each : lab::lessons()) {
    const bool chosen = each == &notebook_.lesson();
    const lab::Outcome* const outcome = notebook_.outcomeOf(*each);
    const ScopedId id(each->id);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float text = ui.px(20), wrap = ImGui::GetContentRegionAvail().x - text;
    const float height = ImGui::CalcTextSize(each->title.c_str(), nullptr, false, wrap).y + ui.px(6);
    if (ImGui::Selectable("##lesson", chosen, 0, {0, height})) choose(*each);
    ui.mark("lesson:" + each->id, chosen);
    const ImVec2 centre(at.x + ui.px(8), at.y + ui.px(3) + ImGui::GetTextLineHeight() / 2);
    if (now.lesson == each) {
      bulletMark(ui, centre, p.accent, true);
    } else if (outcome) {
      bulletMark(ui, centre, outcome->result ? p.good : p.error, true);
    } else {
      bulletMark(ui, centre, p.line, false);
    }
    ImGui::GetWindowDrawList()->AddText(nullptr, 0, {at.x + text, at.y + ui.px(3)},
                                        toU32(chosen || outcome ? p.text : p.dim), each->title.c_str(), nullptr, wrap);
    tooltip(ui, each->title + ": " + (now.lesson == each ? "being measured" : outcomeText(outcome)));
  }
}

void LabPage::drawLesson(Session& session, Ui& ui) {
  const UiColours& p = ui.colours();
  const float room = ImGui::GetContentRegionAvail().x, width = std::min(room, ui.px(kLabPage));
  {
    const ScopedWrap wrap;
    boldLine(ui, notebook_.lesson().title);
  }
  ImGui::Dummy({0, ui.px(2)});
  drawProse(ui, notebook_.lesson().text, width, p.text);
  ImGui::Dummy({0, ui.px(6)});
  {
    const ScopedDisabled busy(notebook_.measuring());
    knobs_.draw(ui, notebook_.parameters(), width);
  }
  ImGui::Dummy({0, ui.px(4)});
  if (live()) {
    const float high = std::max(ui.px(kLabLeastChart), std::min(ImGui::GetIO().DisplaySize.y * 0.5f, room * 0.5f));
    live_.draw(session, ui, notebook_.parameters(), look_.theme, {0, 0, room, high});
    return;
  }
  live_.forget();
  drawMeasuring(ui, width);
  drawFound(ui, width);
  if (!result_) return;
  const float high =
      std::clamp(std::min(width * 0.5f, ImGui::GetIO().DisplaySize.y * 0.5f), ui.px(kLabLeastChart), ui.px(480));
  drawChart(ui, width, high);
  drawTable(ui, room);
  for (const std::string& note : result_->notes) drawProse(ui, note, width, p.dim);
  drawSaving(ui);
  if (!said_.empty()) drawProse(ui, said_, room, p.dim);
}

void LabPage::drawMeasuring(Ui& ui, float width) {
  const UiColours& p = ui.colours();
  const lab::Measurer::State now = notebook_.state();
  if (!now.busy) {
    if (const ScopedDisabled refused(knobs_.refused());
        iconButton(ui, "lab_measure", Icon::Play, notebook_.outcome() ? "Measure again" : "Measure",
                   "Uses its own thread, devices, and streams", Emphasis::Accent)) {
      notebook_.measure();
    }
    ImGui::SameLine(0, ui.px(12));
    ImGui::AlignTextToFramePadding();
    const lab::Outcome* const own = notebook_.outcome();
    clippedText(own && own->result ? fmt::format("Measured in {:.2g} s", own->seconds) : "Not measured in this session",
                ImGui::GetContentRegionAvail().x, p.dim);
    return;
  }
  if (const ScopedDisabled asked(now.cancelling);
      iconButton(ui, "lab_cancel", Icon::None, now.cancelling ? "Stopping" : "Cancel",
                 "Stops after the present measurement; finished results are kept  (Esc)", Emphasis::Danger)) {
    notebook_.cancel();
  }
  ImGui::SameLine(0, ui.px(12));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float length = std::min(ui.px(220), width * 0.35f), thick = ui.px(6);
  const float top = std::round(at.y + (ImGui::GetFrameHeight() - thick) / 2);
  const double all =
      (static_cast<double>(now.done) + now.share) / static_cast<double>(std::max<std::size_t>(now.wanted, 1));
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled({at.x, top}, {at.x + length, top + thick}, toU32(p.raised), thick / 2);
  const float filled = length * static_cast<float>(std::clamp(all, 0.0, 1.0));
  if (filled > 1) list.AddRectFilled({at.x, top}, {at.x + filled, top + thick}, toU32(p.accent), thick / 2);
  ImGui::Dummy({length, ImGui::GetFrameHeight()});
  ui.mark("lab_progress", false);
  ImGui::SameLine(0, ui.px(12));
  ImGui::AlignTextToFramePadding();
  std::string text = now.lesson ? now.lesson->title : std::string();
  if (now.wanted > 1) text += fmt::format(", {} of {}", std::min(now.done + 1, now.wanted), now.wanted);
  clippedText(fmt::format("{}, {:.0f} %", text, 100 * now.share), ImGui::GetContentRegionAvail().x, p.text);
}

void LabPage::drawFound(Ui& ui, float width) {
  const UiColours& p = ui.colours();
  const lab::Outcome* const own = notebook_.outcome();
  ImGui::Dummy({0, ui.px(4)});
  if (own && !own->result) {
    const Card card(ui, p.error);
    drawProse(ui, "Not measured: " + own->failure, width - ui.px(30), p.text);
  }
  if (result_ && !result_->finding.empty()) {
    const Card card(ui, notebook_.showsOther() ? p.line : p.good);
    drawProse(ui, result_->finding, width - ui.px(30), p.text);
    ui.mark("lab_finding", false);
  }
  if (!notebook_.beside()) return;
  const std::string beside = (notebook_.showsOther() ? "Alone: " : "Beside: ") + notebook_.besideText();
  const std::string label = fitted(beside, width - ui.px(60));
  if (removablePill(ui, "lab_put_away", label, (beside + "\nClick to remove it.").c_str())) {
    notebook_.putAway();
    ++beside_;
  }
}

}  // namespace simscope::gui
