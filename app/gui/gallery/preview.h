// A run for display: of the chosen card, or of the slide show.
//
// Owner: of a Runner while there is something to show, and of a figure. Thread: the one whose GL context is current;
// nothing waits for the run: a discarded run ends on its own thread. Errors: none; failure() has the reason why nothing
// moves.
#pragma once

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/gui/gallery/subject.h"
#include "app/render/figure/figure.h"
#include "sims/core/run/runner.h"

namespace simscope::gallery {

class Preview {
 public:
  Preview(std::string device, int threads) : device_(std::move(device)), threads_(threads) {}
  ~Preview();
  Preview(const Preview&) = delete;
  Preview& operator=(const Preview&) = delete;

  // Plays the subject from its beginning, in a loop. Nothing changes if it plays already.
  void show(const Subject& subject, const Resolved& resolved, double frames_per_second);
  // Pauses the run, or resumes it.
  void hold(bool still);
  void close();
  bool showing(const Subject& subject) const { return runner_ && subject_ == subject; }
  bool playing() const noexcept { return runner_ && !still_ && failure_.empty(); }

  // Applies what the run has done since the last call. True if there is a new frame, or a failure.
  bool poll();
  // Draws the newest frame if the frame or the options are new; true if the texture has changed. `options` have the
  // size to be drawn; view, camera and so on are the subject's.
  bool draw(const render::FigureOptions& options);
  bool ready() const noexcept { return drawn_frames_ > 0; }  // the texture shows the subject
  unsigned texture() const noexcept { return figure_ ? figure_->texture() : 0; }
  std::uint64_t frames() const noexcept { return drawn_frames_; }  // frames of this subject drawn
  const std::string& failure() const noexcept { return failure_; }
  const Scene& scene() const noexcept { return scene_; }

 private:
  std::string device_;
  int threads_;
  std::unique_ptr<Runner> runner_;
  std::unique_ptr<render::Figure> figure_;
  std::vector<std::future<void>> ending_;
  Subject subject_;
  Scene scene_;
  CommandId first_command_ = 0, command_ = 0;  // the commands that selected the subject
  std::uint64_t former_epoch_ = 0;
  bool arrived_ = false;  // the frames are of this subject
  bool still_ = false;
  const Frame* frame_ = nullptr;
  std::uint64_t drawn_sequence_ = 0, drawn_frames_ = 0;
  std::optional<render::FigureOptions> drawn_options_;
  std::vector<std::string> channels_;
  std::string failure_;
};

}  // namespace simscope::gallery
