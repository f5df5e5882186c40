// A picture, or a film, of the differences between a file and its expected content: the expected picture in dim greys,
// each pixel beyond the tolerance red, each within it yellow, with a border so that a single pixel is visible.
//
// Owner: a DifferenceFile owns its file until complete(); destroyed before, it leaves no file. Thread: one at a time.
// Errors: as PendingFile and Encoder; UsageError for a name that ends neither in .png nor in .gif.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "app/export/encoder.h"
#include "app/export/files.h"
#include "app/verify/comparison.h"

namespace simscope::verify {

// RGB, top row first.
std::vector<std::uint8_t> markedPicture(std::span<const std::uint8_t> expected, const std::vector<Mark>& marks,
                                        int width, int height);

class DifferenceFile {
 public:
  // A .png holds the frame that differs most, a .gif every frame that was added.
  DifferenceFile(const std::filesystem::path& target, int width, int height, double fps, bool overwrite);

  void add(std::span<const std::uint8_t> expected, const std::vector<Mark>& marks, const Comparison& comparison);
  // Gives the file its name. False: no added frame differs, and there is no file.
  bool complete();

 private:
  const int width_, height_;
  std::optional<exporting::PendingFile> png_;
  std::optional<exporting::Encoder> gif_;
  std::optional<Comparison> worst_;
  std::vector<std::uint8_t> picture_;
};

}  // namespace simscope::verify
