// The dialog that asks for a file: a line for its path and the list of a folder's entries. Thread: the UI's.
//
// Tab completes the path, the arrow keys choose from the list, Enter goes into a folder or takes the file, Esc closes.
// What cannot be opened or written is said in the dialog, which stays; an existing file is replaced only after a
// question.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/gui/dialogs/file_dialog_entries.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

struct ImGuiInputTextCallbackData;

namespace simscope::gui {

class FileDialog {
 public:
  enum class Purpose { Open, SaveScene, SaveSnapshot, Place };

  // Shows the dialog with the next draw(), in the folder of `proposal` and with its name in the line.
  void show(Purpose purpose, const std::filesystem::path& proposal);
  // Of Purpose::Place: the file that was named, once; nothing is done with it, and it may be there already.
  std::optional<std::filesystem::path> takePlace() { return std::exchange(place_, std::nullopt); }
  bool isOpen() const noexcept { return open_ || wanted_; }
  // Whether an existing file is to be replaced.
  bool asking() const noexcept { return open_ && asking_; }
  void draw(Session& session, Ui& ui);

 private:
  void goTo(const std::filesystem::path& folder);
  void write(const std::string& line);
  void move(int by);
  void drawList(Ui& ui, float height);
  void drawLine(Ui& ui);
  void accept(Session& session);
  bool carryOut(Session& session, const std::filesystem::path& file);
  std::span<const std::string_view> endings() const;
  static int onLineEvent(ImGuiInputTextCallbackData* data);

  Purpose purpose_ = Purpose::Open;
  bool wanted_ = false, open_ = false, done_ = false, asking_ = false;
  bool take_ = false;   // the line was entered
  bool focus_ = false;  // on the line, with the next picture
  bool scroll_ = false;
  std::filesystem::path folder_;
  std::vector<FileEntry> entries_;
  int chosen_ = -1;  // of the entries
  std::array<char, 4096> line_{};
  std::string error_;
  std::optional<std::filesystem::path> place_;
};

}  // namespace simscope::gui
