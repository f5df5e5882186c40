// The pictures of a GIF, a PNG, or an animated PNG, one after the other, as a player shows them.
//
// The file is untrusted: lengths and checksums are checked, and a picture is decoded only when requested. Memory:
// bytesPerPixel(), taken by the first next(). PNGs of 8 bits per
// channel, not interlaced; transparent parts are drawn on black. Sources: CompuServe's GIF89a specification (1990); the
// W3C's PNG specification, third edition.
// Owner: a FilmReader owns its file. Thread: one at a time. Errors: UsageError naming the file and its fault;
// std::bad_alloc.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace simscope::exporting {

class FilmReader {
 public:
  enum class Format { Gif, Png, Apng };
  static constexpr int kLargestSide = 16384;

  virtual ~FilmReader() = default;
  FilmReader(const FilmReader&) = delete;
  FilmReader& operator=(const FilmReader&) = delete;

  Format format() const noexcept { return format_; }
  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  std::int64_t pictures() const noexcept { return pictures_; }  // in the file
  std::optional<int> loop() const noexcept { return loop_; }    // how often it plays; 0: endless; none: not given
  // The canvas; the canvas of another frame, if one goes back to it; and the indices of a GIF.
  std::uint64_t bytesPerPixel() const noexcept { return format_ == Format::Gif ? 7 : format_ == Format::Apng ? 6 : 3; }
  // Advances to the next picture; false if there is none.
  virtual bool next() = 0;
  // Of the present picture: RGB, top row first; and its duration (0 for a PNG).
  virtual const std::vector<std::uint8_t>& rgb() const noexcept { return canvas_; }
  double seconds() const noexcept { return seconds_; }

 protected:
  struct Rectangle {
    int left = 0, top = 0, width = 0, height = 0;
    bool operator==(const Rectangle&) const = default;
  };
  FilmReader() = default;
  void setSize(std::uint32_t width, std::uint32_t height);
  void requireWithin(const Rectangle& frame) const;
  void prepareCanvas();
  void clear(const Rectangle& frame);
  std::uint8_t* pixel(int x, int y) {
    return canvas_.data() + 3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) + x);
  }

  Format format_ = Format::Png;
  int width_ = 0, height_ = 0;
  std::int64_t pictures_ = 0;
  std::optional<int> loop_;
  double seconds_ = 0;
  std::vector<std::uint8_t> canvas_;
};

// Chosen by the file's first bytes, not its name.
std::unique_ptr<FilmReader> openFilm(const std::filesystem::path& file);

}  // namespace simscope::exporting
