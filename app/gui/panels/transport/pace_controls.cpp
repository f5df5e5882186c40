#include "app/gui/panels/transport/pace_controls.h"

#include <fmt/format.h>
#include <fmt/printf.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "app/scene/scene.h"

namespace simscope::gui {

namespace {

void drawCap(Ui& ui, Pace& pace, bool wide) {
  struct Cap {
    double value;
    const char* text;
  };
  static constexpr Cap kCaps[] = {{5, "5 frames/s"},   {10, "10 frames/s"},   {25, "25 frames/s"}, {30, "30 frames/s"},
                                  {60, "60 frames/s"}, {120, "120 frames/s"}, {0, "none"}};
  const char* shown = "";
  for (const Cap& cap : kCaps) {
    if (cap.value == pace.frames_per_second) shown = cap.text;
  }
  ImGui::SetNextItemWidth(ui.px(wide ? 154 : 116));
  const bool caps = beginCombo(ui, "##cap", wide ? "Limit" : kLabelBeside, shown);
  ui.mark("frame_cap");
  if (caps) {
    for (const Cap& cap : kCaps) {
      if (ImGui::Selectable(cap.text, cap.value == pace.frames_per_second)) pace.frames_per_second = cap.value;
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui, "Limit: the largest number of pictures per second");
  }
}

void drawAtEnd(Session& session, Ui& ui) {
  const std::optional<RunEnd> end = session.runEnd();
  const char* does = "go on";
  if (end) does = end->ending == Ending::Loop ? "loop" : "pause";
  ImGui::SetNextItemWidth(ui.px(118));
  const bool open = beginCombo(ui, "##at_end", "End", does);
  ui.mark("at_end");
  if (!open) {
    tooltip(ui, (end ? fmt::format("At the end of the preset, step {}:\n", end->step) : std::string()) +
                    "Loop: start again with the same seed and keyframes. A run with strokes, or from a snapshot, goes "
                    "on\ninstead; choose Loop after drawing to see the strokes again.\nPause: stop at the end. Press "
                    "Play to go on.");
    return;
  }
  static constexpr std::pair<AtEnd, const char*> kChoices[] = {
      {AtEnd::AsPreset, "As the preset says"}, {AtEnd::Loop, "Loop"}, {AtEnd::Pause, "Pause"}, {AtEnd::GoOn, "Go on"}};
  for (const auto& [choice, text] : kChoices) {
    if (ImGui::Selectable(text, choice == session.atEnd())) session.setAtEnd(choice);
  }
  ImGui::EndCombo();
}

// Without an exponent as far as a million: "1920", "0.5", "54469".
std::string speedFormat(double speed) {
  constexpr double kLongest = 1e7;
  const double size = std::abs(speed);
  const int digits = size >= 1 && size < kLongest ? static_cast<int>(std::log10(size)) + 1 : 0;
  return fmt::format("%.{}g", std::max(3, digits));
}

// Of the clock's time, or of what the run counts.
std::string speedUnit(const Session& session) {
  const ClockInfo& clock = session.scene.description->clock;
  return (clock.unit.empty() ? clock.symbol : clock.unit) + "/s";
}

void drawSpeed(Session& session, Ui& ui, float width) {
  const RunnerStatus& run = session.status;
  const UiColours& p = ui.colours();
  const std::string unit = speedUnit(session);
  const float gap = ui.px(2), button = ImGui::GetFrameHeight(), field = width - 2 * (button + gap);
  double speed = session.pace.speed;
  const bool behind = run.behind && run.playing;
  ImGui::SetNextItemWidth(field);
  // The unit stands in the format, where it has room: a percent sign in it would be one more number.
  const std::string number = speedFormat(speed), told = fmt::sprintf(number, speed) + " " + unit;
  const bool whole = ImGui::CalcTextSize(told.c_str()).x <= field - 2 * ImGui::GetStyle().FramePadding.x;
  const std::string format = whole && unit.find('%') == std::string::npos ? number + " " + unit : number;
  if (const ScopedColour letters(ImGuiCol_Text, behind ? p.warning : p.text);
      ImGui::InputDouble("##speed", &speed, 0, 0, format.c_str(), ImGuiInputTextFlags_EnterReturnsTrue)) {
    session.setSpeed(speed);
  }
  ui.mark("speed");
  std::string help = whole ? "" : told + "\n";
  help += "Simulated time per second of real time. It stays the same when the time step changes.";
  if (behind) {
    help += fmt::format("\nThis machine reaches {} {}.", shortNumber(run.steps_per_second * run.time_step), unit);
  }
  if (const double usual = session.usualSpeed(); usual > 0) {
    help += fmt::format("\nThe preset's: {} {}", labelNumber(usual), unit);
  }
  tooltip(ui, help);
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "slower", Icon::Minus, "", "Half the speed", Emphasis::Plain, button)) {
    session.setSpeed(session.pace.speed / 2);
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "faster", Icon::Plus, "", "Twice the speed", Emphasis::Plain, button)) {
    session.setSpeed(session.pace.speed * 2);
  }
}

void drawSteps(Pace& pace, Ui& ui, float width) {
  ImGui::SetNextItemWidth(width);
  int steps = pace.steps_per_frame;
  if (ImGui::InputInt("##steps", &steps, 1, 10)) pace.steps_per_frame = std::clamp(steps, 1, kMostStepsPerFrame);
  ui.mark("steps_per_frame");
  tooltip(ui, "Steps between two pictures (Ctrl and a button: ten at a time)");
}

}  // namespace

void drawPace(Session& session, Ui& ui, const PaceRoom& room) {
  Pace pace = session.pace;
  const float gap = ui.px(6);
  const bool timed = session.speed() > 0;
  const bool budget = pace.mode == Pace::Mode::Budget;
  const bool by_speed = pace.mode == Pace::Mode::Speed && timed;
  const char* const fixed = by_speed ? "Speed" : "Steps per frame";
  const char* const shown = budget ? "As fast as possible" : fixed;
  // The kind as wide as its words, and what is left to its value. As fast as possible has none.
  const float both = ui.px(room.wide ? 274 : 242);
  const char* const label = room.wide ? "Pace" : kLabelBeside;
  const float kind = room.value ? std::min(comboWidth(shown, label), both) : ui.px(110);
  ImGui::SetNextItemWidth(kind);
  const bool open = beginCombo(ui, "##mode", label, shown);
  ui.mark("pace_mode");
  if (open) {
    if (timed && ImGui::Selectable("Speed", by_speed)) pace.mode = Pace::Mode::Speed;
    if (timed) ui.mark("pace_mode:speed");
    if (ImGui::Selectable("Steps per frame", !budget && !by_speed)) pace.mode = Pace::Mode::StepsPerFrame;
    ui.mark("pace_mode:steps");
    if (ImGui::Selectable("As fast as possible", budget)) pace.mode = Pace::Mode::Budget;
    ui.mark("pace_mode:budget");
    if (timed && ImGui::Selectable("The preset's speed", false)) {
      ImGui::EndCombo();
      return session.setSpeed(session.usualSpeed());
    }
    ImGui::EndCombo();
  } else {
    tooltip(ui,
            "Speed: a fixed simulated time per second of real time, at the display's own rate.\nSteps per frame: a "
            "fixed number of steps between two pictures, as in a recording.\nAs fast as possible: as many steps as fit "
            "between two pictures.");
  }
  if (room.value && !budget) {
    ImGui::SameLine(0, gap);
    const float rest = both - kind - gap;
    by_speed ? drawSpeed(session, ui, rest) : drawSteps(pace, ui, rest);
  }
  if (room.cap) {
    ImGui::SameLine(0, gap);
    drawCap(ui, pace, room.wide);
  }
  if (room.at_end) {
    ImGui::SameLine(0, gap);
    drawAtEnd(session, ui);
  }
  const auto chosen = [](const Pace& each) {
    return std::tuple(each.mode, each.steps_per_frame, each.frames_per_second);
  };
  // A change of the speed has been told already.
  if (chosen(pace) == chosen(session.pace) || session.pace.speed != pace.speed) return;
  session.setPace(pace);
}

}  // namespace simscope::gui
