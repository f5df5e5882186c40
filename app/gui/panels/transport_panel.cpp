#include "app/gui/panels/transport_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "app/scene/scene.h"
#include "app/session/recording.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

std::string durationText(double seconds) {
  if (seconds < 100) return fmt::format("{:.0f} s", std::max(0.0, seconds));
  const double minutes = seconds / 60;
  return minutes < 100 ? fmt::format("{:.0f} min", minutes) : fmt::format("{:.1f} h", minutes / 60);
}

std::string progressText(const Recording& recording) {
  const exporting::EncodingProgress progress = recording.progress();
  const std::string file = foreign::shownFile(recording.settings().file.filename());
  std::string text = recording.openEnded()
                         ? fmt::format("{}: frame {}", file, recording.drawn())
                         : fmt::format("{}: frame {} of {}", file, recording.drawn(), recording.scene().frames);
  if (!recording.fitted().empty()) text += "  ·  reduced to fit the size limit";
  if (progress.frames == 0) return text;
  if (progress.frames_per_second > 0) text += fmt::format("  ·  {} frames/s", shortNumber(progress.frames_per_second));
  text += "  ·  " + bytesText(static_cast<double>(progress.bytes));
  if (progress.estimated_bytes > progress.bytes) {
    text += fmt::format(" of about {}", bytesText(static_cast<double>(progress.estimated_bytes)));
  }
  if (recording.finishing()) return text + "  ·  finishing";
  if (!recording.openEnded()) text += fmt::format("  ·  {} left", durationText(progress.seconds_left));
  return text;
}

// The rest of the row, less the buttons behind it. `done`: the filled share.
void drawBar(Ui& ui, float buttons, float done, const ImVec4& colour, Icon icon, const std::string& text) {
  const float bar = std::max(ImGui::GetContentRegionAvail().x - buttons, ui.px(60));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const UiColours& p = ui.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + bar, at.y + height}, toU32(p.raised), ui.px(4));
  if (done > 0) {
    list.AddRectFilled(at, {at.x + bar * std::min(done, 1.0f), at.y + height}, toU32(colour, 0.35f), ui.px(4));
  }
  drawIcon(list, icon, {at.x + ui.px(14), at.y + height / 2}, ui.px(11), toU32(colour));
  list.AddText({at.x + ui.px(28), at.y + ImGui::GetStyle().FramePadding.y}, toU32(p.text),
               fitted(text, bar - ui.px(36)).c_str());
  ImGui::Dummy({bar, height});
  ui.mark("progress");
}

void drawProgress(Session& session, Ui& ui) {
  Recording& recording = *session.recorder();
  const float gap = ui.px(10);
  const float buttons =
      iconButtonWidth(ui, Icon::None, "Stop") + gap + iconButtonWidth(ui, Icon::Cross, "Cancel") + gap;
  const float done = static_cast<float>(recording.drawn()) / static_cast<float>(std::max(1, recording.scene().frames));
  drawBar(ui, buttons, recording.openEnded() ? 0 : done, ui.colours().error, Icon::Record, progressText(recording));
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "stop_recording", Icon::None, "Stop", "Finish the file with the frames so far  (Ctrl+R)")) {
    recording.stop();
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "cancel_recording", Icon::Cross, "Cancel", "No file is written")) session.cancelRecording();
}

void drawReplay(Session& session, Ui& ui, const RunnerStatus::Replay& way) {
  const float gap = ui.px(10);
  const float buttons =
      iconButtonWidth(ui, Icon::None, "Stop replay") + iconButtonWidth(ui, Icon::Reset, "Reset") + 2 * gap;
  const auto made = static_cast<float>(way.step - way.from);
  const auto all = static_cast<float>(std::max<std::int64_t>(1, way.to - way.from));
  const bool strokes = way.strokes_left > 0;
  drawBar(ui, buttons, made / all, ui.colours().accent, Icon::Undo,
          strokes ? fmt::format("Drawing the strokes of step {}: {} left", way.step, way.strokes_left)
                  : fmt::format("Replaying: step {} of {}", way.step, way.to));
  tooltip(ui, strokes ? "This step has many strokes: they are applied a part at a time."
                      : "An earlier step was changed: the run is computed again up to the change.");
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "stay", Icon::None, "Stop replay", "Continue from the step that has been reached"))
    session.endReplay();
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "reset", Icon::Reset, "Reset", "Back to the start instead  (R)")) session.reset();
}

void drawCap(Ui& ui, Pace& pace, bool wide) {
  struct Cap {
    double value;
    const char* text;
  };
  static constexpr Cap kCaps[] = {{5, "5 frames/s"},   {10, "10 frames/s"},   {25, "25 frames/s"}, {30, "30 frames/s"},
                                  {60, "60 frames/s"}, {120, "120 frames/s"}, {0, "no limit"}};
  const char* shown = "";
  for (const Cap& cap : kCaps) {
    if (cap.value == pace.frames_per_second) shown = cap.text;
  }
  ImGui::SetNextItemWidth(ui.px(wide ? 124 : 116));
  const bool caps = beginCombo(ui, "##cap", shown);
  ui.mark("frame_cap");
  if (caps) {
    for (const Cap& cap : kCaps) {
      if (ImGui::Selectable(cap.text, cap.value == pace.frames_per_second)) pace.frames_per_second = cap.value;
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, "At most this many pictures a second");
  }
}

void drawAtEnd(Session& session, Ui& ui) {
  const std::optional<RunEnd> end = session.runEnd();
  const char* const does = !end ? "go on" : end->ending == Ending::Loop ? "loop" : "pause";
  ImGui::SetNextItemWidth(ui.px(118));
  const bool open = beginCombo(ui, "##at_end", fmt::format("End: {}", does).c_str());
  ui.mark("at_end");
  if (!open) {
    tooltip(ui, (end ? fmt::format("At the end of the preset, step {}\n", end->step) : std::string()) +
                    "Loop: starts again, with the same seed and keyframes. A run that was drawn into, or went on from\n"
                    "a snapshot, goes on instead; choose Loop after drawing to see the strokes again.\n"
                    "Pause: stands there; Play goes on beyond.");
    return;
  }
  static constexpr std::pair<AtEnd, const char*> kChoices[] = {
      {AtEnd::AsPreset, "As the preset says"}, {AtEnd::Loop, "Loop"}, {AtEnd::Pause, "Pause"}, {AtEnd::GoOn, "Go on"}};
  for (const auto& [choice, text] : kChoices) {
    if (ImGui::Selectable(text, choice == session.atEnd())) session.setAtEnd(choice);
  }
  ImGui::EndCombo();
}

void drawPace(Session& session, Ui& ui, bool wide, bool with_cap) {
  Pace pace = session.pace;
  const float gap = ui.px(6);
  ImGui::SetNextItemWidth(ui.px(wide ? 142 : 128));
  const bool budget = pace.mode == Pace::Mode::Budget;
  const bool open = beginCombo(ui, "##mode", budget ? "As fast as possible" : "Steps per frame");
  ui.mark("pace_mode");
  if (open) {
    if (ImGui::Selectable("Steps per frame", !budget)) pace.mode = Pace::Mode::StepsPerFrame;
    if (ImGui::Selectable("As fast as possible", budget)) pace.mode = Pace::Mode::Budget;
    ImGui::EndCombo();
  } else {
    tooltip(ui,
            "Steps per frame: exactly so many steps lie between two pictures, as in a recording.\n"
            "As fast as possible: as many steps as the time between two pictures allows.");
  }
  ImGui::SameLine(0, gap);
  ImGui::BeginDisabled(budget);
  const float square = ImGui::GetFrameHeight();
  ImGui::SetNextItemWidth(ui.px(wide ? 116 : 96) - 2 * (square + ui.px(2)));
  int steps = pace.steps_per_frame;
  const int by = ImGui::GetIO().KeyCtrl ? 10 : 1;
  bool stepped = ImGui::InputInt("##steps", &steps, 0);
  ui.mark("steps_per_frame");
  const char* const help = "Steps between two pictures (Ctrl and a button: by ten)";
  tooltip(ui, help);
  for (const int way : {-1, 1}) {
    ImGui::SameLine(0, ui.px(2));
    if (iconButton(ui, way < 0 ? "fewer_steps" : "more_steps", way < 0 ? Icon::Minus : Icon::Plus, "", help,
                   Emphasis::Plain, square)) {
      steps += way * by;
      stepped = true;
    }
  }
  if (stepped) pace.steps_per_frame = std::clamp(steps, 1, kMostStepsPerFrame);
  ImGui::EndDisabled();
  if (with_cap) {
    ImGui::SameLine(0, gap);
    drawCap(ui, pace, wide);
  }
  if (wide) {
    ImGui::SameLine(0, gap);
    drawAtEnd(session, ui);
  }
  if (!(pace == session.pace)) session.setPace(pace);
}

}  // namespace

TransportActions drawTransportPanel(Session& session, Ui& ui) {
  TransportActions actions;
  if (session.recording()) {
    drawProgress(session, ui);
    return actions;
  }
  if (const RunnerStatus::Replay* way = session.replaying()) {
    drawReplay(session, ui, *way);
    return actions;
  }
  const float gap = ui.px(6);
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const bool wide = ImGui::GetContentRegionAvail().x > ui.px(860);
  // What a narrow window leaves out, in this order: the cap, the labels of step and reset.
  const bool with_cap = ImGui::GetContentRegionAvail().x > ui.px(680);
  const bool labels = ImGui::GetContentRegionAvail().x > ui.px(560);
  const bool playing = session.playing();
  const float play_width = iconButtonWidth(ui, Icon::Pause, "Pause");
  if (iconButton(ui, "play", playing ? Icon::Pause : Icon::Play, playing ? "Pause" : "Play", "Play or pause  (Space)",
                 Emphasis::Accent, play_width)) {
    session.togglePlay();
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "step", Icon::Step, labels ? "Step" : "", "Advance by one frame  (S)")) session.step();
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "reset", Icon::Reset, labels ? "Reset" : "",
                 "Back to the start, with the present parameters  (R)")) {
    session.reset();
  }
  ImGui::SameLine(0, ui.px(18));
  drawPace(session, ui, wide, with_cap);

  const float record = iconButtonWidth(ui, Icon::Record, "Record");
  if (wide) {
    const std::string clock =
        fmt::format("{} = {}   step {}{}", session.scene.description->clock.symbol, shortNumber(session.status.time),
                    session.status.steps, session.status.at_end ? ", the end" : "");
    const float width = ImGui::CalcTextSize(clock.c_str()).x;
    ImGui::SameLine(0, 0);
    const float at = right - record - ui.px(18) - width;
    if (at > ImGui::GetCursorPosX() + ui.px(8)) {
      ImGui::SetCursorPosX(at);
      ImGui::AlignTextToFramePadding();
      ImGui::PushStyleColor(ImGuiCol_Text, ui.colours().dim);
      ImGui::TextUnformatted(clock.c_str());
      ImGui::PopStyleColor();
    }
  }
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(right - record);
  actions.record =
      iconButton(ui, "record", Icon::Record, "Record", "Record an animation, pictures, or numbers  (Ctrl+R)");
  return actions;
}

}  // namespace simscope::gui
