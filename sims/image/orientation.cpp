#include "sims/image/orientation.h"

#include <cstddef>
#include <cstdint>
#include <utility>

namespace simscope::image {
namespace {

constexpr std::uint32_t kNone = 0xffffffff;  // beyond the end

class Numbers {
 public:
  Numbers(std::string_view bytes, bool big_endian) : bytes_(bytes), big_endian_(big_endian) {}

  std::uint32_t at(std::size_t place, int size) const {
    if (place > bytes_.size() || bytes_.size() - place < static_cast<std::size_t>(size)) return kNone;
    std::uint32_t value = 0;
    for (int i = 0; i < size; ++i) {
      const auto byte = static_cast<unsigned char>(bytes_[place + static_cast<std::size_t>(i)]);
      value |= static_cast<std::uint32_t>(byte) << 8 * (big_endian_ ? size - 1 - i : i);
    }
    return value;
  }

 private:
  std::string_view bytes_;
  bool big_endian_;
};

// Of a TIFF header and its first directory.
int orientationInTiff(std::string_view tiff) {
  using namespace std::string_view_literals;
  const bool big_endian = tiff.starts_with("MM\0\x2a"sv);
  if (!big_endian && !tiff.starts_with("II\x2a\0"sv)) return 1;
  const Numbers number(tiff, big_endian);
  constexpr std::size_t kEntry = 12;
  constexpr std::uint32_t kOrientation = 274, kShort = 3;
  const std::size_t directory = number.at(4, 4);
  const std::uint32_t entries = number.at(directory, 2);
  for (std::size_t i = 0; i < entries && entries != kNone; ++i) {
    const std::size_t entry = directory + 2 + i * kEntry;
    const std::uint32_t tag = number.at(entry, 2);
    if (tag == kNone) return 1;
    if (tag != kOrientation) continue;
    const std::uint32_t value = number.at(entry + 8, 2);
    return number.at(entry + 2, 2) == kShort && value >= 1 && value <= 8 ? static_cast<int>(value) : 1;
  }
  return 1;
}

// What lies in a JPEG's segment, by segment up to the coded picture.
std::string_view exifOfJpeg(std::string_view file) {
  using namespace std::string_view_literals;
  const Numbers number(file, true);
  for (std::size_t at = 2; number.at(at, 1) == 0xff;) {
    const std::uint32_t marker = number.at(at + 1, 1), length = number.at(at + 2, 2);
    if (marker == 0xff) {  // fills
      ++at;
      continue;
    }
    if (marker == 0xda || length == kNone || length < 2) break;
    constexpr std::string_view kExif = "Exif\0\0"sv;
    const std::string_view segment = file.substr(at + 4, length - 2);
    if (marker == 0xe1 && segment.starts_with(kExif)) return segment.substr(kExif.size());
    at += 2 + length;
  }
  return {};
}

std::string_view exifOfPng(std::string_view file) {
  const Numbers number(file, true);
  for (std::size_t at = 8; number.at(at, 4) != kNone && file.size() - at >= 8;) {
    const std::size_t length = number.at(at, 4);
    const std::string_view type = file.substr(at + 4, 4);
    if (type == "eXIf") return file.substr(at + 8, length);
    if (type == "IEND") break;
    at += 12 + length;
  }
  return {};
}

}  // namespace

int orientationOf(std::string_view file) {
  if (file.starts_with("\xff\xd8")) return orientationInTiff(exifOfJpeg(file));
  if (file.starts_with("\x89PNG")) return orientationInTiff(exifOfPng(file));
  return 1;
}

GreyImage turned(GreyImage stored, int orientation) {
  if (orientation <= 1 || orientation > 8) return stored;
  // 5 to 8 have rows where columns are seen; the others differ in the ends at which rows and columns begin.
  const bool across = orientation >= 5;
  const bool right = orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool bottom = orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  GreyImage seen{across ? stored.height : stored.width, across ? stored.width : stored.height, {}};
  seen.values.reserve(stored.values.size());
  for (int y = 0; y < seen.height; ++y) {
    for (int x = 0; x < seen.width; ++x) {
      int column = across ? y : x, row = across ? x : y;
      if (right) column = stored.width - 1 - column;
      if (bottom) row = stored.height - 1 - row;
      seen.values.push_back(stored.values[static_cast<std::size_t>(row) * static_cast<std::size_t>(stored.width) +
                                          static_cast<std::size_t>(column)]);
    }
  }
  return seen;
}

}  // namespace simscope::image
