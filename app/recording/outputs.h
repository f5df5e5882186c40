// The files that a recording leaves behind: any number of them, of any format, made of the same frames. One
// implementation for the window and `simscope render`.
//
// Frames are counted from the start of the run; a scene records [first_frame, first_frame + frames). Every file is
// whole or not there, and they appear together (placing.h): none is left where the OutputFiles are destroyed or
// cancelled before finish() ended, or one of them fails. What is written straight to a device or a pipe is gone there.
// Owner: the OutputFiles own the encoders and their threads. Thread: one at a time; cancel() from any thread,
// progress() from the one that adds, or beside finish(); summary() after it. Errors: the constructor as the formats'
// own (UsageError: nothing was made), later ones as Encoder.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/export/encoder.h"
#include "app/export/files.h"
#include "app/scene/scene.h"
#include "sims/core/frame.h"

namespace simscope {

enum class OutputKind { Gif, Picture, Pictures, Mp4, Webm, Webp, Mkv, Csv, Npy };

struct OutputInfo {
  OutputKind kind;
  std::string_view ending;  // with the dot
  const char* title;        // "Animated GIF"
};
// All of them, in the order in which they are offered.
std::span<const OutputInfo> outputInfos();
const OutputInfo& outputInfo(OutputKind kind);
// By the file's ending, in letters of either case; `numbered`: a .png stands for a picture of every frame. UsageError
// with the endings that there are.
OutputKind outputKind(const std::filesystem::path& file, bool numbered);
bool isVideo(OutputKind kind);
// A file that would be replaced; empty: there is none. Of numbered pictures any that looks like one of them.
std::filesystem::path existingFile(const std::filesystem::path& file, OutputKind kind);

// The animated file that shows the scene: its size, pace, colours, number of frames, and the scene itself.
exporting::GifOptions gifOptions(const Scene& scene, bool overwrite);

struct OutputRequest {
  std::vector<std::filesystem::path> files;
  bool numbered = false;     // .png: every frame, as NAME0001.png, NAME0002.png, ...; otherwise one picture
  std::optional<int> frame;  // of single pictures and arrays: this frame alone; otherwise the last, and all
  std::string channel;       // of arrays: a channel of the frame; empty: what the view shows
  bool scene_file = false;   // NAME.simscope.json beside each video
  bool overwrite = false;
  bool open_ended = false;  // the scene's number of frames is a guess; finish() knows
};

class OutputFiles {
 public:
  OutputFiles(Scene scene, OutputRequest request);
  ~OutputFiles();
  OutputFiles(const OutputFiles&) = delete;
  OutputFiles& operator=(const OutputFiles&) = delete;

  int lastFrame() const noexcept { return last_frame_; }  // that is needed
  bool hasPictures() const noexcept { return !films_.empty() || !singles_.empty(); }
  bool wantsPicture(int frame) const noexcept;
  bool wantsArray(int frame) const noexcept;
  bool wantsRow(int frame) const noexcept { return !tables_.empty() && recorded(frame); }

  // See Encoder.
  bool hasRoom() const;
  // Of the frames that are wanted, in order. RGB, top row first.
  void picture(int frame, std::vector<std::uint8_t> rgb);
  void array(int frame, const Frame& data);
  void row(std::int64_t steps, double time, std::span<const double> diagnostics);

  // Completes all files, of so many frames, then gives them their names. Waits for the encoders.
  void finish(int frames);
  void cancel() noexcept;
  exporting::EncodingProgress progress() const;
  // One line for each finished file: "film.gif: 141 frames at 25 a second, 960x540, 1.2 MB".
  std::vector<std::string> summary() const;

 private:
  struct Film;
  struct Single;
  struct Table;
  struct Array;

  bool recorded(int frame) const noexcept {
    return frame >= scene_.first_frame && (request_.open_ended || frame - scene_.first_frame < scene_.frames);
  }
  void add(const std::filesystem::path& file);
  void addFilm(const std::filesystem::path& file, OutputKind kind);
  std::vector<exporting::PendingFile*> pending() const;
  void complete(int frames);
  Scene sceneEndingAt(int frame) const;
  void throwIfCancelled() const;

  const Scene scene_;  // as announced
  const OutputRequest request_;
  std::string channel_;
  int last_frame_ = 0;
  std::vector<std::unique_ptr<Film>> films_;
  std::vector<std::unique_ptr<Single>> singles_;
  std::vector<std::unique_ptr<Table>> tables_;
  std::vector<std::unique_ptr<Array>> arrays_;
  std::atomic<bool> cancelled_ = false;
  int frames_ = 0;             // that finish() was told
  std::int64_t rows_ = 0;      // or arrays: frames of which there are no pictures
};

}  // namespace simscope
