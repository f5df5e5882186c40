#include "app/gui/dialogs/file_menu.h"
#include "sims/foreign/words.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>

#include "app/scene/scene.h"
#include "sims/core/words.h"

namespace simscope::gui {

namespace {

constexpr const char* kMenu = "scene_menu_list";

// A scene is saved under its own name; what was opened from a picture or a snapshot has none yet.
bool hasName(const Session& session) {
  return session.file().extension() == ".json";
}

// "heat.simscope.json": desktops know by the name what opens it (packaging/simscope.xml). A file that has the ending
// already keeps its name.
std::filesystem::path proposal(const Session& session, const char* ending) {
  std::filesystem::path file = session.file();
  if (file.extension() == ending) return file;
  if (file.empty()) file = session.scene.description->id;
  file.replace_extension();
  if (file.extension() != ".simscope") file += ".simscope";
  return file += ending;
}

bool item(Ui& ui, const char* mark, const std::string& label, const char* keys = nullptr, bool enabled = true) {
  const bool chosen = ImGui::MenuItem(label.c_str(), keys, false, enabled);
  ui.mark(mark);
  return chosen;
}

void changeButton(Session& session, Ui& ui, bool back, float width) {
  const std::string* const label = back ? session.undoLabel() : session.redoLabel();
  const bool able = label && !session.recording();
  const std::string keys = back ? "Ctrl+Z" : "Ctrl+Shift+Z";
  const std::string name = back ? "Undo" : "Redo";
  std::string help = label ? fmt::format("{}: {}  ({})", name, *label, keys)
                           : fmt::format("Nothing to {}  ({})", back ? "undo" : "redo", keys);
  if (const RunnerStatus& run = session.status; back && run.past.states > 0) {
    help +=
        fmt::format("\n{} of the run kept for undo: {}", counted(static_cast<std::int64_t>(run.past.states), "state"),
                    bytesText(static_cast<double>(run.past.bytes)));
  }
  const ScopedDisabled disabled(!able);
  if (iconButton(ui, back ? "undo" : "redo", back ? Icon::Undo : Icon::Redo, "", help.c_str(), Emphasis::Quiet,
                 width)) {
    back ? session.undo() : session.redo();
  }
}

// What a session of the state folder showed, and when it was written; empty where it is no scene.
std::string labelOf(const std::filesystem::path& file) {
  try {
    const Scene scene = readScene(file);
    const auto written = std::chrono::file_clock::to_sys(std::filesystem::last_write_time(file));
    const std::time_t time =
        std::chrono::system_clock::to_time_t(std::chrono::time_point_cast<std::chrono::seconds>(written));
    return fmt::format("{}, {:%e %b %H:%M}", scene.description->title, fmt::localtime(time));
  } catch (const std::exception&) {
    return "";
  }
}

}  // namespace

FileMenu::FileMenu(const std::filesystem::path& state_folder, const Autosave& autosave)
    : recent_(state_folder), last_session_(autosave.lastSession()), offered_(autosave.crashed()) {
  for (const std::filesystem::path& file : autosave.earlierSessions()) {
    if (std::string label = labelOf(file); !label.empty()) earlier_.push_back({file, std::move(label)});
  }
}

template <class Action>
void FileMenu::attempt(Session& session, const Action& action) {
  try {
    action();
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void FileMenu::open(const Session& session) {
  dialog_.show(FileDialog::Purpose::Open, proposal(session, ".json"));
}

void FileMenu::saveAs(const Session& session) {
  dialog_.show(FileDialog::Purpose::SaveScene, proposal(session, ".json"));
}

void FileMenu::saveSnapshot(const Session& session) {
  dialog_.show(FileDialog::Purpose::SaveSnapshot, proposal(session, ".npz"));
}

void FileMenu::save(Session& session) {
  if (!hasName(session)) return saveAs(session);
  attempt(session, [&] { session.save(session.file(), true); });
}

void FileMenu::drawRow(Session& session, Ui& ui, const std::function<void()>& more) {
  if (iconButton(ui, "scene_menu", Icon::None, "Scene", "Open and save", Emphasis::Quiet)) ImGui::OpenPopup(kMenu);
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::SetNextWindowPos({low.x, high.y + ui.px(4)});
  if (!ImGui::BeginPopup(kMenu)) return;
  ui.popups.push_back("scene");
  if (ui.escape) ImGui::CloseCurrentPopup();
  drawMenu(session, ui);
  more();
  ImGui::EndPopup();
}

void FileMenu::drawChanges(Session& session, Ui& ui) {
  changeButton(session, ui, true, ui.px(32));
  ImGui::SameLine(0, ui.px(2));
  changeButton(session, ui, false, ui.px(32));
}

void FileMenu::drawMenu(Session& session, Ui& ui) {
  const bool free = !session.recording();
  if (item(ui, "menu:open", "Open...", "Ctrl+O", free)) open(session);
  if (item(ui, "menu:save", hasName(session) ? "Save" : "Save...", "Ctrl+S")) save(session);
  if (item(ui, "menu:save_as", "Save as...", "Ctrl+Shift+S")) saveAs(session);
  if (item(ui, "menu:snapshot", "Save a snapshot...", nullptr, free)) saveSnapshot(session);
  tooltip(ui, "The scene with the run's state: when opened, the run continues from here.");
  if (!last_session_.empty() && item(ui, "menu:last", "Restore the last session", nullptr, free)) {
    attempt(session, [&] { session.restore(last_session_); });
  }
  if (!earlier_.empty()) drawEarlier(session, ui);
  if (!recent_.files().empty()) drawRecent(session, ui);
}

void FileMenu::drawEarlier(Session& session, Ui& ui) {
  const bool open = ImGui::BeginMenu("Restore an earlier session", !session.recording());
  ui.mark("menu:earlier");
  if (!open) return;
  for (std::size_t i = 0; i < earlier_.size(); ++i) {
    const ScopedId id(i);
    if (item(ui, fmt::format("earlier:{}", i).c_str(), earlier_[i].label)) {
      attempt(session, [&] { session.restore(earlier_[i].file); });
    }
  }
  ImGui::EndMenu();
}

void FileMenu::drawRecent(Session& session, Ui& ui) {
  ImGui::Separator();
  ImGui::TextDisabled("Recent");
  std::optional<std::filesystem::path> chosen;
  for (std::size_t i = 0; i < recent_.files().size(); ++i) {
    const std::filesystem::path& file = recent_.files()[i];
    const ScopedId id(i);
    const std::string mark = fmt::format("recent:{}", i);
    if (item(ui, mark.c_str(), fitted(foreign::shownFile(file.filename()), ui.px(260)), nullptr, !session.recording()))
      chosen = file;
    tooltip(ui, foreign::shownFile(file));
  }
  if (item(ui, "menu:forget", "Clear this list")) recent_.clear();
  if (chosen) attempt(session, [&] { session.open(*chosen); });
}

void FileMenu::drawDialogs(Session& session, Ui& ui) {
  for (const std::filesystem::path& file : session.takeUsedFiles()) recent_.add(file);
  dialog_.draw(session, ui);
}

bool FileMenu::expire(double now) {
  if (!offered_) return false;
  if (offered_at_ < 0) offered_at_ = now;
  offered_ = now - offered_at_ < kOfferSeconds;
  return !offered_;
}

void FileMenu::drawOffer(Session& session, Ui& ui) {
  if (!offered_ || last_session_.empty()) return;
  ui.popups.emplace_back("restore");
  const UiColours& p = ui.colours();
  const char* const restore = "Restore the last session";
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x, pad = ui.px(4), gap = ui.px(6);
  const float height = ImGui::GetFrameHeight() + 2 * pad, square = ImGui::GetFrameHeight();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.raised), ui.px(4));
  list.AddRect(at, {at.x + width, at.y + height}, toU32(p.warning), ui.px(4), 0, std::max(1.0f, ui.scale));
  const float right = at.x + width - pad;
  const float button = right - square - gap - iconButtonWidth(ui, Icon::None, restore);
  ImGui::SetCursorScreenPos({at.x + ui.px(10), at.y + pad});
  ImGui::AlignTextToFramePadding();
  clippedText("simscope ended unexpectedly last time.", std::max(button - gap - at.x - ui.px(10), 1.0f), p.text);
  ImGui::SetCursorScreenPos({button, at.y + pad});
  if (iconButton(ui, "restore", Icon::None, restore, "", Emphasis::Accent)) {
    attempt(session, [&] { session.restore(last_session_); });
    offered_ = false;
  }
  ImGui::SetCursorScreenPos({right - square, at.y + pad});
  if (iconButton(ui, "restore_not", Icon::Cross, "", "Not now: it stays in the menu \"Scene\"", Emphasis::Quiet,
                 square)) {
    offered_ = false;
  }
  ImGui::SetCursorScreenPos({at.x, at.y + height + ui.px(6)});
}

}  // namespace simscope::gui
