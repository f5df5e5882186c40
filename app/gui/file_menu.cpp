#include "app/gui/file_menu.h"
#include "sims/foreign/words.h"

#include <fmt/format.h>

#include <algorithm>

#include "sims/core/words.h"

namespace simscope::gui {

namespace {

constexpr const char* kMenu = "scene_menu_list";

// A scene is saved under its own name; what was opened from a picture or a snapshot has none yet.
bool hasName(const Session& session) {
  return session.file().extension() == ".json";
}

std::filesystem::path proposal(const Session& session, const char* ending) {
  std::filesystem::path file = session.file();
  if (file.empty()) file = session.scene.description->id;
  return file.replace_extension(ending);
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
  if (const RunnerStatus& run = session.status; back && run.kept_states > 0) {
    help += fmt::format("\n{} of the run kept to go back to: {}",
                        counted(static_cast<std::int64_t>(run.kept_states), "state"),
                        bytesText(static_cast<double>(run.kept_bytes)));
  }
  ImGui::BeginDisabled(!able);
  if (iconButton(ui, back ? "undo" : "redo", back ? Icon::Undo : Icon::Redo, "", help.c_str(), Emphasis::Plain,
                 width)) {
    back ? session.undo() : session.redo();
  }
  ImGui::EndDisabled();
}

}  // namespace

FileMenu::FileMenu(const std::filesystem::path& state_folder, const Autosave& autosave)
    : recent_(state_folder), last_session_(autosave.lastSession()), offered_(autosave.crashed()) {}

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

void FileMenu::save(Session& session) {
  if (!hasName(session)) return saveAs(session);
  attempt(session, [&] { session.save(session.file(), true); });
}

void FileMenu::drawRow(Session& session, Ui& ui) {
  const float room = ImGui::GetContentRegionAvail().x, gap = ui.px(4);
  const float label = iconButtonWidth(ui, Icon::None, "Scene");
  const float square = std::clamp((room - label) / 2 - gap, ui.px(18), ui.px(34));
  const float menu = std::max(room - 2 * (square + gap), label);
  if (iconButton(ui, "scene_menu", Icon::None, "Scene", "Open and save", Emphasis::Plain, menu)) {
    ImGui::OpenPopup(kMenu);
  }
  const ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  ImGui::SameLine(0, gap);
  changeButton(session, ui, true, square);
  ImGui::SameLine(0, gap);
  changeButton(session, ui, false, square);
  ImGui::SetNextWindowPos({low.x, high.y + ui.px(4)});
  if (!ImGui::BeginPopup(kMenu)) return;
  ui.popups.push_back("scene");
  if (ui.escape) ImGui::CloseCurrentPopup();
  drawMenu(session, ui);
  ImGui::EndPopup();
}

void FileMenu::drawMenu(Session& session, Ui& ui) {
  const bool free = !session.recording();
  if (item(ui, "menu:open", "Open...", "Ctrl+O", free)) open(session);
  if (item(ui, "menu:save", hasName(session) ? "Save" : "Save...", "Ctrl+S")) save(session);
  if (item(ui, "menu:save_as", "Save as...", "Ctrl+Shift+S")) saveAs(session);
  if (item(ui, "menu:snapshot", "Save a snapshot...", nullptr, free)) {
    dialog_.show(FileDialog::Purpose::SaveSnapshot, proposal(session, ".npz"));
  }
  tooltip(ui, "The scene with the run's state: opened again, the run goes on from here.");
  if (!last_session_.empty() && item(ui, "menu:last", "Restore the last session", nullptr, free)) {
    attempt(session, [&] { session.restore(last_session_); });
  }
  if (!recent_.files().empty()) drawRecent(session, ui);
}

void FileMenu::drawRecent(Session& session, Ui& ui) {
  ImGui::Separator();
  ImGui::TextDisabled("Recent");
  std::optional<std::filesystem::path> chosen;
  for (std::size_t i = 0; i < recent_.files().size(); ++i) {
    const std::filesystem::path& file = recent_.files()[i];
    ImGui::PushID(static_cast<int>(i));
    const std::string mark = fmt::format("recent:{}", i);
    if (item(ui, mark.c_str(), fitted(foreign::shownFile(file.filename()), ui.px(260)), nullptr, !session.recording()))
      chosen = file;
    tooltip(ui, foreign::shownFile(file));
    ImGui::PopID();
  }
  if (item(ui, "menu:forget", "Clear this list")) recent_.clear();
  if (chosen) attempt(session, [&] { session.open(*chosen); });
}

void FileMenu::drawDialogs(Session& session, Ui& ui, ImVec2 top) {
  for (const std::filesystem::path& file : session.takeUsedFiles()) recent_.add(file);
  dialog_.draw(session, ui);
  if (offered_ && !last_session_.empty()) drawOffer(session, ui, top);
}

void FileMenu::drawOffer(Session& session, Ui& ui, ImVec2 top) {
  ImGui::SetNextWindowPos(top, ImGuiCond_Always, {0.5f, 0});
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(12), ui.px(10)});
  ImGui::PushStyleColor(ImGuiCol_Border, ui.colours().warning);
  if (ImGui::Begin("restore_offer", nullptr,
                   ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_AlwaysAutoResize |
                       ImGuiWindowFlags_NoSavedSettings | ImGuiWindowFlags_NoFocusOnAppearing)) {
    ui.popups.push_back("restore");
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted("simscope did not end as it should the last time.");
    ImGui::SameLine(0, ui.px(12));
    if (iconButton(ui, "restore", Icon::None, "Restore the last session", "", Emphasis::Accent)) {
      attempt(session, [&] { session.restore(last_session_); });
      offered_ = false;
    }
    ImGui::SameLine(0, ui.px(6));
    if (iconButton(ui, "restore_not", Icon::Cross, "", "Not now: it stays in the menu \"Scene\"", Emphasis::Quiet)) {
      offered_ = false;
    }
  }
  ImGui::End();
  ImGui::PopStyleColor();
  ImGui::PopStyleVar();
}

}  // namespace simscope::gui
