#include "app/gui/panels/transport/transport_panel.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "app/gui/panels/transport/pace_controls.h"
#include "app/gui/panels/transport/past_slider.h"
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

// What is said of it, what matters most first.
std::vector<std::string> progressParts(const Recording& recording) {
  const exporting::EncodingProgress progress = recording.progress();
  std::vector<std::string> parts = {recording.openEnded()
                                        ? fmt::format("frame {}", recording.drawn())
                                        : fmt::format("frame {} of {}", recording.drawn(), recording.scene().frames)};
  if (!recording.fitted().empty()) parts.emplace_back("reduced to fit the size limit");
  if (progress.frames == 0) return parts;
  if (progress.frames_per_second > 0) parts.push_back(shortNumber(progress.frames_per_second) + " frames/s");
  parts.push_back(bytesText(static_cast<double>(progress.bytes)));
  if (progress.estimated_bytes > progress.bytes) {
    parts.back() += fmt::format(" of about {}", bytesText(static_cast<double>(progress.estimated_bytes)));
  }
  if (recording.finishing()) {
    parts.emplace_back("finishing");
  } else if (!recording.openEnded()) {
    parts.push_back(durationText(progress.seconds_left) + " left");
  }
  return parts;
}

// As many of the parts as have room; the file's name only where the first of them stands whole beside it.
std::string progressText(const Recording& recording, float room) {
  const auto fits = [room](const std::string& text) { return ImGui::CalcTextSize(text.c_str()).x <= room; };
  const std::vector<std::string> parts = progressParts(recording);
  std::string text = fmt::format("{}: {}", foreign::shownFile(recording.settings().file.filename()), parts.front());
  if (!fits(text)) text = parts.front();
  for (std::size_t i = 1; i < parts.size(); ++i) {
    const std::string longer = text + "  ·  " + parts[i];
    if (!fits(longer)) break;
    text = longer;
  }
  return text;
}

float barWidth(Ui& ui, float buttons) {
  return std::max(ImGui::GetContentRegionAvail().x - buttons, ui.px(60));
}

float barRoom(Ui& ui, float buttons) {
  return barWidth(ui, buttons) - ui.px(36);
}

// The rest of the row, less the buttons behind it. `done`: the filled share.
void drawBar(Ui& ui, float buttons, float done, const ImVec4& colour, Icon icon, const std::string& text) {
  const float bar = barWidth(ui, buttons);
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
               fitted(text, barRoom(ui, buttons)).c_str());
  ImGui::Dummy({bar, height});
  ui.mark("progress");
}

void drawProgress(Session& session, Ui& ui) {
  Recording& recording = *session.recorder();
  const float gap = ui.px(10);
  const float buttons =
      iconButtonWidth(ui, Icon::None, "Stop") + gap + iconButtonWidth(ui, Icon::Cross, "Cancel") + gap;
  const float done = static_cast<float>(recording.drawn()) / static_cast<float>(std::max(1, recording.scene().frames));
  drawBar(ui, buttons, recording.openEnded() ? 0 : done, ui.colours().error, Icon::Record,
          progressText(recording, barRoom(ui, buttons)));
  tooltip(ui, progressText(recording, std::numeric_limits<float>::infinity()));
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
  tooltip(ui, strokes ? "This step has many strokes. They are applied in parts."
                      : "An earlier step was changed. The run is computed again up to the change.");
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "stay", Icon::None, "Stop replay", "Continue from the step reached so far")) session.endReplay();
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "reset", Icon::Reset, "Reset", "Back to the start instead  (R)")) session.reset();
}

}  // namespace

TransportActions TransportPanel::draw(Session& session, Ui& ui) {
  setting_.follow(session);
  const float width = ImGui::GetContentRegionAvail().x;
  const float clock = ui.px(width > ui.px(620) ? 210 : 150);
  const float gap = ui.px(6);
  const bool settings = drawPastSlider(session, ui, width - clock - gap);
  ImGui::SameLine(0, gap);
  drawClock(session, ui, clock);
  if (settings) PastSetting::openList();
  TransportActions actions;
  if (session.recording()) {
    drawProgress(session, ui);
  } else if (const RunnerStatus::Replay* way = session.replaying()) {
    drawReplay(session, ui, *way);
  } else {
    actions = drawButtons(session, ui);
  }
  setting_.drawList(session, ui);
  return actions;
}

TransportActions TransportPanel::drawButtons(Session& session, Ui& ui) {
  TransportActions actions;
  const float gap = ui.px(6);
  const float room = ImGui::GetContentRegionAvail().x;
  const float right = ImGui::GetCursorPosX() + room;
  // What a narrow window leaves out, in this order: the memory, the end, the cap, the labels of step and reset, the
  // speed, and its kind.
  const bool with_memory = room > ui.px(1030), labels = room > ui.px(640);
  const bool playing = session.playing();
  const float play_width = iconButtonWidth(ui, Icon::Pause, "Pause");
  if (iconButton(ui, "play", playing ? Icon::Pause : Icon::Play, playing ? "Pause" : "Play", "Play or pause  (Space)",
                 Emphasis::Accent, play_width)) {
    session.togglePlay();
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "step_back", Icon::StepBack, "", "Back by one frame  (comma)")) session.stepBack();
  ImGui::SameLine(0, ui.px(2));
  if (iconButton(ui, "step", Icon::Step, labels ? "Step" : "", "Advance by one frame  (S, or full stop)")) {
    session.step();
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "reset", Icon::Reset, labels ? "Reset" : "",
                 "Back to the start, with the present parameters  (R)")) {
    session.reset();
  }
  if (room > ui.px(400)) {
    ImGui::SameLine(0, ui.px(14));
    drawPace(
        session, ui,
        {.wide = room > ui.px(940), .value = room > ui.px(530), .cap = room > ui.px(740), .at_end = room > ui.px(880)});
  }

  const float record = iconButtonWidth(ui, Icon::Record, "Record");
  ImGui::SameLine(0, 0);
  if (with_memory) {
    const float memory = ui.px(112);
    ImGui::SetCursorPosX(right - record - gap - memory);
    setting_.drawButton(session, ui, memory);
    ImGui::SameLine(0, 0);
  }
  ImGui::SetCursorPosX(right - record);
  actions.record =
      iconButton(ui, "record", Icon::Record, "Record", "Record an animation, pictures, or numbers  (Ctrl+R)");
  return actions;
}

bool TransportPanel::handleKey(Session& session, const Key& key) {
  constexpr std::int64_t kMany = 10;  // frames
  const std::int64_t way = kMany * std::max(1, session.pace.steps_per_frame);
  if (key.letter == ',') {
    key.shift ? session.scrub(session.pastStep() - way, false) : session.stepBack();
  } else if (key.letter == '.') {
    key.shift&& session.inPast() ? session.scrub(session.pastStep() + way, false) : session.step();
  } else if (key.key == GLFW_KEY_HOME) {
    session.scrub(session.status.past.first, false);
  } else if (key.key == GLFW_KEY_END) {
    session.returnToPresent();
  } else {
    return false;
  }
  return true;
}

}  // namespace simscope::gui
