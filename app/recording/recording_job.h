// A recording of a scene from its first frame to its finished files, whoever makes the frames: the window's runner, or
// `simscope render`. Where a GIF must not pass Scene::max_bytes and does, the run is made again: a smaller picture,
// or fewer frames, as exporting::GifPlanner says.
//
//   RecordingJob job(scene, request);
//   do {
//     the run from its start, as job.scene() says; for each frame from its first step up to job.lastFrame():
//       pictures, arrays, rows where they are wanted
//   } while (!job.finish(frames) && job.again());
//
// Which passes there are depends on the scene and its pictures alone, so that equal scenes give equal files.
// Owner and errors: as OutputFiles; UsageError from finish() where no GIF fits. Thread: one at a time. finish() may run
// beside progress(), cancel(), scene(), and fitted(): it only reads what they read, and plans the next pass on the
// side; again() makes that the present one.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "app/export/gif_plan.h"
#include "app/recording/outputs.h"

namespace simscope {

class RecordingJob {
 public:
  RecordingJob(Scene scene, OutputRequest request);

  const Scene& scene() const noexcept { return scene_; }  // of this pass
  int lastFrame() const;
  bool hasPictures() const;
  bool wantsPicture(int frame) const;
  bool wantsArray(int frame) const { return files_ && files_->wantsArray(frame); }
  bool wantsRow(int frame) const { return files_ && files_->wantsRow(frame); }

  bool hasRoom() const { return !files_ || files_->hasRoom(); }
  // See OutputFiles. A picture that was wanted when it was drawn may come after that has changed.
  void picture(int frame, std::vector<std::uint8_t> rgb);
  void array(int frame, const Frame& data) { files_->array(frame, data); }
  void row(std::int64_t steps, double time, std::span<const double> diagnostics) {
    files_->row(steps, time, diagnostics);
  }

  // True: the files are complete. False: they would be too large, and the run is to be made again, after again().
  bool finish(int frames);
  bool again();  // begins the pass that finish() has planned: true
  void cancel() noexcept;
  exporting::EncodingProgress progress() const;
  std::vector<std::string> summary() const;  // after finish()
  // What was chosen to stay within the bytes, in words; empty: what was asked for.
  const std::string& fitted() const noexcept { return fitted_; }

 private:
  // Pictures in a row, from which a plan is made.
  struct Probe {
    int first = 0, count = 0;
    std::vector<std::vector<std::uint8_t>> pictures;
  };
  Probe* probeOf(int frame);
  bool bounded() const;
  void chooseProbes();
  void tooLarge();
  void plan();

  struct Pass {
    Scene scene;
    std::string fitted;
    std::shared_ptr<OutputFiles> files;
  };
  const Scene wanted_;
  Scene scene_;
  OutputRequest request_;
  mutable std::mutex mutex_;            // between finish() and the others: files_, next_, cancelled_
  std::shared_ptr<OutputFiles> files_;  // null while pictures are drawn for the plan alone
  std::optional<Pass> next_;
  bool cancelled_ = false;
  std::vector<Probe> probes_;
  int attempts_ = 0;
  std::string fitted_;
};

}  // namespace simscope
