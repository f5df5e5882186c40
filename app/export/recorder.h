// Turns pictures into an animated file on threads of its own, behind a bounded queue.
//
// Owner: the Recorder owns the file until finish(); cancel() or destruction before that leaves nothing behind.
// Thread: one producer calls add(), which waits only while the queue is full (kQueueBytes); progress() from any thread.
// cancel() may come from any thread; an add() or finish() that waits then ends with an Error.
// Pictures: RGB, top row first, width·height·3 bytes, all of one size. The file has as many frames as pictures were
// added, equal ones included.
// Errors: constructor as PendingFile, UsageError for an fps that the format cannot express (the message names the
// nearest) and for sizes, loops, or numbers of exact colours beyond it. A failure of the encoder or the disk surfaces
// as Error in the next add() or in finish(), and the file is gone by then; so does finish() without a picture.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace simscope::exporting {

struct GifOptions {
  int width = 0, height = 0;
  double fps = 25;    // 50, 33⅓, 25, 20, ... : whole hundredths of a second a frame, never under 2
  int loop = 0;       // repetitions; 0: for ever
  std::string scene;  // JSON for the comment extension; empty: none
  bool overwrite = false;
  // Colours that must come out exact (0xRRGGBB): those of the theme and the colour table, at most 255 different ones.
  // The rest of the 255 are spread over the colour cube; other colours take the nearest, the same in every frame.
  std::vector<std::uint32_t> exact_colours;
  std::int64_t expected_frames = 0;  // for progress; 0: unknown
};

// Hundredths of a second per frame for `fps` (within 1 %: 33.3 is 33⅓); UsageError with the nearest that a GIF can
// express.
int gifDelay(double fps);

struct RecorderProgress {
  std::int64_t frames = 0;  // encoded
  std::int64_t expected = 0;
  std::uint64_t bytes = 0;
  double frames_per_second = 0;
  std::uint64_t estimated_bytes = 0;
  double seconds_left = 0;
};

class Recorder {
 public:
  static constexpr std::size_t kQueueBytes = 256u << 20;

  Recorder(const std::filesystem::path& target, GifOptions options);
  ~Recorder();
  Recorder(const Recorder&) = delete;
  Recorder& operator=(const Recorder&) = delete;

  void add(std::vector<std::uint8_t> rgb);
  void finish();  // waits for the encoder; the file is then in place
  void cancel();  // stops; the file is gone
  RecorderProgress progress() const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::exporting
