// Pictures and files on the clipboard, which GLFW does not take: on X11 served by ourselves (SelectionOwner), on
// Wayland by wl-copy, else by xclip. Where there is none of these, the file is written and its path copied as text.
//
// Owner: a thread, from the first copy on, which encodes, writes, and serves; what was copied is gone with the window,
// unless another program keeps it. Thread: the UI's, which never waits but for the destructor.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/gui/window/selection_owner.h"

namespace simscope::gui {

class Clipboard {
 public:
  struct Answer {
    bool copied = false;
    std::string text;  // for the user
    std::string file;  // that was written instead, absolute; empty: none
  };

  Clipboard() = default;
  ~Clipboard();
  Clipboard(const Clipboard&) = delete;
  Clipboard& operator=(const Clipboard&) = delete;

  // `what` names it ("the figure"); `make` encodes it, on the thread; `instead`: the file that is written where no
  // clipboard takes it.
  void copyPicture(std::string what, std::filesystem::path instead, std::function<std::vector<std::uint8_t>()> make);
  // A file that is there: as a file, for a folder's window, as the bytes of its type ("image/gif"; empty: not so), and
  // as the text of its path.
  void copyFile(std::filesystem::path file, std::string type);

  bool answered() const;
  // What has become of a copy. Between NewFrame and Render: the text of a path may have to be copied.
  std::optional<Answer> poll();

 private:
  struct Job {
    std::string what;
    std::filesystem::path file;  // of a picture: what is written instead
    std::string type;
    std::function<std::vector<std::uint8_t>()> make;  // of a picture
  };
  struct Outcome {
    Answer answer;
    std::string as_text;  // to be copied so
  };

  void give(Job job);
  void serve();
  Outcome carryOut(const Job& job, std::optional<SelectionOwner>& owner) const;

  mutable std::mutex mutex_;
  std::optional<Job> job_;  // the newest
  std::optional<Outcome> outcome_;
  bool quit_ = false;
  int wake_ = -1;
  std::thread thread_;
};

}  // namespace simscope::gui
