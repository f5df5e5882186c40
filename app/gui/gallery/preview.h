// A run for display: of the chosen card, and of the slide show.
//
// Owner: a Runner while there is something to show, and a figure. Thread: the one whose GL context is current; nothing
// waits for the run: what is given up ends on a thread of its own. Errors: none; failure() says why nothing moves.
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

  // Plays this from its beginning, in a loop. Nothing changes if it plays already.
  void show(const Subject& subject, const Resolved& resolved, double frames_per_second);
  // Pauses the run, or lets it go on.
  void hold(bool still);
  void close();
  bool showing(const Subject& subject) const { return runner_ && subject_ == subject; }
  bool playing() const noexcept { return runner_ && !still_ && failure_.empty(); }

  // Takes what the run has done since. True where there is a new frame, or a failure.
  bool poll();
  // Draws the newest frame, if it is new or the options are; true where the texture has changed. `options` are of the
  // size to be drawn; view, camera and so on are the subject's.
  bool draw(const render::FigureOptions& options);
  bool ready() const noexcept { return drawn_frames_ > 0; }  // the texture shows the subject
  unsigned texture() const noexcept { return figure_ ? figure_->texture() : 0; }
  std::uint64_t frames() const noexcept { return drawn_frames_; }  // drawn of this subject
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
  CommandId first_command_ = 0, command_ = 0;  // that brought the subject
  std::uint64_t former_epoch_ = 0;
  bool arrived_ = false;  // frames are the subject's
  bool still_ = false;
  const Frame* frame_ = nullptr;
  std::uint64_t drawn_sequence_ = 0, drawn_frames_ = 0;
  std::optional<render::FigureOptions> drawn_options_;
  std::vector<std::string> channels_;
  std::string failure_;
};

}  // namespace simscope::gallery
