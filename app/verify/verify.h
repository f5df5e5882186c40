// Checks whether a GIF, an APNG, or a PNG shows its embedded scene: the scene is rendered again here, and compared with
// the file picture by picture.
//
// The file is untrusted. Only this file is read: a scene that names another file (a picture, a table) is refused.
// Memory is limited to a few pictures of the scene's size (at most kLargestSide) and its simulation, which must fit the
// device; no more frames are computed than the scene and the file have. `between` can end a long check.
// Thread: any, one at a time; enters the device's run() and makes its own OpenGL context. Errors: UsageError for a file
// that cannot be judged; else as the stepper and the figure.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "app/verify/comparison.h"
#include "sims/compute/device.h"

namespace simscope::verify {

enum class Verdict { Identical, Within, Different };

struct FrameDifference {
  int frame = 0;  // counted from 0, from the start of the run
  Comparison comparison;
};

struct Report {
  Verdict verdict = Verdict::Identical;
  std::string format;              // "GIF", "APNG", "PNG"
  Scene scene;                     // as embedded
  int width = 0, height = 0;       // the file's
  std::int64_t pictures = 0;       // in the file
  std::int64_t compared = 0;       // of those
  int tolerance = 0;               // levels
  std::string device;              // that rendered
  std::optional<int> of_numbered;  // for a PNG: its frame, if that is not the scene's last
  std::vector<FrameDifference> differences;
  std::vector<int> missing;          // frames of the scene missing in the file
  std::vector<std::string> others;   // sizes, counts, delays, repetitions: a clause each
  std::vector<std::string> ignored;  // unknown fields of the scene
  std::filesystem::path marked;      // the picture of the differences; empty: none was written

  std::int64_t pixels() const;  // that differ
  bool beyond() const;          // whether any of them does beyond the tolerance
};

struct Options {
  int tolerance = kUsualTolerance;
  std::filesystem::path out;  // .png or .gif: shows the differences; empty: none
  bool overwrite = false;
  std::function<void()> between;                         // called every few steps; its exceptions end the check
  std::function<void(std::int64_t, std::int64_t)> done;  // pictures compared, of how many in total
};

// The embedded scene; UsageError if it names another file.
Scene sceneIn(const std::filesystem::path& file, std::vector<std::string>* ignored);

Report verified(const std::filesystem::path& file, const compute::DevicePtr& device, const Options& options);

}  // namespace simscope::verify
