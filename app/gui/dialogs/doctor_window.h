// Whether this computer has what simscope needs (menu Help). `simscope doctor` runs when the window opens, in its own
// process: a broken driver cannot end the window, and two threads cannot share one context of Dear ImGui.
// Owner: of that process, and of the thread that waits for it. Thread: the UI's.
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "app/doctor/doctor.h"
#include "app/export/child_process.h"
#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

class DoctorWindow {
 public:
  DoctorWindow() = default;
  ~DoctorWindow() { stop(); }
  DoctorWindow(const DoctorWindow&) = delete;
  DoctorWindow& operator=(const DoctorWindow&) = delete;

  void toggle() { shown_ ? close() : open(); }
  void close() noexcept { shown_ = false; }
  bool isOpen() const noexcept { return shown_; }
  // True if the lines have come since the last call, so that the window must be drawn.
  bool poll() noexcept { return fresh_.exchange(false) && shown_; }
  void draw(Ui& ui);

 private:
  void open();
  void stop() noexcept;

  bool shown_ = false;
  std::atomic<bool> working_ = false, fresh_ = false;
  std::mutex mutex_;
  std::vector<doctor::Line> lines_;
  std::unique_ptr<exporting::ChildProcess> child_;
  std::thread thread_;
};

}  // namespace simscope::gui
