// A recording under way: the run in lockstep, a figure of the file's size, and the recorder's encoder threads.
//
// Each UI frame calls advance(), which draws as many pictures as fit its budget and never waits for the encoder; the
// window stays alive meanwhile. Frame 0 is the state that the run shows (or the start, after a reset); between two
// frames lie exactly `steps_per_frame` steps, as `simscope render` makes them.
// Owner: the Session owns the Recording; destroyed before its end it removes the file and frees the run (paused).
// Thread: the UI's, with its GL context current. Errors: the constructor as Recorder's; later ones end it (error()).
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "app/export/recorder.h"
#include "app/render/figure.h"
#include "app/scene.h"

namespace simscope::gui {

class Session;

struct RecordSettings {
  std::filesystem::path file;
  int frames = 141;
  int steps_per_frame = 1;
  double fps = 25;
  int width = 960, height = 540;
  bool from_start = true;
  bool overwrite = false;
};

class Recording {
 public:
  Recording(Session& session, const RecordSettings& settings);
  ~Recording();
  Recording(const Recording&) = delete;
  Recording& operator=(const Recording&) = delete;

  void advance(double budget_seconds);
  bool active() const noexcept { return stage_ != Stage::Ended; }
  const std::string& error() const noexcept { return error_; }

  const RecordSettings& settings() const noexcept { return settings_; }
  int drawn() const noexcept { return drawn_; }
  exporting::RecorderProgress progress() const { return progress_; }

 private:
  enum class Stage { Preparing, Drawing, Encoding, Ended };

  bool drawNext();  // false where there is nothing to draw yet
  void drawFrame();
  void takeRead();
  void release() noexcept;

  Session& session_;
  RecordSettings settings_;
  Scene scene_;
  Stage stage_ = Stage::Preparing;
  std::unique_ptr<render::Figure> figure_;
  std::unique_ptr<exporting::Recorder> recorder_;
  exporting::RecorderProgress progress_;
  bool lockstep_ = false;
  std::uint64_t start_epoch_ = 0;
  std::uint64_t last_sequence_ = 0;
  std::int64_t expected_steps_ = 0;
  int drawn_ = 0;
  int handed_over_ = 0;  // pictures given to the recorder
  std::string error_;
};

}  // namespace simscope::gui
