// The files of a sweep, by their endings: .csv and .npy (the table), .png (the curve or phase diagram, or the runs'
// figures side by side), .gif (these over time). They are opened before anything is computed, and appear together or
// not at all.
//
// Owner: the object owns the files until finish(); destroyed before, it leaves no files. Thread: one at a time. Errors:
// UsageError for an ending, a name given twice, or something that cannot be drawn; otherwise as exporting.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/export/encoder.h"
#include "app/export/files.h"
#include "app/recording/output_kinds.h"
#include "app/sweep/picture.h"
#include "app/sweep/table.h"

namespace simscope::sweep {

struct OutputOptions {
  std::vector<std::filesystem::path> files;
  bool figures = false;  // a .png has the runs' figures, too
  bool overwrite = false;
};

class Outputs {
 public:
  Outputs(const Plan& plan, OutputOptions options);
  ~Outputs();
  Outputs(const Outputs&) = delete;
  Outputs& operator=(const Outputs&) = delete;

  bool wantsAnimation() const noexcept { return !animations_.empty(); }
  bool wantsFigures() const noexcept;  // the runs' own, at least at the end
  bool wantsPicture() const noexcept;  // the curve or phase diagram
  // RGB, top row first, of the size of the scene's figure: the runs' figures, in order of time; and a picture's
  // content.
  void addFrame(const std::vector<std::uint8_t>& rgb);
  void setPicture(const std::vector<std::uint8_t>& rgb);
  void finish(const Result& result);
  // A line for each file.
  std::vector<std::string> summary() const;

 private:
  struct File;

  void placeTogether();

  const Plan& plan_;
  std::vector<std::unique_ptr<File>> files_, animations_;
  bool figures_;
  std::int64_t frames_ = 0;
  std::vector<std::uint8_t> picture_, last_frame_;
};

// Frames of the film of a sweep: the state at the start, then every steps_per_frame steps, and the end.
std::int64_t filmFrames(const Plan& plan);

}  // namespace simscope::sweep
