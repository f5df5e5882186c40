// The part of a recording that depends on the format; the Encoder has the queue and the threads.
//
// Owner: a PictureWriter owns its files until placed(); destroyed before that, it removes them. Thread: see each
// member. Errors: the factories throw as formats.h and PendingFile; an exception in a stage ends the recording.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "app/export/formats.h"
#include "app/export/placing.h"

namespace simscope::exporting {

class PendingFile;
struct OwnTable;

class PictureWriter {
 public:
  struct Picture {
    std::int64_t number = 0;        // from 1
    std::vector<std::uint8_t> rgb;  // top row first
    // Results of one stage for the next ones:
    std::unique_ptr<std::uint8_t[]> indices;  // into a palette
    std::shared_ptr<const OwnTable> table;    // instead, in a GIF; null: it has none
    std::vector<std::uint8_t> encoded;
    std::uint64_t file_bytes = 0;
  };

  PictureWriter() = default;
  virtual ~PictureWriter() = default;
  PictureWriter(const PictureWriter&) = delete;
  PictureWriter& operator=(const PictureWriter&) = delete;

  virtual int mostThreads() const { return 16; }           // more threads give no speed-up
  virtual std::size_t bytesPerPixel() const { return 3; }  // memory of a picture in the queue

  // The first picture, before any stage; called by the producer.
  virtual void begin(const Picture& first);
  // The stages of a picture. The first two run on any thread, for several pictures at once, in any order: prepare(),
  // possibly with a former picture that is prepared (`known`; null: none); encode() after the picture and the one
  // directly before it (`previous`; null: it is the first) are prepared. write() gets the pictures one after the other,
  // in order, and returns the bytes of all files so far.
  virtual void prepare(Picture& picture, const Picture* known);
  virtual void encode(Picture& picture, const Picture* previous);
  virtual std::uint64_t write(Picture& picture) = 0;
  // After the last picture, on any thread: everything is written, synced, and closed, under temporary names. Returns
  // the bytes of all files. `scene` is embedded instead of the options' scene if the format supports it; empty: the
  // options' scene.
  virtual std::uint64_t complete(const std::string& scene) = 0;
  // Any thread: makes a running stage return or throw soon, because the recording is cancelled.
  virtual void interrupt() noexcept {}

  // After complete(), one thread: the renames to be done; and the report that they were done.
  virtual std::vector<Placement> placements() const = 0;
  virtual void placed() noexcept = 0;
};

std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, GifOptions options);
std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, ApngOptions options);
std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, SequenceOptions options);
std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, VideoOptions options);

// UsageError if the sides are not within 1 to `largest`, the rate is not positive, or the scene is too long.
void checkPictureOptions(const PictureOptions& options, const char* format, int largest);
void checkScene(const std::string& scene);
void checkLoop(int loop, const char* format);
std::vector<Placement> placementsOf(const PendingFile& file);

// The estimated bytes of all `expected` frames if `frames` of them take `bytes`, of which the header and the first
// frame take `first_bytes`: the first is a whole picture, the others may be differences.
std::uint64_t estimatedBytes(std::uint64_t first_bytes, std::uint64_t bytes, std::int64_t frames,
                             std::int64_t expected);

}  // namespace simscope::exporting
