// A recording of a scene from its first frame to its finished files, with frames from the window's runner or from
// `simscope render`. If a GIF exceeds Scene::max_bytes, the run is repeated with a smaller picture, or fewer frames, as
// exporting::GifPlanner decides.
//
//   RecordingJob job(scene, request);
//   for (bool complete = false; !complete;) {
//     the run from its start, as job.scene() says; for each frame from its first step up to job.lastFrame():
//       pictures, arrays, rows where they are wanted
//     complete = job.finish(frames);
//     if (!complete) job.startNextPass();
//   }
//
// Frames are counted from the start of the run; a scene records [first_frame, first_frame + frames). Every file is
// either complete or absent, and they appear together, when finish() returns true; none remains if the job is destroyed
// or cancelled before that, or if one of them fails. Data already written directly to a device or a pipe cannot be
// withdrawn. The passes depend only on the scene and its pictures, so that equal scenes give equal files.
// Owner: the job owns the files and the threads that encode them. Thread: one at a time. finish() may run beside
// progress(), cancel(), scene(), and fitted(): it only reads what they read, and plans the next pass separately;
// startNextPass() makes that the present one. Errors: the constructor as the formats' (UsageError: nothing was made),
// later as exporting::Encoder; UsageError from finish() if no GIF fits.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/export/encoder.h"
#include "app/recording/output_kinds.h"
#include "app/scene/scene.h"
#include "sims/core/frame.h"

namespace simscope {

struct OutputRequest {
  std::vector<std::filesystem::path> files;
  bool numbered = false;     // .png: every frame, as NAME0001.png, NAME0002.png, ...; otherwise one picture
  std::optional<int> frame;  // for single pictures and arrays: only this frame; otherwise the last one, and all
  std::string channel;       // for arrays: a channel of the frame; empty: the view's
  bool scene_file = false;   // NAME.simscope.json beside each video
  bool overwrite = false;
  bool open_ended = false;  // the scene's number of frames is an estimate; finish() gets the actual one
};

class OutputFiles;

class RecordingJob {
 public:
  RecordingJob(Scene scene, OutputRequest request);

  const Scene& scene() const noexcept { return scene_; }  // of this pass
  int lastFrame() const;                                  // the last one needed
  bool hasPictures() const;
  // The channels that the frame at this step must hold for the pictures and arrays of this pass.
  std::vector<std::string> neededChannels(std::int64_t step) const;
  bool wantsPicture(int frame) const;
  bool wantsArray(int frame) const;
  bool wantsRow(int frame) const;

  bool hasRoom() const;  // as exporting::Encoder's, for all
  // For wanted frames, in order. RGB, top row first. A picture that was wanted when it was drawn may still be passed
  // after that has changed.
  void picture(int frame, std::vector<std::uint8_t> rgb);
  void array(int frame, const Frame& data);
  void row(std::int64_t steps, double time, std::span<const double> diagnostics);

  // The changes made to the run while it was recorded, and to the view: the embedded scene contains them. Call before
  // finish(), and not if files are bounded by Scene::max_bytes.
  void amend(Timeline timeline, std::vector<ViewChange> view_changes);
  // Waits for the encoders. True: the files are complete. False: they would be too large, and the run must be repeated
  // after startNextPass().
  bool finish(int frames);
  void startNextPass();
  void cancel() noexcept;
  exporting::EncodingProgress progress() const;
  // After finish(), a line for each file: "film.gif: 141 frames at 25 fps, 960x540, 1.2 MB".
  std::vector<std::string> summary() const;
  // The choices made to stay within the bytes, in words; empty: none were needed.
  const std::string& fitted() const noexcept { return fitted_; }

 private:
  // Consecutive pictures from which a plan is made.
  struct Probe {
    int first = 0, count = 0;
    std::vector<std::vector<std::uint8_t>> pictures;

    bool contains(int frame) const { return frame >= first && frame < first + count; }
  };
  struct Pass {
    Scene scene;
    std::string fitted;
    std::shared_ptr<OutputFiles> files;
  };

  bool bounded() const;
  void chooseProbes();
  void dropFiles();
  void planNextPass();

  const Scene wanted_;
  const OutputRequest request_;
  Scene scene_;
  std::string fitted_;
  mutable std::mutex mutex_;            // between finish() and the others: files_, next_, cancelled_
  std::shared_ptr<OutputFiles> files_;  // null while pictures are drawn only for the plan
  std::optional<Pass> next_;
  bool cancelled_ = false;
  std::vector<Probe> probes_;
  int plans_ = 0;
};

}  // namespace simscope
