// Copies pictures and files to the clipboard, which GLFW does not support: on X11 with SelectionOwner, on Wayland with
// wl-copy, else with xclip. If none of these is available, the file is written and its path copied as text.
//
// Owner: of a thread, started by the first copy, which encodes, writes, and serves. The copied data is lost when the
// window closes, unless another program keeps it. Thread: the UI's; only the destructor waits.
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
    std::string file;  // the file written instead, absolute; empty: none
  };

  Clipboard() = default;
  ~Clipboard();
  Clipboard(const Clipboard&) = delete;
  Clipboard& operator=(const Clipboard&) = delete;

  // `what` names it ("the figure"); `make` encodes it, on the thread; `instead`: the file written if no clipboard is
  // available.
  void copyPicture(std::string what, std::filesystem::path instead, std::function<std::vector<std::uint8_t>()> make);
  // Copies an existing file: as a file, for file managers, as the bytes of its type ("image/gif"; empty: not offered),
  // and as the text of its path.
  void copyFile(std::filesystem::path file, std::string type);

  bool answered() const;
  // The result of a copy. Call between NewFrame and Render: the text of a path may have to be copied.
  std::optional<Answer> poll();

 private:
  struct Job {
    std::string what;
    std::filesystem::path file;  // of a picture: the file written instead
    std::string type;
    std::function<std::vector<std::uint8_t>()> make;  // of a picture
  };
  struct Outcome {
    Answer answer;
    std::string as_text;  // to be copied as text
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
