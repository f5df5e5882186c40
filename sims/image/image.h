// Pictures from files as grey values, by stb_image, bmp.h, and pnm.h, for simulations that take a shape from a picture.
//
// Formats: PNG (8 and 16 bits a sample), JPEG, BMP, PBM, PGM, and PPM. Colours become their luma 0.299 R + 0.587 G +
// 0.114 B (ITU-R BT.601) of the values as stored; transparent parts are blended with white. Pictures are turned as EXIF
// says. Plain data; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace simscope::image {

inline constexpr int kMostPixels = 1 << 26;               // of a picture: 8192 × 8192
inline constexpr std::uintmax_t kMostBytes = 256u << 20;  // of a file

struct GreyImage {
  int width = 0, height = 0;
  std::vector<float> values;  // 0 (black) … 1 (white), row after row, row 0 at the top
};

// Grey stays as it is.
inline float lumaOf(float red, float green, float blue) {
  return red == green && green == blue ? red : 0.299f * red + 0.587f * green + 0.114f * blue;
}

// UsageError for a file that is missing, a folder, empty, in another format, broken, or too large (by its header,
// before decoding): the message names the file, the fault, and the accepted formats.
GreyImage readGreyImage(const std::filesystem::path& file);

}  // namespace simscope::image
