#include "sims/image/pnm.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "sims/compute/error.h"

namespace simscope::image {
namespace {

class Reader {
 public:
  Reader(std::string_view bytes, int most_pixels) : bytes_(bytes), kind_(bytes[1] - '0'), most_pixels_(most_pixels) {}

  GreyImage read() {
    image_.width = headerNumber("width", 1 << 30);
    image_.height = headerNumber("height", 1 << 30);
    if (1.0 * image_.width * image_.height > most_pixels_) {
      throw UsageError(fmt::format("{} × {} pixels are too many", image_.width, image_.height));
    }
    const bool bitmap = kind_ == 1 || kind_ == 4, colours = kind_ == 3 || kind_ == 6;
    if (!bitmap) largest_ = headerNumber("largest value", 65535);
    if (kind_ > 3) ++at_;  // one space, and then the samples' bytes
    requireLength(bitmap, colours);
    image_.values.resize(static_cast<std::size_t>(image_.width) * static_cast<std::size_t>(image_.height));
    std::size_t i = 0;
    for (row_ = 0; row_ < image_.height; ++row_) {
      for (column_ = 0; column_ < image_.width; ++column_) {
        image_.values[i++] = bitmap ? 1 - bit() : colours ? luma() : sample();
      }
      if (kind_ == 4) at_ += static_cast<std::size_t>(image_.width + 7) / 8;
    }
    return std::move(image_);
  }

 private:
  static bool space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
  static bool digit(char c) { return c >= '0' && c <= '9'; }

  // Spaces, and comments up to the end of their lines.
  void skip() {
    while (at_ < bytes_.size() && (space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_++] == '#') at_ = std::min(bytes_.find_first_of("\r\n", at_), bytes_.size());
    }
  }
  // Nothing where there is none, or one beyond what is allowed.
  std::optional<int> number(int most) {
    skip();
    std::int64_t value = 0;
    const std::size_t begin = at_;
    for (; at_ < bytes_.size() && digit(bytes_[at_]); ++at_) {
      value = value * 10 + (bytes_[at_] - '0');
      if (value > most) return std::nullopt;
    }
    if (at_ == begin) return std::nullopt;
    return static_cast<int>(value);
  }
  int headerNumber(const char* what, int most) {
    const std::optional<int> value = number(most);
    if (!value || *value < 1) {
      throw UsageError(fmt::format("the header's {} is no number from 1 to {}", what, most));
    }
    return *value;
  }

  // The file has at least a byte for each sample (or its bits), before memory is taken for them.
  void requireLength(bool bitmap, bool colours) const {
    const double row = kind_ == 4 ? (image_.width + 7) / 8
                                  : 1.0 * image_.width * (colours ? 3 : 1) * (kind_ > 4 && largest_ > 255 ? 2 : 1);
    const double spaces = kind_ < 4 && !bitmap ? 2 : 1;  // a digit and what parts it from the next
    const double needed = row * image_.height * spaces - (spaces - 1);
    if (at_ > bytes_.size() || static_cast<double>(bytes_.size() - at_) < needed) endsEarly();
  }
  [[noreturn]] static void endsEarly() { throw UsageError("the file ends in the middle of the picture"); }

  float bit() {
    if (kind_ == 4) {
      const auto byte = static_cast<unsigned char>(bytes_[at_ + static_cast<std::size_t>(column_ / 8)]);
      return static_cast<float>(byte >> (7 - column_ % 8) & 1);
    }
    skip();
    if (at_ == bytes_.size()) endsEarly();
    const char c = bytes_[at_++];
    if (c != '0' && c != '1') refuseSample("is neither 0 nor 1");
    return static_cast<float>(c - '0');
  }
  float sample() {
    int value = 0;
    if (kind_ < 4) {
      skip();
      if (at_ == bytes_.size()) endsEarly();
      const std::optional<int> read = number(largest_);
      if (!read) refuseSample(fmt::format("is no number from 0 to {}", largest_));
      value = *read;
    } else {
      for (int i = largest_ > 255 ? 2 : 1; i > 0; --i) value = value << 8 | static_cast<unsigned char>(bytes_[at_++]);
      if (value > largest_) refuseSample(fmt::format("is {}; the header's largest value is {}", value, largest_));
    }
    return static_cast<float>(value) / static_cast<float>(largest_);
  }
  float luma() {
    const float red = sample(), green = sample();
    return lumaOf(red, green, sample());
  }
  [[noreturn]] void refuseSample(const std::string& why) const {
    throw UsageError(fmt::format("the sample in row {}, column {} {}", row_ + 1, column_ + 1, why));
  }

  std::string_view bytes_;
  std::size_t at_ = 2;
  int kind_, most_pixels_, largest_ = 1, row_ = 0, column_ = 0;
  GreyImage image_;
};

}  // namespace

bool isPnm(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == 'P' && bytes[1] >= '1' && bytes[1] <= '6' &&
         std::string_view(" \t\n\v\f\r#").find(bytes[2]) != std::string_view::npos;
}

GreyImage readPnm(std::string_view bytes, int most_pixels) {
  return Reader(bytes, most_pixels).read();
}

}  // namespace simscope::image
