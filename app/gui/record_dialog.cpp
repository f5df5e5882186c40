#include "app/gui/record_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace simscope::gui {

namespace {

constexpr const char* kTitle = "Record an animation";

// What a GIF can express and browsers keep: whole hundredths of a second a frame, two of them at least.
struct Rate {
  int delay;
  const char* text;
};
constexpr Rate kRates[] = {{2, "50 frames/s"},  {3, "33⅓ frames/s"}, {4, "25 frames/s"}, {5, "20 frames/s"},
                           {10, "10 frames/s"}, {20, "5 frames/s"},  {50, "2 frames/s"}, {100, "1 frame/s"}};
struct Size {
  int width, height;
};
constexpr Size kSizes[] = {{640, 360}, {800, 450}, {960, 540}, {1280, 720}, {1920, 1080}};

void label(const Ui& ui, const char* text, float width) {
  const float origin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::PushStyleColor(ImGuiCol_Text, ui.colours().dim);
  ImGui::TextUnformatted(text);
  ImGui::PopStyleColor();
  ImGui::SameLine();
  ImGui::SetCursorPosX(origin + width);
}

int delayOf(double fps) {
  return static_cast<int>(std::lround(100 / fps));
}

}  // namespace

void RecordDialog::open(Session& session) {
  if (session.recording() || open_) return;
  const Scene& scene = session.scene;
  settings_ = {};
  settings_.frames = std::max(1, scene.frames);
  settings_.steps_per_frame = std::max(1, session.pace.steps_per_frame);
  settings_.width = scene.figure.width;
  settings_.height = scene.figure.height;
  settings_.fps = 25;
  for (const Rate& rate : kRates) {
    if (delayOf(scene.fps) == rate.delay) settings_.fps = 100.0 / rate.delay;
  }
  std::string name = scene.description->id + ".gif";
  for (int i = 2; std::filesystem::exists(name); ++i) name = fmt::format("{}-{}.gif", scene.description->id, i);
  std::snprintf(file_.data(), file_.size(), "%s", name.c_str());
  refusal_.clear();
  ask_overwrite_ = false;
  wanted_ = Wanted::Open;
}

void RecordDialog::start(Session& session, bool overwrite) {
  settings_.file = file_.data();
  settings_.overwrite = overwrite;
  refusal_.clear();
  if (settings_.file.empty()) {
    refusal_ = "Name a file.";
    return;
  }
  if (settings_.file.extension().empty()) settings_.file += ".gif";
  std::error_code unreadable;
  if (!overwrite && std::filesystem::is_regular_file(settings_.file, unreadable)) {
    ask_overwrite_ = true;
    return;
  }
  try {
    session.startRecording(settings_);
    session.scene.fps = settings_.fps;
    session.scene.frames = settings_.frames;
    session.scene.figure.width = settings_.width;
    session.scene.figure.height = settings_.height;
    wanted_ = Wanted::Closed;
  } catch (const std::exception& error) {
    refusal_ = error.what();
    ask_overwrite_ = false;
  }
}

void RecordDialog::draw(Session& session, Ui& ui, int figure_width, int figure_height) {
  if (wanted_ == Wanted::Open) {
    ImGui::OpenPopup(kTitle);
    wanted_ = Wanted::Nothing;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(520), screen.x * 0.9f), 0});
  open_ = ImGui::BeginPopupModal(
      kTitle, nullptr, ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  if (!open_) return;
  ui.popups.push_back("record");
  const Palette& p = ui.colours();
  const float left = ui.px(140);
  const float narrow = ui.px(150);

  label(ui, "File", left);
  ImGui::SetNextItemWidth(-1);
  if (ImGui::InputText("##file", file_.data(), file_.size(), ImGuiInputTextFlags_AutoSelectAll)) {
    ask_overwrite_ = false;
    refusal_.clear();
  }
  ui.mark("record_file");
  tooltip(ui, "A relative name lies in " + std::filesystem::current_path().string());
  label(ui, "Frames", left);
  ImGui::SetNextItemWidth(narrow);
  if (ImGui::InputInt("##frames", &settings_.frames, 1, 10)) {
    settings_.frames = std::clamp(settings_.frames, 1, kMostFrames);
  }
  ui.mark("record_frames");
  label(ui, "Steps a frame", left);
  ImGui::SetNextItemWidth(narrow);
  if (ImGui::InputInt("##steps", &settings_.steps_per_frame, 1, 10)) {
    settings_.steps_per_frame = std::clamp(settings_.steps_per_frame, 1, kMostStepsPerFrame);
  }
  ui.mark("record_steps");
  label(ui, "Shown at", left);
  ImGui::SetNextItemWidth(narrow);
  const char* shown = "";
  for (const Rate& rate : kRates) {
    if (rate.delay == delayOf(settings_.fps)) shown = rate.text;
  }
  const bool rates = ImGui::BeginCombo("##fps", shown);
  ui.mark("record_fps");
  if (rates) {
    for (const Rate& rate : kRates) {
      if (ImGui::Selectable(rate.text, rate.delay == delayOf(settings_.fps))) settings_.fps = 100.0 / rate.delay;
    }
    ImGui::EndCombo();
  }
  drawSize(ui, left, figure_width, figure_height);
  label(ui, "Begins", left);
  if (ImGui::RadioButton("at the start", settings_.from_start)) settings_.from_start = true;
  ui.mark("record_from_start");
  ImGui::SameLine();
  if (ImGui::RadioButton("with the state shown", !settings_.from_start)) settings_.from_start = false;
  ui.mark("record_from_now");

  label(ui, "", left);
  ImGui::PushStyleColor(ImGuiCol_Text, p.dim);
  ImGui::Text("%s", fmt::format("{} steps in {:.1f} s of animation",
                                static_cast<long long>(settings_.frames - 1) * settings_.steps_per_frame,
                                settings_.frames / settings_.fps)
                        .c_str());
  ImGui::PopStyleColor();
  ImGui::Dummy({0, ui.px(2)});
  if (!refusal_.empty() || ask_overwrite_) {
    beginCard(ui, refusal_.empty() ? p.warning : p.error);
    ImGui::TextUnformatted(refusal_.empty() ? fmt::format("{} exists. Replace it?", settings_.file.string()).c_str()
                                            : refusal_.c_str());
    endCard(ui);
    ImGui::Dummy({0, ui.px(2)});
  }
  const char* const action = ask_overwrite_ ? "Replace and record" : "Record";
  const float buttons =
      iconButtonWidth(ui, Icon::Record, action) + ui.px(8) + iconButtonWidth(ui, Icon::None, "Cancel");
  ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - buttons);
  if (iconButton(ui, "record_cancel", Icon::None, "Cancel", "Esc")) wanted_ = Wanted::Closed;
  ImGui::SameLine(0, ui.px(8));
  if (iconButton(ui, "record_start", Icon::Record, action, "")) start(session, ask_overwrite_);
  if (wanted_ == Wanted::Closed) {
    ImGui::CloseCurrentPopup();
    wanted_ = Wanted::Nothing;
  }
  ImGui::EndPopup();
}

void RecordDialog::drawSize(Ui& ui, float left, int figure_width, int figure_height) {
  label(ui, "Size in pixels", left);
  const float box = ui.px(68);
  ImGui::SetNextItemWidth(box);
  if (ImGui::InputInt("##width", &settings_.width, 0)) settings_.width = std::min(settings_.width, kLargestSide);
  ui.mark("record_width");
  ImGui::SameLine(0, ui.px(6));
  ImGui::TextUnformatted("×");
  ImGui::SameLine(0, ui.px(6));
  ImGui::SetNextItemWidth(box);
  if (ImGui::InputInt("##height", &settings_.height, 0)) settings_.height = std::min(settings_.height, kLargestSide);
  ui.mark("record_height");
  ImGui::SameLine(0, ui.px(10));
  ImGui::SetNextItemWidth(-1);
  const bool sizes = ImGui::BeginCombo("##sizes", "Common sizes");
  ui.mark("record_sizes");
  if (!sizes) return;
  for (const Size& size : kSizes) {
    if (ImGui::Selectable(fmt::format("{} × {}", size.width, size.height).c_str())) {
      settings_.width = size.width;
      settings_.height = size.height;
    }
  }
  if (figure_width > 0 && figure_height > 0 &&
      ImGui::Selectable(fmt::format("as in the window ({} × {})", figure_width, figure_height).c_str())) {
    settings_.width = figure_width;
    settings_.height = figure_height;
  }
  ImGui::EndCombo();
}

}  // namespace simscope::gui
