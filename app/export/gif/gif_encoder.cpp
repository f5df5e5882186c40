#include "app/export/gif/gif_encoder.h"

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

// Lempel and Ziv's codes as Welch and GIF89a have them (8 bits a pixel): the codes of an image in sub-blocks of up to
// 255 bytes. The dictionary is emptied when it is full; those of giflib, which an earlier version called, are the same.
class LzwWriter {
 public:
  explicit LzwWriter(Bytes& out) : out_(out) {
    out_.push_back(kBitsPerColour);
    beginBlock();
    clear();
  }

  void put(const std::uint8_t* pixels, std::size_t count) {
    std::size_t i = 0;
    if (prefix_ < 0 && count > 0) prefix_ = pixels[i++];
    std::uint32_t prefix = static_cast<std::uint32_t>(prefix_);
    for (; i < count; ++i) {
      const std::uint32_t key = prefix << 8 | pixels[i];
      std::uint32_t slot = (key * 0x9e3779b1u) >> (32 - kTableBits);
      while (entries_[slot] >> kCodeBits != key && entries_[slot] != 0) slot = (slot + 1) & (kTable - 1);
      if (entries_[slot] != 0) {
        prefix = entries_[slot] & kMostCodes;
        continue;
      }
      write(prefix);
      prefix = pixels[i];
      if (next_ >= kMostCodes) {
        clear();
      } else {
        entries_[slot] = key << kCodeBits | next_++;
      }
    }
    prefix_ = static_cast<int>(prefix);
  }

  void finish() {
    write(static_cast<std::uint32_t>(prefix_));
    write(kEnd);
    if (held_ > 0) byte(static_cast<std::uint8_t>(bits_));
    endBlock();
    out_.push_back(0);
  }

 private:
  static constexpr std::uint32_t kClear = 1u << kBitsPerColour, kEnd = kClear + 1, kMostCodes = 4095;
  static constexpr int kCodeBits = 12, kTableBits = 13;
  static constexpr std::uint32_t kTable = 1u << kTableBits;

  void clear() {
    write(kClear);
    entries_.fill(0);
    next_ = kEnd + 1;
    width_ = kBitsPerColour + 1;
  }
  void write(std::uint32_t code) {
    bits_ |= static_cast<std::uint64_t>(code) << held_;
    held_ += width_;
    while (held_ >= 8) {
      byte(static_cast<std::uint8_t>(bits_));
      bits_ >>= 8;
      held_ -= 8;
    }
    if (next_ >= 1u << width_ && width_ < kCodeBits) ++width_;
  }
  void byte(std::uint8_t value) {
    if (out_.size() - block_ == 256) {
      endBlock();
      beginBlock();
    }
    out_.push_back(value);
  }
  void beginBlock() {
    block_ = out_.size();
    out_.push_back(0);
  }
  void endBlock() { out_[block_] = static_cast<std::uint8_t>(out_.size() - block_ - 1); }

  Bytes& out_;
  std::size_t block_ = 0;  // where its length stands
  std::uint64_t bits_ = 0;
  int held_ = 0, width_ = kBitsPerColour + 1;
  std::uint32_t next_ = kEnd + 1;
  int prefix_ = -1;
  std::array<std::uint32_t, kTable> entries_;  // key (prefix and pixel), then code; 0: none. At most half are in use
};

void putShort(Bytes& out, int value) {
  out.push_back(static_cast<std::uint8_t>(value & 0xff));
  out.push_back(static_cast<std::uint8_t>(value >> 8));
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

// From one picture to the next, as indices.
struct Change {
  int width, delay;
  const std::uint8_t *previous, *current;
  const OwnTable* table;  // of the current one; null: the palette
};

// Unchanged pixels may be drawn again or left transparent. LZW pays mostly for surprises; the version with clearly
// fewer of them wins. Over interference, diffusion, wave packets, curves, scattered points and Monte Carlo pictures
// this choice was the smaller file each time, and counting takes a small part of the time of encoding both.
bool transparencyPays(const Change& change, const Rectangle& r) {
  constexpr double kWorth = 0.85;
  const auto width = static_cast<std::size_t>(change.width);
  Bytes masked(width), masked_above(width);
  std::size_t surprises = 0, masked_surprises = 0;
  for (int y = 0; y < r.height; ++y) {
    const std::size_t at = static_cast<std::size_t>(r.top + y) * width + r.left;
    mask(change.previous + at, change.current + at, r.width, masked.data());
    if (y > 0) {
      surprises += countSurprises(change.current + at, change.current + at - width, r.width);
      masked_surprises += countSurprises(masked.data(), masked_above.data(), r.width);
    }
    std::swap(masked, masked_above);
  }
  return static_cast<double>(masked_surprises) < kWorth * static_cast<double>(surprises);
}

// True where the frame has a pixel whose colour stands in the picture's own table alone.
bool needsTable(const Change& change, const Rectangle& r, bool transparent) {
  if (!change.table) return false;
  std::array<bool, Palette::kColours> own{};
  for (const std::uint8_t entry : change.table->own) own[entry] = true;
  for (int y = 0; y < r.height; ++y) {
    const std::size_t at = static_cast<std::size_t>(r.top + y) * change.width + r.left;
    for (std::size_t i = at; i < at + static_cast<std::size_t>(r.width); ++i) {
      if (own[change.current[i]] && !(transparent && change.previous[i] == change.current[i])) return true;
    }
  }
  return false;
}

void putFrame(Bytes& out, const Change& change, const Rectangle& r, bool transparent) {
  constexpr std::uint8_t kKeep = 1 << 2;  // the picture stays when the frame's time is over
  out.insert(out.end(), {0x21, 0xf9, 4, static_cast<std::uint8_t>(kKeep | (transparent ? 1 : 0))});
  putShort(out, change.delay);
  out.insert(out.end(), {transparent ? Palette::kTransparent : std::uint8_t{0xff}, 0, 0x2c});
  for (const int value : {r.left, r.top, r.width, r.height}) putShort(out, value);
  if (needsTable(change, r, transparent)) {
    constexpr std::uint8_t kTable = 1 << 7;
    out.push_back(kTable | (kBitsPerColour - 1));
    for (const std::uint32_t colour : change.table->colours) {
      for (const int shift : {16, 8, 0}) out.push_back(static_cast<std::uint8_t>(colour >> shift));
    }
  } else {
    out.push_back(0);
  }
  LzwWriter lzw(out);
  Bytes masked(static_cast<std::size_t>(r.width));
  for (int y = 0; y < r.height; ++y) {
    const std::size_t at = static_cast<std::size_t>(r.top + y) * change.width + r.left;
    if (transparent) mask(change.previous + at, change.current + at, r.width, masked.data());
    lzw.put(transparent ? masked.data() : change.current + at, static_cast<std::size_t>(r.width));
  }
  lzw.finish();
}

// The indices of `other` in the table of `wanted`, so that equal indices are equal colours; kTransparent, which is the
// index of no pixel, where the colour is not in it. Empty: they have one table.
Bytes inTableOf(const Indexed& wanted, const Indexed& other, std::size_t pixels) {
  if (!wanted.table && !other.table) return {};
  std::array<std::uint8_t, Palette::kColours> to;
  for (int i = 0; i < Palette::kColours; ++i) to[i] = static_cast<std::uint8_t>(i);
  if (wanted.table) {
    for (const std::uint8_t entry : wanted.table->own) to[entry] = Palette::kTransparent;
  }
  if (other.table) {
    for (const std::uint8_t entry : other.table->own) {
      to[entry] = Palette::kTransparent;
      if (!wanted.table) continue;
      for (const std::uint8_t same : wanted.table->own) {
        if (wanted.table->colours[same] == other.table->colours[entry]) to[entry] = same;
      }
    }
  }
  Bytes indices(pixels);
  std::transform(other.indices, other.indices + pixels, indices.begin(), [&](std::uint8_t i) { return to[i]; });
  return indices;
}

}  // namespace

Bytes gifHeader(int width, int height, const Palette& palette, int loop, const std::string& comment) {
  MemoryGif gif(width, height, palette);
  // The block counts the repetitions after the first play; a GIF without it plays once.
  if (const int again = loop > 1 ? loop - 1 : 0; loop != 1) {
    putSubBlocks(gif, APPLICATION_EXT_FUNC_CODE,
                 {"NETSCAPE2.0", {1, static_cast<char>(again & 0xff), static_cast<char>(again >> 8)}});
  }
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

Bytes FrameEncoder::encode(Indexed previous, Indexed current) {
  Bytes blocks;
  blocks.reserve(largest_.load(std::memory_order_relaxed));
  if (previous.indices == nullptr) {
    putFrame(blocks, {width_, delay_, nullptr, current.indices, current.table}, {0, 0, width_, height_}, false);
  } else {
    const Bytes same_table = inTableOf(current, previous, static_cast<std::size_t>(width_) * height_);
    const std::uint8_t* const before = same_table.empty() ? previous.indices : same_table.data();
    const Change change{width_, delay_, before, current.indices, current.table};
    const Rectangle r = changedRectangle(before, current.indices, width_, height_);
    putFrame(blocks, change, r, transparencyPays(change, r));
  }
  std::size_t largest = largest_.load(std::memory_order_relaxed);
  while (largest < blocks.size() &&
         !largest_.compare_exchange_weak(largest, blocks.size(), std::memory_order_relaxed)) {
  }
  return blocks;
}

}  // namespace simscope::exporting
