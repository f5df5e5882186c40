#include "app/verify/difference_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <tuple>
#include <utility>

#include "app/export/formats.h"
#include "app/export/png.h"
#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::verify {
namespace {

constexpr int kGreys = 64, kBrightest = 110;  // dim, so that marks stand out
constexpr int kRing = 5;                      // pixels between what is marked and the line around it
constexpr std::uint32_t kBeyondColour = 0xff2a2a, kWithinColour = 0xffd23f, kRingColour = 0x3fc1ff;

std::uint8_t greyLevel(int step) {
  return static_cast<std::uint8_t>(step * kBrightest / (kGreys - 1));
}

void put(std::uint8_t* pixel, std::uint32_t colour) {
  for (int c = 0; c < 3; ++c) pixel[c] = static_cast<std::uint8_t>(colour >> (16 - 8 * c));
}

// Whether any of the marks lies within `reach` pixels on either axis: of every pixel.
std::vector<std::uint8_t> grown(const std::vector<Mark>& marks, int width, int height, int reach) {
  const auto at = [width](int x, int y) { return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + x; };
  std::vector<std::uint8_t> rows(marks.size(), 0), all(marks.size(), 0);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (marks[at(x, y)] == Mark::Same) continue;
      for (int u = std::max(x - reach, 0); u <= std::min(x + reach, width - 1); ++u) rows[at(u, y)] = 1;
    }
  }
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if (!rows[at(x, y)]) continue;
      for (int v = std::max(y - reach, 0); v <= std::min(y + reach, height - 1); ++v) all[at(x, v)] = 1;
    }
  }
  return all;
}

double rateOfGif(double fps) {
  constexpr double kUsual = 25;
  try {
    exporting::gifDelay(fps);
    return fps;
  } catch (const UsageError&) {
    return kUsual;  // an APNG's delay may not exist in a GIF
  }
}

}  // namespace

std::vector<std::uint8_t> markedPicture(std::span<const std::uint8_t> expected, const std::vector<Mark>& marks,
                                        int width, int height) {
  const std::vector<std::uint8_t> outer = grown(marks, width, height, kRing + 1);
  const std::vector<std::uint8_t> inner = grown(marks, width, height, kRing);
  std::vector<std::uint8_t> picture(expected.size());
  for (std::size_t i = 0; i < marks.size(); ++i) {
    const std::uint8_t* from = expected.data() + 3 * i;
    std::uint8_t* to = picture.data() + 3 * i;
    if (marks[i] != Mark::Same) {
      put(to, marks[i] == Mark::Beyond ? kBeyondColour : kWithinColour);
    } else if (outer[i] && !inner[i]) {
      put(to, kRingColour);
    } else {
      const int luma = (299 * from[0] + 587 * from[1] + 114 * from[2]) / 1000;
      to[0] = to[1] = to[2] = greyLevel(luma * (kGreys - 1) / 255);
    }
  }
  return picture;
}

DifferenceFile::DifferenceFile(const std::filesystem::path& target, int width, int height, double fps, bool overwrite)
    : width_(width), height_(height) {
  std::string ending = target.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (ending == ".png") {
    png_.emplace(target, overwrite);
  } else if (ending == ".gif") {
    exporting::GifOptions options;
    options.width = width;
    options.height = height;
    options.fps = rateOfGif(fps);
    options.overwrite = overwrite;
    options.exact_colours = {kBeyondColour, kWithinColour, kRingColour};
    for (int i = 0; i < kGreys; ++i) options.exact_colours.push_back(std::uint32_t{greyLevel(i)} * 0x010101u);
    gif_.emplace(target, exporting::EncoderOptions(std::move(options)));
  } else {
    throw UsageError(fmt::format("{} does not end in .png or .gif", foreign::quotedFile(target)));
  }
}

void DifferenceFile::add(std::span<const std::uint8_t> expected, const std::vector<Mark>& marks,
                         const Comparison& comparison) {
  const auto weight = [](const Comparison& each) { return std::tuple(each.beyond, each.within); };
  const bool worse = comparison.pixels() > 0 && (!worst_ || weight(comparison) > weight(*worst_));
  if (worse) worst_ = comparison;
  if (gif_) return gif_->add(markedPicture(expected, marks, width_, height_));
  if (worse) picture_ = markedPicture(expected, marks, width_, height_);
}

bool DifferenceFile::complete() {
  if (!worst_) return false;
  if (gif_) {
    gif_->finish();
  } else {
    exporting::writePng(*png_, width_, height_, picture_, "");
    png_->commit();
  }
  return true;
}

}  // namespace simscope::verify
