#include "app/gui/dialogs/file_dialog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace simscope::gui {

namespace {

constexpr std::array<std::string_view, 5> kOpened = {".json", ".gif", ".png", ".apng", ".npz"};
constexpr std::array<std::string_view, 1> kScenes = {".json"}, kSnapshots = {".npz"};
constexpr std::array<std::string_view, 9> kRecorded = {".gif",  ".apng", ".png", ".mp4", ".webm",
                                                       ".webp", ".mkv",  ".csv", ".npy"};

constexpr float kLeastList = 40;

struct Words {
  const char *title, *action, *help;
};
Words wordsOf(FileDialog::Purpose purpose) {
  switch (purpose) {
    case FileDialog::Purpose::SaveScene:
      return {"Save the scene", "Save",
              "A scene (.json): the simulation, its parameters, strokes, and keyframes, and the view"};
    case FileDialog::Purpose::SaveSnapshot:
      return {"Save a snapshot", "Save",
              "A snapshot (.npz): the scene with the run's state, to continue from here later"};
    case FileDialog::Purpose::Place:
      return {"Save the recording as", "Choose", "The folder and the file's name; its ending sets the format"};
    case FileDialog::Purpose::Open:
    case FileDialog::Purpose::Other:
      break;
  }
  return {"Open a scene", "Open", "A scene (.json), a GIF or PNG made by simscope, or a snapshot (.npz)"};
}

}  // namespace

std::span<const std::string_view> FileDialog::endings() const {
  if (purpose_ == Purpose::Other) return request_.endings;
  if (purpose_ == Purpose::Open) return kOpened;
  if (purpose_ == Purpose::Place) return kRecorded;
  return purpose_ == Purpose::SaveScene ? std::span<const std::string_view>(kScenes) : kSnapshots;
}

void FileDialog::show(Purpose purpose, const std::filesystem::path& proposal) {
  purpose_ = purpose;
  std::error_code gone;
  const std::filesystem::path whole = std::filesystem::absolute(proposal, gone);
  goTo(gone ? "/" : whole.parent_path());
  write(opens() ? std::string() : whole.filename().string());
  wanted_ = true;
}

void FileDialog::ask(Request request, const std::filesystem::path& proposal) {
  request_ = std::move(request);
  show(Purpose::Other, proposal);
}

void FileDialog::goTo(const std::filesystem::path& folder) {
  folder_ = folder;
  asking_ = false;
  chosen_ = -1;
  entries_ = listFolder(folder_, endings(), error_);
  write("");
}

// While the user types, the field owns the text; changes made here show after it gets the focus again.
void FileDialog::write(const std::string& line) {
  std::snprintf(line_.data(), line_.size(), "%s", line.c_str());
  focus_ = true;
}

void FileDialog::move(int by) {
  if (entries_.empty()) return;
  chosen_ = std::clamp(chosen_ < 0 && by < 0 ? 0 : chosen_ + by, 0, static_cast<int>(entries_.size()) - 1);
  scroll_ = true;
}

int FileDialog::onLineEvent(ImGuiInputTextCallbackData* data) {
  auto& dialog = *static_cast<FileDialog*>(data->UserData);
  std::string text;
  if (data->EventFlag == ImGuiInputTextFlags_CallbackCompletion) {
    text =
        completed(std::string(data->Buf, static_cast<std::size_t>(data->BufTextLen)), dialog.folder_, dialog.endings());
  } else if (data->EventFlag == ImGuiInputTextFlags_CallbackHistory) {
    dialog.move(data->EventKey == ImGuiKey_UpArrow ? -1 : 1);
    if (dialog.chosen_ < 0) return 0;
    text = dialog.entries_[static_cast<std::size_t>(dialog.chosen_)].name;
  }
  data->DeleteChars(0, data->BufTextLen);
  data->InsertChars(0, text.c_str());
  dialog.asking_ = false;
  return 0;
}

void FileDialog::draw(Session& session, Ui& ui) {
  const Words words =
      purpose_ == Purpose::Other ? Words{request_.title, request_.action, request_.help} : wordsOf(purpose_);
  if (wanted_) {
    ImGui::OpenPopup(words.title);
    wanted_ = done_ = false;
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5f, 0.5f});
  ImGui::SetNextWindowSize({std::min(ui.px(600), screen.x * 0.94f), 0});
  open_ = ImGui::BeginPopupModal(
      words.title, nullptr,
      ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings);
  if (!open_) return;
  ui.popups.push_back("files");
  take_ = false;
  const std::string question = asking_ ? fmt::format("{} exists. Replace it?", line_.data()) : error_;
  const float width = ImGui::GetContentRegionAvail().x;
  // Everything but the list keeps its height; a question comes before the help.
  const ImGuiStyle& style = ImGui::GetStyle();
  const auto heightOf = [](const char* text, float room) { return ImGui::CalcTextSize(text, nullptr, false, room).y; };
  float others = 4 * ImGui::GetFrameHeight() + 7 * style.ItemSpacing.y + 2 * style.WindowPadding.y + ui.px(8);
  if (!question.empty()) others += heightOf(question.c_str(), width - ui.px(20)) + 4 * style.ItemSpacing.y + ui.px(6);
  const float help = heightOf(words.help, width) + 2 * style.ItemSpacing.y + ui.px(2);
  if (question.empty() || others + help + ui.px(kLeastList) <= screen.y * 0.98f) {
    const ScopedWrap wrap;
    ImGui::TextColored(ui.colours().dim, "%s", words.help);
    ImGui::Dummy({0, ui.px(2)});
    others += help;
  }
  drawList(ui, std::clamp(std::min(screen.y * 0.45f, screen.y * 0.98f - others), ui.px(kLeastList), ui.px(320)));
  drawLine(ui);
  if (!question.empty()) {
    messageCard(ui, question, asking_ ? ui.colours().warning : ui.colours().error);
    ImGui::Dummy({0, ui.px(2)});
  }
  const char* const action = asking_ ? "Replace" : words.action;
  const float buttons = iconButtonWidth(ui, Icon::None, action) + ui.px(8) + iconButtonWidth(ui, Icon::None, "Cancel");
  const float left = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - buttons;
  ImGui::AlignTextToFramePadding();
  const std::string keys = "Tab completes, arrow keys choose";
  const bool told = ImGui::CalcTextSize(keys.c_str()).x < left - ui.px(24);
  clippedText(told ? keys : "", left, ui.colours().dim);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(left);
  const bool cancelled = iconButton(ui, "file_cancel", Icon::None, "Cancel", "Esc");
  ImGui::SameLine(0, ui.px(8));
  take_ = iconButton(ui, "file_accept", Icon::None, action, "Enter", Emphasis::Accent) || take_;
  if (take_) accept(session);
  if (done_ || cancelled || ui.escape || ui.escape_typing) ImGui::CloseCurrentPopup();
  ImGui::EndPopup();
}

void FileDialog::drawList(Ui& ui, float height) {
  if (iconButton(ui, "file_up", Icon::None, "Up", "The folder above")) goTo(folder_.parent_path());
  ImGui::SameLine(0, ui.px(8));
  ImGui::AlignTextToFramePadding();
  clippedText(folder_.string(), ImGui::GetContentRegionAvail().x, ui.colours().text);
  ImGui::BeginChild("entries", {0, height}, true);
  if (entries_.empty()) ImGui::TextDisabled("No files of this kind in this folder.");
  int clicked = -1;
  for (int i = 0; i < static_cast<int>(entries_.size()); ++i) {
    const FileEntry& entry = entries_[static_cast<std::size_t>(i)];
    const ScopedId id(i);
    if (ImGui::Selectable("##entry", i == chosen_)) clicked = i;
    if (i == chosen_ && scroll_) ImGui::SetScrollHereY();
    if (ImGui::IsItemVisible()) ui.mark("file:" + entry.name);
    ImGui::SameLine(0, 0);
    clippedText(entry.folder ? entry.name + "/" : entry.name, ImGui::GetContentRegionAvail().x,
                entry.folder ? ui.colours().accent : ui.colours().text);
  }
  scroll_ = false;
  ImGui::EndChild();
  if (clicked < 0) return;
  const FileEntry entry = entries_[static_cast<std::size_t>(clicked)];
  if (entry.folder) {
    goTo(folder_ / entry.name);
  } else {
    chosen_ = clicked;
    asking_ = false;
    error_.clear();
    write(entry.name);
    take_ = ui.double_click;
  }
}

void FileDialog::drawLine(Ui& ui) {
  if (focus_) ImGui::SetKeyboardFocusHere();
  focus_ = false;
  ImGui::SetNextItemWidth(-1);
  const std::string before = line_.data();
  const bool entered = ImGui::InputTextWithHint(
      "##path", opens() ? "a file's name or path" : "the file's name", line_.data(), line_.size(),
      ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll |
          ImGuiInputTextFlags_CallbackCompletion | ImGuiInputTextFlags_CallbackHistory,
      onLineEvent, this);
  ui.mark("file_path");
  if (before != line_.data()) {
    asking_ = false;
    error_.clear();
  }
  take_ = take_ || entered;
}

void FileDialog::accept(Session& session) {
  const std::string typed = line_.data();
  error_.clear();
  if (typed.empty()) {
    error_ = "Enter a file name.";
    focus_ = true;
    return;
  }
  std::filesystem::path file = pathMeant(typed, folder_);
  std::error_code unknown;
  if (std::filesystem::is_directory(file, unknown)) {
    goTo(file);
    return;
  }
  if (!opens() && purpose_ != Purpose::Place) {
    if (file.extension().empty()) file += endings().front();
    if (!asking_ && std::filesystem::exists(file, unknown)) {
      asking_ = true;
      return;
    }
  }
  done_ = carryOut(session, file);
  asking_ = false;
  focus_ = !done_;
}

bool FileDialog::carryOut(Session& session, const std::filesystem::path& file) {
  try {
    if (purpose_ == Purpose::Other) request_.carry_out(file, asking_);
    if (purpose_ == Purpose::Place) place_ = file;
    if (purpose_ == Purpose::Open) session.open(file);
    if (purpose_ == Purpose::SaveScene) session.save(file, asking_);
    if (purpose_ == Purpose::SaveSnapshot) session.saveSnapshot(file, asking_);
    return true;
  } catch (const std::exception& error) {
    error_ = error.what();
    return false;
  }
}

}  // namespace simscope::gui
