// Finds the size and frame step that keep a GIF within a number of bytes: measured on sample pictures, then predicted.
//
//   GifPlanner planner(options);                 // the GIF as it was asked for, with its expected_frames
//   planner.add(consecutive pictures);           // once or more: start, middle, and end of the run, 6 to 12 pictures
//   GifPlan plan = planner.plan(max_bytes);      // then record it, with GifOptions::max_bytes as the bound
//   catch (const GifTooLarge& e): plan = planner.plan(max_bytes, e.estimatedBytes() / double(plan.estimated_bytes));
//
// Owner: the planner keeps the pictures. Thread: one at a time; plan() works on the calling thread (tenths of a
// second). Errors: UsageError as formats.h for the options, for a sample without two consecutive pictures, and if
// nothing fits (the message names the smallest possible GIF).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/export/formats.h"
#include "app/export/gif/palette.h"

namespace simscope::exporting {

struct GifPlan {
  int width = 0, height = 0;
  int frame_step = 1;  // one picture in this many is kept
  std::int64_t frames = 0;
  double fps = 0;  // of the kept pictures: the duration is unchanged
  std::uint64_t estimated_bytes = 0;
};
// "640x360 pixels, every 2nd frame (71 at 12.5 fps), about 1.8 MB"
std::string toText(const GifPlan& plan);

class GifPlanner {
 public:
  explicit GifPlanner(GifOptions wanted);

  void add(std::vector<std::vector<std::uint8_t>> consecutive);  // of the requested size, at its frame rate
  // The plan that keeps most pixels per second: the size is reduced before the frame rate, and the rate stays at 10
  // frames a second or more unless the requested one was lower. `correction`: ratio of actual to predicted size of a
  // recording.
  GifPlan plan(std::uint64_t max_bytes, double correction = 1) const;

 private:
  using Picture = std::vector<std::uint8_t>;
  GifPlan measured(int width, int frame_step) const;
  Picture sampled(const Picture& picture, int width, int height) const;

  GifOptions wanted_;
  mutable std::optional<Palette> palette_;  // of the first picture; caches colours already looked up
  int delay_;
  std::vector<std::vector<Picture>> groups_;
};

// For messages: "1.8 MB", "2nd"; a side rounded to an even number of pixels.
std::string byteText(std::uint64_t bytes);
std::string ordinal(double number);
int evenSide(double pixels);

}  // namespace simscope::exporting
