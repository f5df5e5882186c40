// A recording under way: the run in lockstep, a figure of the file's size, and the encoders' threads.
//
// Each UI frame calls advance(), which draws as many pictures as fit its budget and never waits for an encoder; the
// window stays alive meanwhile. Between two frames lie exactly `steps_per_frame` steps, as `simscope render` makes
// them, and the files are made by the same RecordingJob. The scene of a recording from now has the step at which it
// begins; rendered from there it is the same file, as long as nothing but strokes and keyframes moved the run before
// (a slider that was dragged before it is no part of a scene).
//
// A recording from now films what the user does (live()): strokes, changes of numbers that apply live, and the view.
// What is done while a frame is shown happens with the next one, by way of the run's timeline: strokes as strokes,
// numbers as keyframes, so that window and command line make the same steps of it. The views are those of the
// window, less its size. One that ends when it is stopped makes no more frames a second than it is shown at, so that
// what takes a second to do takes a second to watch. Owner: the Session owns the Recording; destroyed before
// its end it removes the files and frees the run (paused). Thread: the UI's, with its GL context current. Errors: the
// constructor as RecordingJob's; later ones end it (error()).
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
    FromStart,    // the run is begun anew
    FromNow,      // the state that the run shows is the first frame
    UntilStopped  // likewise, and stop() ends it
  };
  std::filesystem::path file;
  Extent extent = Extent::FromStart;
  // From now: the step that was shown when the user asked for it. A run that has gone on since goes back to it, where
  // it keeps its past; else the recording begins where it stops.
  std::optional<std::int64_t> now;
  std::int64_t first_step = 0;  // FromStart: of frame 0, as Scene's
  int first_frame = 0;          // FromStart: those before it are computed and left out
  int frames = 141;             // UntilStopped: no meaning
  int steps_per_frame = 1;
  double fps = 25;
  int width = 960, height = 540;
  double scale = 1;
  int supersampling = 1;
  render::Theme theme = render::Theme::Dark;
  int loop = 0;
  std::uint64_t max_bytes = 0;  // FromStart: of a GIF
  bool scene_file = false;      // beside a video
  bool overwrite = false;
};

render::FigureOptions recordedFigure(const render::FigureOptions& figure, const RecordSettings& settings);
// What a recording of `scene` with these settings records.
Scene recordedScene(const Scene& scene, const RecordSettings& settings);

class Recording {
 public:
  Recording(Session& session, const RecordSettings& settings);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void advance(double budget_seconds);
  // No further frame: the files are finished with those that there are, one at least.
  void stop() noexcept { stopping_ = true; }
  bool active() const noexcept { return stage_ != Stage::Ended; }
  const std::string& error() const noexcept { return error_; }

  // `frames` are those recorded, once it has ended.
  const RecordSettings& settings() const noexcept { return settings_; }
  const Scene& scene() const noexcept { return job_->scene(); }  // as it is recorded
  bool live() const noexcept { return settings_.extent != RecordSettings::Extent::FromStart; }
  // Whether the mouse and the parameters act on the run: of one that is live, until it stops.
  bool takesInput() const noexcept;
  // Whether this parameter can be changed: a number that applies live, and follows no keyframes of the user's.
  bool takes(std::size_t parameter) const;
  void poke(Brush brush);
  // To these values, for those that can be changed. UsageError names the first that cannot, and nothing is changed.
  void change(const ParameterSet& wanted, const std::vector<std::size_t>& changed);
  // What the run has, with what it has been told and not made yet.
  ParameterSet parameters() const;
  bool openEnded() const noexcept { return settings_.extent == RecordSettings::Extent::UntilStopped; }
  bool finishing() const noexcept { return stage_ == Stage::Finishing; }
  int drawn() const noexcept { return recorded_; }
  Recorded recorded() const;  // once it has ended without an error
  exporting::EncodingProgress progress() const { return progress_; }
  // What was chosen to stay within the bytes; empty: what was asked for.
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
  bool drawNext();  // false where there is nothing to draw yet
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
  std::int64_t expected_steps_ = 0;  // of the frame that the run makes now
  int frame_steps_ = 0;              // that it takes
  int next_ = 0;                     // the frame to come, counted as the job does
  int recorded_ = 0;                 // frames
  // Of a live one:
  render::Theme theme_;                  // of the window when it began
  Timeline timeline_, former_timeline_;  // of the run, as it was told last, and before
  std::vector<std::string> followed_;    // parameters with keyframes of the user's
  std::vector<Brush> strokes_;           // since the last frame
  std::map<std::size_t, double> changes_;
  std::optional<std::size_t> open_stroke_;
  std::vector<ViewChange> view_changes_;
  render::FigureOptions shown_;
  std::chrono::steady_clock::time_point due_{};  // when the next frame may come: of a film at its own pace
  std::uint64_t messages_ = 0;                   // that the run had when it began
  std::deque<int> reads_;                        // frames whose pictures are being read
  std::string error_;
};

}  // namespace simscope
