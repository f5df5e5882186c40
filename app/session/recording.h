// A recording under way: the run in lockstep, a figure of the file's size, and the encoders' threads.
//
// Each UI frame calls advance(), which draws as many pictures as fit its budget and never waits for an encoder; the
// window stays alive meanwhile. Between two frames lie exactly `steps_per_frame` steps, as `simscope render` makes
// them, and the files are made by the same RecordingJob. The scene of a recording from now has the step at which it
// begins; rendered from there it is the same file, as long as nothing but strokes and keyframes moved the run before
// (a slider that was dragged on the way is no part of a scene). Owner: the Session owns the Recording; destroyed before
// its end it removes the files and frees the run (paused). Thread: the UI's, with its GL context current. Errors: the
// constructor as RecordingJob's; later ones end it (error()).
#pragma once

#include <cstdint>
#include <deque>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <string>

#include "app/recording/recording_job.h"
#include "app/render/figure/figure.h"
#include "app/scene/scene.h"

namespace simscope {

class Session;

struct RecordSettings {
  enum class Extent {
    FromStart,    // the run is begun anew
    FromNow,      // the state that the run shows is the first frame
    UntilStopped  // likewise, and stop() ends it
  };
  std::filesystem::path file;
  Extent extent = Extent::FromStart;
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
  bool openEnded() const noexcept { return settings_.extent == RecordSettings::Extent::UntilStopped; }
  bool finishing() const noexcept { return stage_ == Stage::Finishing; }
  int drawn() const noexcept { return recorded_; }
  exporting::EncodingProgress progress() const { return progress_; }
  // What was chosen to stay within the bytes; empty: what was asked for.
  const std::string& fitted() const noexcept { return job_->fitted(); }

 private:
  enum class Stage { Preparing, Drawing, Finishing, Ended };

  void makeJob();
  void begin();
  bool startDrawing(const Frame& frame);
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
  std::deque<int> reads_;            // frames whose pictures are being read
  std::string error_;
};

}  // namespace simscope
