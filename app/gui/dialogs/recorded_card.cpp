#include "app/gui/dialogs/recorded_card.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/export/child_process.h"
#include "app/gui/window/clipboard.h"
#include "app/recording/output_kinds.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

constexpr double kCardSeconds = 45;
constexpr float kCardWidth = 560;

// What other programs call the bytes of such a file; empty: they take files of it alone.
std::string typeOf(const std::filesystem::path& file) {
  switch (outputKind(file, true)) {
    case OutputKind::Gif:
      return "image/gif";
    case OutputKind::Apng:
      return "image/png";  // a PNG to whoever does not know of animated ones
    case OutputKind::Webp:
      return "image/webp";
    default:
      return {};
  }
}

void copyFolder(Session& session, const std::filesystem::path& folder, const char* why) {
  ImGui::SetClipboardText(folder.string().c_str());
  session.say(Message::Level::Info, fmt::format("{}: copied the folder's path, {}", why, foreign::shownFile(folder)));
}

}  // namespace

void RecordedCard::show(Recorded recorded) {
  recorded_ = std::move(recorded);
  shown_ = true;
  shown_at_ = -1;
}

bool RecordedCard::several() const {
  return outputKind(recorded_->file, true) == OutputKind::Pictures && !recorded_->scene.empty();
}

const std::filesystem::path& RecordedCard::file() const {
  return several() ? recorded_->scene : recorded_->file;
}

bool RecordedCard::expire(double now) {
  const bool answered = opening_ && *opening_ >= 0;
  if (!shown_) return answered;
  if (shown_at_ < 0) shown_at_ = now;
  shown_ = now - shown_at_ < kCardSeconds;
  return !shown_ || answered;
}

void RecordedCard::openFolder(Session& session) {
  if (!recorded_) return;
  const std::filesystem::path folder = recorded_->file.parent_path();
  const auto program = exporting::findProgram("xdg-open");
  if (!program) return copyFolder(session, folder, "xdg-open is not installed");
  try {
    opening_ = exporting::startApart(*program, {folder.string()});
  } catch (const std::exception& error) {
    copyFolder(session, folder, error.what());
  }
}

void RecordedCard::copy(Ui& ui) const {
  if (!recorded_ || !ui.clipboard) return;
  ui.clipboard->copyFile(file(), typeOf(recorded_->file));
}

void RecordedCard::openScene(Session& session) {
  if (!hasScene()) return;
  try {
    session.open(recorded_->scene);
    shown_ = false;
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void RecordedCard::draw(Session& session, Ui& ui, const Rect& place) {
  if (opening_ && *opening_ >= 0 && recorded_) {
    if (*opening_ != 0) copyFolder(session, recorded_->file.parent_path(), "xdg-open could not open the folder");
    opening_.reset();
  }
  if (session.recording()) shown_ = false;
  if (!shown_ || !recorded_) return;
  const UiColours& p = ui.colours();
  const float pad = ui.px(10), gap = ui.px(8), cross = ui.px(26);
  const char* const texts[] = {"Open folder", "Copy", "Open in simscope"};
  float buttons = -gap;
  for (const char* const text : texts) buttons += iconButtonWidth(ui, Icon::None, text) + gap;
  // Over the figure; where that is narrow, over what lies beside it, and the last button goes below the others.
  const float screen = ImGui::GetIO().DisplaySize.x, margin = ui.px(8), needed = buttons + 2 * pad;
  const float width =
      std::min(std::max(needed, std::min(ui.px(kCardWidth), place.width - 2 * margin)), screen - 2 * margin);
  const float left = std::clamp(place.x + (place.width - width) / 2, margin, screen - margin - width);
  const bool two_rows = needed > width;
  const std::string name = foreign::shownFile(file().filename()) + (several() ? " and so on" : "");
  const float line = ImGui::GetTextLineHeight(), row = ImGui::GetFrameHeight();
  const float height = 2 * pad + line + ui.px(6) + row + (two_rows ? ImGui::GetStyle().ItemSpacing.y + row : 0);
  ImGui::SetNextWindowPos({std::round(left), std::round(place.y + ui.px(12))});
  ImGui::SetNextWindowSize({width, height});
  beginFloating("##recorded", pad, p.good);
  clippedText(fmt::format("Recorded {}  ·  {}", name, recorded_->summary), width - 2 * pad - cross, p.text);
  tooltip(ui, foreign::shownFile(file()));
  ImGui::SetCursorPos({width - ui.px(4) - cross, ui.px(4)});
  if (iconButton(ui, "recorded_dismiss", Icon::Cross, "", "Dismiss", Emphasis::Quiet, cross)) shown_ = false;
  ImGui::SetCursorPos({pad, pad + line + ui.px(6)});
  if (iconButton(ui, "recorded_folder", Icon::None, texts[0], "Opens the folder in the file manager"))
    openFolder(session);
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "recorded_copy", Icon::None, texts[1], "Copies the file, to paste it elsewhere")) copy(ui);
  if (!two_rows) ImGui::SameLine(0, gap);
  if (const ScopedDisabled without(!hasScene());
      iconButton(ui, "recorded_open", Icon::None, texts[2],
                 hasScene() ? "Opens its scene, with all strokes and changes" : "This format cannot hold a scene")) {
    openScene(session);
  }
  ui.popups.emplace_back("recorded");
  ImGui::End();
}

}  // namespace simscope::gui
