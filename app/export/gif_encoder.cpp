#include "app/export/gif_encoder.h"

#include <fmt/format.h>
#include <gif_lib.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr int kBitsPerColour = 8;

[[noreturn]] void fail(int code) {
  const char* text = GifErrorString(code);
  throw Error(fmt::format("the GIF encoder failed: {}", text != nullptr ? text : "unknown cause"));
}

// A giflib file whose bytes end in a vector.
class MemoryGif {
 public:
  MemoryGif(int width, int height, const Palette& palette) {
    int code = 0;
    gif_ = EGifOpen(this, &MemoryGif::append, &code);
    if (gif_ == nullptr) {
      fail(code);
    }
    EGifSetGifVersion(gif_, true);
    std::array<GifColorType, Palette::kColours> colours;
    for (int i = 0; i < Palette::kColours; ++i) {
      const std::uint32_t colour = palette.colours()[i];
      colours[i] = {static_cast<GifByteType>(colour >> 16), static_cast<GifByteType>(colour >> 8),
                    static_cast<GifByteType>(colour)};
    }
    ColorMapObject* map = GifMakeMapObject(Palette::kColours, colours.data());
    const int result =
        map == nullptr ? GIF_ERROR : EGifPutScreenDesc(gif_, width, height, kBitsPerColour, Palette::kTransparent, map);
    GifFreeMapObject(map);
    if (result != GIF_OK) {
      code = map == nullptr ? E_GIF_ERR_NOT_ENOUGH_MEM : gif_->Error;
      close();
      fail(code);
    }
  }
  ~MemoryGif() { close(); }
  MemoryGif(const MemoryGif&) = delete;
  MemoryGif& operator=(const MemoryGif&) = delete;

  GifFileType* get() const { return gif_; }
  void check(int result) const {
    if (result != GIF_OK) {
      fail(gif_->Error);
    }
  }
  Bytes bytes;

 private:
  // Called from C: nothing may be thrown through it.
  static int append(GifFileType* gif, const GifByteType* data, int size) {
    auto& bytes = static_cast<MemoryGif*>(gif->UserData)->bytes;
    try {
      bytes.insert(bytes.end(), data, data + size);
    } catch (...) {
      return 0;
    }
    return size;
  }
  void close() noexcept {
    int code = 0;
    EGifCloseFile(gif_, &code);
  }

  GifFileType* gif_ = nullptr;
};

void putSubBlocks(MemoryGif& gif, int function, const std::vector<std::string>& blocks) {
  gif.check(EGifPutExtensionLeader(gif.get(), function));
  for (const std::string& block : blocks) {
    gif.check(EGifPutExtensionBlock(gif.get(), static_cast<int>(block.size()), block.data()));
  }
  gif.check(EGifPutExtensionTrailer(gif.get()));
}

struct Rectangle {
  int left = 0, top = 0, width = 1, height = 1;
};

// The smallest rectangle outside of which both pictures are equal; the first pixel where they are equal everywhere.
Rectangle changedRectangle(const std::uint8_t* before, const std::uint8_t* now, int width, int height) {
  const auto rowDiffers = [&](int y) {
    const std::size_t at = static_cast<std::size_t>(y) * width;
    return std::memcmp(before + at, now + at, static_cast<std::size_t>(width)) != 0;
  };
  int top = 0, bottom = height;
  while (top < height && !rowDiffers(top)) {
    ++top;
  }
  if (top == height) {
    return {};
  }
  while (!rowDiffers(bottom - 1)) {
    --bottom;
  }
  int left = width, right = 0;
  for (int y = top; y < bottom; ++y) {
    const std::uint8_t* a = before + static_cast<std::size_t>(y) * width;
    const std::uint8_t* b = now + static_cast<std::size_t>(y) * width;
    int x = 0;
    while (x < left && a[x] == b[x]) {
      ++x;
    }
    left = std::min(left, x);
    x = width;
    while (x > right && a[x - 1] == b[x - 1]) {
      --x;
    }
    right = std::max(right, x);
  }
  return {left, top, right - left, bottom - top};
}

// A row of the picture with what is as before left transparent.
void mask(const std::uint8_t* before, const std::uint8_t* now, int width, std::uint8_t* masked) {
  for (int x = 0; x < width; ++x) {
    masked[x] = before[x] == now[x] ? Palette::kTransparent : now[x];
  }
}

// Pixels of a row that equal neither the one to the left nor the one above.
std::size_t countSurprises(const std::uint8_t* row, const std::uint8_t* above, int width) {
  constexpr int kRun = 255;  // as many as a byte can count: sums of bytes are what compilers make fast
  std::size_t count = 0;
  for (int start = 1; start < width; start += kRun) {
    const int end = std::min(width, start + kRun);
    std::uint8_t in_run = 0;
    for (int x = start; x < end; ++x) {
      in_run = static_cast<std::uint8_t>(in_run + ((row[x] != row[x - 1]) & (row[x] != above[x])));
    }
    count += in_run;
  }
  return count;
}

}  // namespace

Bytes gifHeader(int width, int height, const Palette& palette, int loop, const std::string& comment) {
  MemoryGif gif(width, height, palette);
  putSubBlocks(gif, APPLICATION_EXT_FUNC_CODE,
               {"NETSCAPE2.0", {1, static_cast<char>(loop & 0xff), static_cast<char>(loop >> 8)}});
  if (!comment.empty()) {
    constexpr std::size_t kLargest = 255;
    std::vector<std::string> blocks;
    for (std::size_t at = 0; at < comment.size(); at += kLargest) {
      blocks.push_back(comment.substr(at, kLargest));
    }
    putSubBlocks(gif, COMMENT_EXT_FUNC_CODE, blocks);
  }
  return std::move(gif.bytes);
}

struct FrameEncoder::Impl {
  Impl(int width_, int height_, const Palette& palette, int delay_)
      : width(width_),
        height(height_),
        delay(delay_),
        gif(width_, height_, palette),
        row(width_),
        masked(width_),
        masked_above(width_) {}

  bool transparencyPays(const Rectangle& r, const std::uint8_t* previous, const std::uint8_t* current);
  void put(const Rectangle& r, const std::uint8_t* previous, const std::uint8_t* current, bool transparent);

  int width, height, delay;
  std::size_t largest = 0;  // frame so far, in bytes: room for the next one
  MemoryGif gif;
  Bytes row, masked, masked_above;
};

// Unchanged pixels may be drawn again or left transparent. LZW pays mostly for surprises; the version with clearly
// fewer of them wins. Over interference, diffusion, wave packets, curves, scattered points and Monte Carlo pictures
// this choice was the smaller file each time, and counting takes a small part of the time of encoding both.
bool FrameEncoder::Impl::transparencyPays(const Rectangle& r, const std::uint8_t* previous,
                                          const std::uint8_t* current) {
  constexpr double kWorth = 0.85;
  std::size_t surprises = 0, masked_surprises = 0;
  for (int y = 0; y < r.height; ++y) {
    const std::size_t at = static_cast<std::size_t>(r.top + y) * width + r.left;
    mask(previous + at, current + at, r.width, masked.data());
    if (y > 0) {
      surprises += countSurprises(current + at, current + at - width, r.width);
      masked_surprises += countSurprises(masked.data(), masked_above.data(), r.width);
    }
    std::swap(masked, masked_above);
  }
  return static_cast<double>(masked_surprises) < kWorth * static_cast<double>(surprises);
}

void FrameEncoder::Impl::put(const Rectangle& r, const std::uint8_t* previous, const std::uint8_t* current,
                             bool transparent) {
  GraphicsControlBlock control{};
  control.DisposalMode = DISPOSE_DO_NOT;
  control.DelayTime = delay;
  control.TransparentColor = transparent ? Palette::kTransparent : NO_TRANSPARENT_COLOR;
  std::array<GifByteType, 4> block{};
  EGifGCBToExtension(&control, block.data());
  gif.check(EGifPutExtension(gif.get(), GRAPHICS_EXT_FUNC_CODE, static_cast<int>(block.size()), block.data()));
  gif.check(EGifPutImageDesc(gif.get(), r.left, r.top, r.width, r.height, false, nullptr));
  for (int y = 0; y < r.height; ++y) {
    const std::size_t at = static_cast<std::size_t>(r.top + y) * width + r.left;
    // A copy in any case: giflib writes into the line that it is given.
    if (transparent) {
      mask(previous + at, current + at, r.width, row.data());
    } else {
      std::memcpy(row.data(), current + at, static_cast<std::size_t>(r.width));
    }
    gif.check(EGifPutLine(gif.get(), row.data(), r.width));
  }
}

FrameEncoder::FrameEncoder(int width, int height, const Palette& palette, int delay)
    : impl_(std::make_unique<Impl>(width, height, palette, delay)) {}

FrameEncoder::~FrameEncoder() = default;

Bytes FrameEncoder::encode(const std::uint8_t* previous, const std::uint8_t* current) {
  impl_->gif.bytes.clear();
  impl_->gif.bytes.reserve(impl_->largest);
  if (previous == nullptr) {
    impl_->put({0, 0, impl_->width, impl_->height}, nullptr, current, false);
  } else {
    const Rectangle r = changedRectangle(previous, current, impl_->width, impl_->height);
    impl_->put(r, previous, current, impl_->transparencyPays(r, previous, current));
  }
  impl_->largest = std::max(impl_->largest, impl_->gif.bytes.size());
  return std::move(impl_->gif.bytes);
}

}  // namespace simscope::exporting
