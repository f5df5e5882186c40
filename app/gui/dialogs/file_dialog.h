// The dialog that asks for a file: a line for its path and the list of a folder's entries. Thread: the UI's.
//
// Tab completes the path, the arrow keys choose from the list, Enter goes into a folder or takes the file, Esc closes.
// What cannot be opened or written is said in the dialog, which stays; an existing file is replaced only after a
// question.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
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
  enum class Purpose { Open, SaveScene, SaveSnapshot, Place, Other };
  // What a page asks for: its words, the endings of the files, and what is done with the one that is chosen. What that
  // throws is said in the dialog.
  struct Request {
    const char *title, *action, *help;
    std::vector<std::string_view> endings;
    bool opens = false;  // a file that is there; else one to be written
    std::function<void(const std::filesystem::path& file, bool overwrite)> carry_out;
  };

  // Shows the dialog with the next draw(), in the folder of `proposal` and with its name in the line.
  void show(Purpose purpose, const std::filesystem::path& proposal);
  void ask(Request request, const std::filesystem::path& proposal);
  // Of Purpose::Place: the file that was named, once; nothing is done with it, and it may be there already.
  std::optional<std::filesystem::path> takePlace() { return std::exchange(place_, std::nullopt); }
  bool isOpen() const noexcept { return open_ || wanted_; }
  // Whether an existing file is to be replaced.
  bool asking() const noexcept { return open_ && asking_; }
  // Why it does not do what was asked for; empty: it has said nothing.
  std::string refusal() const { return open_ ? error_ : ""; }
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
  bool opens() const { return purpose_ == Purpose::Other ? request_.opens : purpose_ == Purpose::Open; }
  static int onLineEvent(ImGuiInputTextCallbackData* data);

  Purpose purpose_ = Purpose::Open;
  Request request_;  // of Purpose::Other
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
