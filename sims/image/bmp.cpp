#include "sims/image/bmp.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <utility>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::image {
namespace {

// The bits of a pixel that are one of its samples.
struct Mask {
  std::uint32_t bits = 0;

  float of(std::uint32_t pixel) const {
    if (bits == 0) return 0;
    const int shift = std::countr_zero(bits);
    return static_cast<float>((pixel & bits) >> shift) / static_cast<float>(bits >> shift);
  }
  bool connected() const {
    return bits == 0 || std::has_single_bit((std::uint64_t{bits} >> std::countr_zero(bits)) + 1);
  }
};

class Bmp {
 public:
  explicit Bmp(std::string_view bytes, int most_pixels) : bytes_(bytes) {
    const std::uint32_t header = number(kHeader, 4);
    old_ = header == kOldHeader;
    if (!old_ && header < kWindowsHeader) throw UsageError(fmt::format("its header of {} bytes is unknown", header));
    const std::int64_t height = old_ ? std::int64_t{number(20, 2)} : static_cast<std::int32_t>(number(22, 4));
    width_ = old_ ? std::int64_t{number(18, 2)} : static_cast<std::int32_t>(number(18, 4));
    height_ = std::abs(height);
    from_above_ = height < 0;
    if (width_ < 1 || height_ < 1)
      throw UsageError(fmt::format("a picture of {} × {} pixels is empty", width_, height));
    if (static_cast<double>(width_) * static_cast<double>(height_) > most_pixels) {
      throw UsageError(fmt::format("{} × {} pixels are too many", width_, height_));
    }
    bits_ = number(old_ ? 24 : 28, 2);
    if (bits_ != 1 && bits_ != 2 && bits_ != 4 && bits_ != 8 && bits_ != 16 && bits_ != 24 && bits_ != 32) {
      throw UsageError(fmt::format("{} bits a pixel are unknown in a BMP: 1, 2, 4, 8, 16, 24, or 32", bits_));
    }
    if (bits_ <= 8) readTable(header);
    if (bits_ > 8) readMasks(header);
    row_bytes_ = (width_ * bits_ + 31) / 32 * 4;
    data_ = number(10, 4);
    const std::int64_t needed = row_bytes_ * (height_ - 1) + (width_ * bits_ + 7) / 8;
    if (data_ > static_cast<std::int64_t>(bytes_.size()) || static_cast<std::int64_t>(bytes_.size()) - data_ < needed) {
      endsEarly();
    }
  }

  GreyImage read() const {
    GreyImage image{static_cast<int>(width_), static_cast<int>(height_), {}};
    image.values.resize(static_cast<std::size_t>(width_ * height_));
    const bool alpha = alphaCounts();
    float* value = image.values.data();
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t x = 0; x < width_; ++x) {
        const std::uint32_t pixel = pixelAt(x, y);
        if (bits_ <= 8) {
          if (pixel >= table_.size()) {
            throw UsageError(fmt::format("the pixel in row {}, column {} has colour {} of a table of {}", y + 1, x + 1,
                                         pixel, table_.size()));
          }
          *value++ = table_[pixel];
          continue;
        }
        const float luma = lumaOf(red_.of(pixel), green_.of(pixel), blue_.of(pixel));
        const float opaque = alpha ? alpha_.of(pixel) : 1;
        *value++ = opaque * luma + (1 - opaque);
      }
    }
    return image;
  }

 private:
  static constexpr std::size_t kHeader = 14, kMasks = 54;
  static constexpr std::uint32_t kOldHeader = 12, kWindowsHeader = 40, kWithAlpha = 56;
  static constexpr std::uint32_t kPlain = 0, kMasked = 3, kMaskedWithAlpha = 6;

  [[noreturn]] static void endsEarly() { throw UsageError("the file ends in the middle of the picture"); }

  std::uint32_t number(std::size_t at, std::size_t size) const {
    if (at + size > bytes_.size()) endsEarly();
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;) value = value << 8 | static_cast<unsigned char>(bytes_[at + i]);
    return value;
  }
  std::uint32_t encoding() const { return old_ ? kPlain : number(30, 4); }

  void readTable(std::uint32_t header) {
    if (encoding() != kPlain) refuseEncoding();
    const std::uint32_t most = 1u << bits_, stated = old_ ? 0 : number(46, 4);
    const std::size_t entry = old_ ? 3 : 4;
    for (std::size_t i = 0; i < (stated == 0 ? most : std::min(stated, most)); ++i) {
      const std::uint32_t colour = number(kHeader + header + i * entry, 3);
      table_.push_back(lumaOf(Mask{0xff0000}.of(colour), Mask{0xff00}.of(colour), Mask{0xff}.of(colour)));
    }
  }
  void readMasks(std::uint32_t header) {
    const bool short_pixels = bits_ == 16;
    red_.bits = short_pixels ? 0x7c00 : 0xff0000;
    green_.bits = short_pixels ? 0x3e0 : 0xff00;
    blue_.bits = short_pixels ? 0x1f : 0xff;
    if (encoding() == kPlain) return;
    if (bits_ == 24 || (encoding() != kMasked && encoding() != kMaskedWithAlpha)) refuseEncoding();
    red_.bits = number(kMasks, 4);
    green_.bits = number(kMasks + 4, 4);
    blue_.bits = number(kMasks + 8, 4);
    if (header >= kWithAlpha || encoding() == kMaskedWithAlpha) alpha_.bits = number(kMasks + 12, 4);
    if (!red_.connected() || !green_.connected() || !blue_.connected() || !alpha_.connected()) {
      throw UsageError("its masks of bits are damaged");
    }
  }
  [[noreturn]] void refuseEncoding() const {
    throw UsageError(fmt::format("encoding {} of {} bits a pixel is not read", encoding(), bits_));
  }

  std::uint32_t pixelAt(std::int64_t x, std::int64_t y) const {
    const auto row = static_cast<std::size_t>(data_ + row_bytes_ * (from_above_ ? y : height_ - 1 - y));
    const auto bit = static_cast<std::size_t>(x) * bits_;
    if (bits_ >= 8) {
      std::uint32_t pixel = 0;
      for (std::size_t i = bits_ / 8; i-- > 0;) {
        pixel = pixel << 8 | static_cast<unsigned char>(bytes_[row + bit / 8 + i]);
      }
      return pixel;
    }
    const std::uint32_t byte = static_cast<unsigned char>(bytes_[row + bit / 8]);
    return byte >> (8 - bits_ - bit % 8) & ((1u << bits_) - 1);
  }
  // Programs that know no alpha leave it 0.
  bool alphaCounts() const {
    if (alpha_.bits == 0) return false;
    for (std::int64_t y = 0; y < height_; ++y) {
      for (std::int64_t x = 0; x < width_; ++x) {
        if ((pixelAt(x, y) & alpha_.bits) != 0) return true;
      }
    }
    return false;
  }

  std::string_view bytes_;
  bool old_ = false, from_above_ = false;
  std::int64_t width_ = 0, height_ = 0, row_bytes_ = 0, data_ = 0;
  std::uint32_t bits_ = 0;
  std::vector<float> table_;  // of luma
  Mask red_, green_, blue_, alpha_;
};

}  // namespace

bool isBmp(std::string_view bytes) {
  return bytes.starts_with("BM");
}

GreyImage readBmp(std::string_view bytes, int most_pixels) {
  return Bmp(bytes, most_pixels).read();
}

}  // namespace simscope::image
