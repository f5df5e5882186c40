// A recording under way: the run in lockstep, a figure of the file's size, and the encoders' threads.
//
// Each UI frame calls advance(), which draws as many pictures as fit its budget and never waits for an encoder; the
// window stays responsive. Between two frames lie exactly `steps_per_frame` steps, as in `simscope render`, and the
// same RecordingJob makes the files. The scene of a recording from now contains the step at which the recording begins.
// `simscope render` makes the same file from it, provided that only strokes and keyframes changed the run before (a
// slider dragged earlier is not part of a scene).
//
// A live recording (live(): from now) films what the user does: strokes, changes of numbers that apply live, and the
// view. Input during one frame takes effect with the next, through the run's timeline: strokes as strokes, numbers as
// keyframes, so that the window and the command line compute the same steps. The views are the window's, except its
// size. A recording that runs until it is stopped makes frames no faster than they are played back, so that a second
// of input takes a second of film.
//
// Owner: the Session owns the Recording; destroyed before its end, it removes the files and frees the run (paused).
// Thread: the UI's, with its GL context current. Errors: the constructor throws as RecordingJob's does; later errors
// end the recording (error()).
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/recording/recording_job.h"
#include "app/render/figure/figure.h"
#include "app/scene/scene.h"

namespace simscope {

class Session;
struct Recorded;

struct RecordSettings {
  enum class Extent {
    FromStart,    // the run restarts
    FromNow,      // the first frame is the state that the run shows
    UntilStopped  // as FromNow, until stop()
  };
  std::filesystem::path file;
  Extent extent = Extent::FromStart;
  // FromNow: the step shown when the user asked. A run that has gone on since returns to this step if it keeps its
  // past; otherwise the recording begins where the run stops.
  std::optional<std::int64_t> now;
  std::int64_t first_step = 0;  // FromStart: the step of frame 0, as in Scene
  int first_frame = 0;          // FromStart: earlier frames are computed but not recorded
  int frames = 141;             // UntilStopped: ignored
  int steps_per_frame = 1;
  double fps = 25;
  int width = 960, height = 540;
  double scale = 1;
  int supersampling = 1;
  render::Theme theme = render::Theme::Dark;
  int loop = 0;
  std::uint64_t max_bytes = 0;  // FromStart: of a GIF
  bool scene_file = false;      // also writes a scene file beside a video
  bool overwrite = false;
};

render::FigureOptions recordedFigure(const render::FigureOptions& figure, const RecordSettings& settings);
// The scene that a recording of `scene` with these settings contains.
Scene recordedScene(const Scene& scene, const RecordSettings& settings);

class Recording {
 public:
  Recording(Session& session, const RecordSettings& settings);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void advance(double budget_seconds);
  // Ends after the frames recorded so far, at least one.
  void stop() noexcept { stopping_ = true; }
  bool active() const noexcept { return stage_ != Stage::Ended; }
  const std::string& error() const noexcept { return error_; }

  // After the end, `frames` is the number recorded.
  const RecordSettings& settings() const noexcept { return settings_; }
  const Scene& scene() const noexcept { return job_->scene(); }  // as recorded
  bool live() const noexcept { return settings_.extent != RecordSettings::Extent::FromStart; }
  // Whether the mouse and the parameters act on the run: only in a live recording, until it stops.
  bool takesInput() const noexcept;
  // Whether this parameter can be changed: a number that applies live and has no keyframes of the user's.
  bool takes(std::size_t parameter) const;
  void poke(Brush brush);
  // Sets the changed parameters to these values. UsageError names the first that cannot be changed; then none is
  // changed.
  void change(const ParameterSet& wanted, const std::vector<std::size_t>& changed);
  // The run's parameters, including changes that it has not applied yet.
  ParameterSet parameters() const;
  bool openEnded() const noexcept { return settings_.extent == RecordSettings::Extent::UntilStopped; }
  bool finishing() const noexcept { return stage_ == Stage::Finishing; }
  int drawn() const noexcept { return recorded_; }
  Recorded recorded() const;  // after the end without an error
  exporting::EncodingProgress progress() const { return progress_; }
  // The choices made to stay within max_bytes; empty: none were needed.
  const std::string& fitted() const noexcept { return job_->fitted(); }

 private:
  enum class Stage { Preparing, Drawing, Finishing, Ended };

  void makeJob();
  void begin();
  bool canGoBackTo(std::int64_t step) const;
  void follow(const Frame& frame);
  void tell(const Frame& frame, std::int64_t next_step);
  void tellStrokes(std::int64_t step);
  void tellChanges(double time);
  void stopWhereRunDid();
  bool startDrawing(const Frame& frame);
  bool isDue();
  bool drawNext();  // false: nothing to draw yet
  void record(const Frame& frame);
  void takePicture();
  bool lastDrawn() const;
  void finish();
  void checkFinished();
  void endLockstep() noexcept;

  Session& session_;
  RecordSettings settings_;
  std::unique_ptr<RecordingJob> job_;
  std::unique_ptr<render::Figure> figure_;
  std::future<bool> finished_;
  exporting::EncodingProgress progress_;
  Stage stage_ = Stage::Preparing;
  bool stopping_ = false, lockstep_ = false;
  std::uint64_t start_epoch_ = 0;
  std::uint64_t last_sequence_ = 0;
  std::int64_t first_step_ = 0;      // of the first frame that is drawn
  std::int64_t expected_steps_ = 0;  // at the frame that the run computes now
  int frame_steps_ = 0;              // of that frame
  int next_ = 0;                     // the next frame, numbered as in the job
  int recorded_ = 0;                 // frames recorded
  // Of a live recording:
  render::Theme theme_;                  // of the window when it began
  Timeline timeline_, former_timeline_;  // of the run: as last sent, and before
  std::vector<std::string> followed_;    // parameters with the user's keyframes
  std::vector<Brush> strokes_;           // since the last frame
  std::map<std::size_t, double> changes_;
  std::optional<std::size_t> open_stroke_;
  std::vector<ViewChange> view_changes_;
  render::FigureOptions shown_;
  std::chrono::steady_clock::time_point due_{};  // the earliest time of the next frame of a film at its own pace
  std::uint64_t messages_ = 0;                   // the run's message count at the start
  std::deque<int> reads_;                        // frames whose pictures are being read back
  std::string error_;
};

}  // namespace simscope
