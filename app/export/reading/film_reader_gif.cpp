// Frames of a GIF: decodes their LZW codes and draws them over the previous picture as each frame specifies.
#include <algorithm>
#include <array>
#include <cstring>
#include <string_view>

#include "app/export/film_formats.h"
#include "app/export/reading/byte_source.h"
#include "app/export/reading/film_reader.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

using Colours = std::array<std::uint8_t, 3 * 256>;
constexpr std::uint8_t kExtension = 0x21, kImage = 0x2c, kTrailer = 0x3b, kControl = 0xf9, kApplication = 0xff;

// The bytes of a row of sub-blocks, up to the empty one that ends it.
class SubBlocks {
 public:
  explicit SubBlocks(ByteSource& source) : source_(source) {}
  bool next(std::uint8_t& byte) {
    if (left_ == 0 && !ended_) {
      left_ = source_.byte();
      ended_ = left_ == 0;
    }
    if (ended_) return false;
    byte = source_.byte();
    --left_;
    return true;
  }
  void skip() {
    while (!ended_) {
      source_.skip(left_);
      left_ = source_.byte();
      ended_ = left_ == 0;
    }
  }

 private:
  ByteSource& source_;
  unsigned left_ = 0;
  bool ended_ = false;
};

[[noreturn]] void damagedGif() {
  throw UsageError("a frame of the GIF is damaged");
}

// All indices of a frame, in the order of the file.
void decodeCodes(ByteSource& source, std::vector<std::uint8_t>& indices) {
  constexpr unsigned kMostCodes = 4096;
  const unsigned literals_bits = source.byte();
  if (literals_bits < 1 || literals_bits > 8) damagedGif();
  const unsigned clear = 1u << literals_bits, end = clear + 1;
  std::array<std::uint16_t, kMostCodes> before;
  std::array<std::uint8_t, kMostCodes> last;
  std::array<std::uint8_t, kMostCodes + 1> stack;
  unsigned width = literals_bits + 1, next = end + 1, former = kMostCodes, first = 0;
  unsigned bits = 0, held = 0;
  std::size_t filled = 0;
  SubBlocks blocks(source);
  while (filled < indices.size()) {
    while (held < width) {
      std::uint8_t byte = 0;
      if (!blocks.next(byte)) damagedGif();
      bits |= static_cast<unsigned>(byte) << held;
      held += 8;
    }
    const unsigned code = bits & ((1u << width) - 1);
    bits >>= width;
    held -= width;
    if (code == clear) {
      width = literals_bits + 1;
      next = end + 1;
      former = kMostCodes;
      continue;
    }
    if (code == end) damagedGif();
    if (former == kMostCodes) {
      if (code > clear) damagedGif();
      indices[filled++] = static_cast<std::uint8_t>(code);
      former = first = code;
      continue;
    }
    std::size_t depth = 0;
    unsigned at = code;
    if (code == next && next < kMostCodes) {
      stack[depth++] = static_cast<std::uint8_t>(first);
      at = former;
    } else if (code >= next) {
      damagedGif();
    }
    // Each code's predecessor is smaller, so that the way ends at a literal.
    while (at >= clear) {
      stack[depth++] = last[at];
      at = before[at];
    }
    first = at;
    stack[depth++] = static_cast<std::uint8_t>(first);
    if (next < kMostCodes) {
      before[next] = static_cast<std::uint16_t>(former);
      last[next] = static_cast<std::uint8_t>(first);
      ++next;
      if (next == 1u << width && width < 12) ++width;
    }
    former = code;
    while (depth > 0 && filled < indices.size()) indices[filled++] = stack[--depth];
  }
  blocks.skip();
}

class GifFilm final : public FilmReader {
 public:
  explicit GifFilm(const std::filesystem::path& file) : file_(file), source_(file_) {
    format_ = Format::Gif;
    begin(source_);
    foreign::File again(file);
    ByteSource scanned(again);
    begin(scanned);
    while (toImage(scanned)) {
      std::array<std::uint8_t, 9> head{};
      scanned.read(head.data(), head.size());
      if (head[8] & 0x80) scanned.skip(3u << ((head[8] & 7) + 1));
      scanned.skip(1);
      SubBlocks(scanned).skip();
      ++pictures_;
    }
    control_ = {};
  }

  bool next() override {
    prepareCanvas();
    if (undo_ == kToBackground) clear(frame_);
    if (undo_ == kToFormer) canvas_ = former_;
    undo_ = 0;
    if (!toImage(source_)) return false;
    std::array<std::uint8_t, 9> head{};
    source_.read(head.data(), head.size());
    const auto number = [&](std::size_t at) { return head[at] | head[at + 1] << 8; };
    frame_ = {number(0), number(2), number(4), number(6)};
    requireWithin(frame_);
    Colours colours = global_;
    if (head[8] & 0x80) source_.read(colours.data(), std::size_t{3} << ((head[8] & 7) + 1));
    if (control_.disposal == kToFormer) former_ = canvas_;
    indices_.resize(static_cast<std::size_t>(frame_.width) * static_cast<std::size_t>(frame_.height));
    decodeCodes(source_, indices_);
    lay(colours, (head[8] & 0x40) != 0);
    undo_ = control_.disposal;
    seconds_ = control_.delay / 100.0;
    control_ = {};
    return true;
  }

 private:
  static constexpr int kToBackground = 2, kToFormer = 3;  // disposals
  struct Control {
    int delay = 0, transparent = -1, disposal = 0;
  };

  void begin(ByteSource& source) {
    source.skip(6);  // the signature
    std::array<std::uint8_t, 7> screen{};
    source.read(screen.data(), screen.size());
    setSize(screen[0] | screen[1] << 8, screen[2] | screen[3] << 8);
    if (screen[4] & 0x80) source.read(global_.data(), std::size_t{3} << ((screen[4] & 7) + 1));
  }

  // Up to the next image's head; false at the end.
  bool toImage(ByteSource& source) {
    for (;;) {
      const std::uint8_t block = source.byte();
      if (block == kImage) return true;
      if (block == kTrailer) return false;
      if (block != kExtension) throw UsageError("the GIF is damaged: it has an unknown block");
      const std::uint8_t label = source.byte();
      SubBlocks blocks(source);
      std::array<std::uint8_t, 14> bytes{};
      std::size_t count = 0;
      while (count < bytes.size() && blocks.next(bytes[count])) ++count;
      blocks.skip();
      if (label == kControl && count >= 4) {
        control_ = {bytes[1] | bytes[2] << 8, bytes[0] & 1 ? bytes[3] : -1, bytes[0] >> 2 & 7};
      } else if (label == kApplication && count == bytes.size() &&
                 std::memcmp(bytes.data(), "NETSCAPE2.0\x01", 12) == 0) {
        const int again = bytes[12] | bytes[13] << 8;  // repetitions after the first play; 0: endless
        loop_ = again == 0 ? 0 : again + 1;
      }
    }
  }

  void lay(const Colours& colours, bool interlaced) {
    constexpr std::array<std::array<int, 2>, 4> kPasses = {{{0, 8}, {4, 8}, {2, 4}, {1, 2}}};
    const std::uint8_t* index = indices_.data();
    const auto row = [&](int y) {
      std::uint8_t* to = pixel(frame_.left, frame_.top + y);
      for (int x = 0; x < frame_.width; ++x, ++index, to += 3) {
        if (*index != control_.transparent) std::memcpy(to, &colours[std::size_t{3} * *index], 3);
      }
    };
    if (interlaced) {
      for (const auto& [from, step] : kPasses) {
        for (int y = from; y < frame_.height; y += step) row(y);
      }
    } else {
      for (int y = 0; y < frame_.height; ++y) row(y);
    }
  }

  foreign::File file_;
  ByteSource source_;
  Colours global_{};
  Control control_;
  Rectangle frame_;
  int undo_ = 0;
  std::vector<std::uint8_t> indices_, former_;
};

}  // namespace

std::unique_ptr<FilmReader> openGifFilm(const std::filesystem::path& file) {
  return std::make_unique<GifFilm>(file);
}

}  // namespace simscope::exporting
