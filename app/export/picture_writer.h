// What a format does with the pictures of a recording; the Encoder has the queue and the threads.
//
// Owner: a PictureWriter owns what it writes until placed(); destroyed before that, it removes it. Thread: each member
// says. Errors: the factories as formats.h and PendingFile; what a stage throws ends the recording.
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

class PictureWriter {
 public:
  struct Picture {
    std::int64_t number = 0;        // from 1
    std::vector<std::uint8_t> rgb;  // top row first
    // Left by one stage for the next ones:
    std::unique_ptr<std::uint8_t[]> indices;  // into a palette
    std::vector<std::uint8_t> encoded;
    std::uint64_t file_bytes = 0;
  };

  PictureWriter() = default;
  virtual ~PictureWriter() = default;
  PictureWriter(const PictureWriter&) = delete;
  PictureWriter& operator=(const PictureWriter&) = delete;

  virtual int mostThreads() const { return 16; }           // more threads bring nothing
  virtual std::size_t bytesPerPixel() const { return 3; }  // of memory that a picture takes while it is in the queue

  // The stages of a picture. The first two on any thread, several pictures at once, in any order: prepare() perhaps
  // with the help of a former picture that is prepared (`known`; null: none), encode() after the picture and the one
  // right before it (`previous`; null: it is the first) are prepared. write() has one picture after the other, in their
  // order; it returns the bytes of all files so far.
  virtual void prepare(Picture& picture, const Picture* known);
  virtual void encode(Picture& picture, const Picture* previous);
  virtual std::uint64_t write(Picture& picture) = 0;
  // After the last picture, on any thread: all is written, synced, and closed, under temporary names. Returns the bytes
  // of all files. `scene` is to be embedded instead of the one in the options where the format can do that; empty: that
  // one stays.
  virtual std::uint64_t complete(const std::string& scene) = 0;
  // Any thread: makes a stage that runs return or throw soon, for the recording is cancelled.
  virtual void interrupt() noexcept {}

  // After complete(), one thread: what is to be renamed; and that it was.
  virtual std::vector<Placement> placements() const = 0;
  virtual void placed() noexcept = 0;
};

std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, GifOptions options);
std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, ApngOptions options);
std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, SequenceOptions options);
std::unique_ptr<PictureWriter> makeWriter(const std::filesystem::path& target, VideoOptions options);

// UsageError where the sides are not within 1 to `largest`, the rate is no positive number, or the scene is too long.
void checkPictureOptions(const PictureOptions& options, const char* format, int largest);
void checkScene(const std::string& scene);
void checkLoop(int loop, const char* format);
std::vector<Placement> placementsOf(const PendingFile& file);

// Bytes of all `expected` frames where `frames` of them take `bytes`, the first one and what stands before it
// `first_bytes` of these: it is a whole picture, the others may be changes.
std::uint64_t estimatedBytes(std::uint64_t first_bytes, std::uint64_t bytes, std::int64_t frames,
                             std::int64_t expected);

}  // namespace simscope::exporting
