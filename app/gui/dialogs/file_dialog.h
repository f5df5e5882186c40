// The dialog that asks for a file: a line for its path and the list of a folder's entries. Thread: the UI's.
//
// Tab completes the path, the arrow keys choose from the list, Enter goes into a folder or takes the file, Esc closes.
// What cannot be opened or written is said in the dialog, which stays; an existing file is replaced only after a
// question.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/gui/dialogs/file_dialog_entries.h"
#include "app/gui/widgets/widgets.h"
#include "app/session/session.h"

struct ImGuiInputTextCallbackData;

namespace simscope::gui {

class FileDialog {
 public:
  enum class Purpose { Open, SaveScene, SaveSnapshot, Save };
  // What Save asks a file for. `save` writes it, and throws where it cannot: that is said in the dialog.
  struct Request {
    std::string help, ending;  // "The table (.csv)", ".csv"
    std::function<void(const std::filesystem::path&, bool overwrite)> save;
  };

  // Shows the dialog with the next draw(), in the folder of `proposal` and with its name in the line.
  void show(Purpose purpose, const std::filesystem::path& proposal);
  void ask(Request request, const std::filesystem::path& proposal);
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
  Request request_;                  // of Save
  std::string_view request_ending_;  // a span's
  bool wanted_ = false, open_ = false, done_ = false, asking_ = false;
  bool take_ = false;   // the line was entered
  bool focus_ = false;  // on the line, with the next picture
  bool scroll_ = false;
  std::filesystem::path folder_;
  std::vector<FileEntry> entries_;
  int chosen_ = -1;  // of the entries
  std::array<char, 4096> line_{};
  std::string error_;
};

}  // namespace simscope::gui
