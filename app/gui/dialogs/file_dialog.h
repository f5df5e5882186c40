// The dialog that asks for a file: an input line for its path and the list of a folder's entries. Thread: the UI's.
//
// Tab completes the path, the arrow keys select in the list, Enter opens a folder or takes the file, Esc closes. If a
// file cannot be opened or written, the dialog shows the reason and stays open; an existing file is replaced only after
// the user has confirmed it.
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
  // A page's request: its words, the file endings, and the action on the chosen file. The dialog shows the message of
  // an exception that the action throws.
  struct Request {
    const char *title, *action, *help;
    std::vector<std::string_view> endings;
    bool opens = false;  // an existing file; else one to be written
    std::function<void(const std::filesystem::path& file, bool overwrite)> carry_out;
  };

  // Shows the dialog at the next draw(), in the folder of `proposal` and with its name in the input line.
  void show(Purpose purpose, const std::filesystem::path& proposal);
  void ask(Request request, const std::filesystem::path& proposal);
  // Of Purpose::Place: the file named, once; the dialog does nothing with it, and it may already exist.
  std::optional<std::filesystem::path> takePlace() { return std::exchange(place_, std::nullopt); }
  bool isOpen() const noexcept { return open_ || wanted_; }
  // Whether it asks to replace an existing file.
  bool asking() const noexcept { return open_ && asking_; }
  // Why it refused the request; empty: it did not.
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
  bool focus_ = false;  // moves to the input line in the next picture
  bool scroll_ = false;
  std::filesystem::path folder_;
  std::vector<FileEntry> entries_;
  int chosen_ = -1;  // index of the entry
  std::array<char, 4096> line_{};
  std::string error_;
  std::optional<std::filesystem::path> place_;
};

}  // namespace simscope::gui
