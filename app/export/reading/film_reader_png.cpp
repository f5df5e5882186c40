// Pictures of a PNG and frames of an animated one: inflated row by row.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "app/export/film_formats.h"
#include "app/export/png.h"
#include "app/export/reading/byte_source.h"
#include "app/export/reading/film_reader.h"
#include "app/export/zlib_stream.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

constexpr std::uint64_t kMostOfAChunk = 0x7fffffff;  // the format's own limit

std::uint32_t word(std::string_view bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) value = value << 8 | static_cast<std::uint8_t>(bytes[at + i]);
  return value;
}

int halfWord(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]) << 8 | static_cast<std::uint8_t>(bytes[at + 1]);
}

[[noreturn]] void damagedPng(const char* what) {
  throw UsageError(fmt::format("the PNG is damaged: {}", what));
}

struct ChunkHead {
  std::uint64_t length = 0;
  std::string type;
};

ChunkHead chunkHead(ByteSource& source) {
  std::array<char, 8> head{};
  source.read(head.data(), head.size());
  const std::string_view bytes(head.data(), head.size());
  ChunkHead chunk{word(bytes, 0), std::string(bytes.substr(4))};
  requirePngLetters(chunk.type);
  if (chunk.length > kMostOfAChunk) damagedPng("a chunk is too long");
  return chunk;
}

void requireSum(ByteSource& source, std::uint32_t sum) {
  std::array<char, 4> stated{};
  source.read(stated.data(), stated.size());
  if (sum != word({stated.data(), stated.size()}, 0)) damagedPng("a checksum does not match");
}

// Of a chunk other than pixels.
std::string chunkBody(ByteSource& source, const ChunkHead& head) {
  constexpr std::uint64_t kLongest = 3 * 256;  // a palette
  if (head.length > kLongest) damagedPng("a chunk is too long");
  std::string body(head.length, '\0');
  source.read(body.data(), body.size());
  requireSum(source, crc32(body, crc32(head.type)));
  return body;
}

// Undoes the filter of a row; the first pixel has `step` bytes.
void unfilter(std::uint8_t filter, std::uint8_t* row, const std::uint8_t* above, std::size_t row_bytes,
              std::size_t step) {
  if (filter > 4) damagedPng("a row has an invalid filter");
  for (std::size_t i = 0; i < row_bytes; ++i) {
    const int left = i >= step ? row[i - step] : 0, up = above[i], corner = i >= step ? above[i - step] : 0;
    int guess = 0;
    if (filter == 1) guess = left;
    if (filter == 2) guess = up;
    if (filter == 3) guess = (left + up) / 2;
    if (filter == 4) {
      const int p = left + up - corner;
      const int to_left = std::abs(p - left), to_up = std::abs(p - up), to_corner = std::abs(p - corner);
      guess = to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
    }
    row[i] = static_cast<std::uint8_t>(row[i] + guess);
  }
}

class PngFilm final : public FilmReader {
 public:
  explicit PngFilm(const std::filesystem::path& file) : file_(file), source_(file_) {
    begin(source_);
    foreign::File again(file);
    ByteSource scanned(again);
    begin(scanned);
    for (ChunkHead head = chunkHead(scanned); head.type != "IEND"; head = chunkHead(scanned)) {
      if (head.type == "acTL" && head.length == 8) {
        format_ = Format::Apng;
        loop_ = static_cast<int>(std::min<std::uint32_t>(word(chunkBody(scanned, head), 4), INT_MAX));
        continue;
      }
      if (head.type == "fcTL") ++pictures_;
      scanned.skip(head.length + 4);
    }
    if (format_ == Format::Png) pictures_ = 1;
  }

  bool next() override {
    prepareCanvas();
    if (undo_ == kToBackground) clear(frame_.area);
    if (undo_ == kToFormer) canvas_ = former_;
    undo_ = 0;
    if (ended_) return false;
    const bool animated = format_ == Format::Apng;
    std::optional<Frame> frame = std::exchange(coming_, {});
    if (!animated) frame = Frame{{0, 0, width_, height_}};
    std::optional<Rows> rows;
    while (!ended_ && !coming_) {
      const ChunkHead head = chunkHead(source_);
      if (head.type == "IEND") {
        ended_ = true;
      } else if (animated && head.type == "fcTL") {
        Frame read = frameOf(chunkBody(source_, head));
        (frame ? coming_ : frame) = read;
      } else if (frame && (head.type == "IDAT" || (animated && head.type == "fdAT"))) {
        if (!rows) {
          frame_ = *frame;
          if (frame_.disposal == kToFormer) former_ = canvas_;
          rows.emplace(rowBytes(frame_));
        }
        rows->given += head.length;
        if (rows->given > mostData(frame_)) damagedPng("a frame has more bytes than its pixels take");
        readPixels(head, *rows);
      } else if (head.type == "PLTE" && head.length <= palette_.size()) {
        const std::string body = chunkBody(source_, head);
        std::memcpy(palette_.data(), body.data(), body.size());
      } else {
        source_.skip(head.length + 4);
      }
    }
    if (!frame && animated) return false;
    if (!rows) damagedPng("a frame has no pixels");
    if (rows->done < frame_.area.height) damagedPng("a frame has fewer pixels than its size needs");
    undo_ = frame_.disposal;
    seconds_ = animated ? frame_.seconds : 0;
    return true;
  }

 private:
  static constexpr int kToBackground = 1, kToFormer = 2;  // disposals
  struct Frame {
    Rectangle area;
    double seconds = 0;
    int disposal = 0;
    bool over = false;
  };

  void begin(ByteSource& source) {
    source.skip(kPngSignature.size());
    const ChunkHead head = chunkHead(source);
    if (head.type != "IHDR" || head.length != 13) damagedPng("its header is missing at the beginning");
    const std::string body = chunkBody(source, head);
    setSize(word(body, 0), word(body, 4));
    const auto kind = static_cast<std::uint8_t>(body[9]);
    constexpr std::array<int, 7> kChannels = {1, 0, 3, 1, 2, 0, 4};
    channels_ = kind < kChannels.size() ? kChannels[kind] : 0;
    indexed_ = kind == 3;
    if (channels_ == 0) damagedPng("its colour type is invalid");
    if (body[8] != 8 || body[12] != 0) {
      throw UsageError(
          "the PNG is interlaced, or has not 8 bits per channel: simscope writes no such file, another program "
          "converted it");
    }
  }

  // A frame's rows as they come out of its stream, each behind its filter's number.
  struct Rows {
    explicit Rows(std::size_t bytes) : row(bytes), above(bytes, 0) {}
    Inflater inflater;
    std::vector<std::uint8_t> row, above;
    std::size_t filled = 0;  // of the row
    int done = 0;
    std::uint64_t given = 0;  // bytes of the file
  };

  std::size_t rowBytes(const Frame& frame) const { return static_cast<std::size_t>(frame.area.width) * channels_ + 1; }
  std::size_t rawBytes(const Frame& frame) const {
    return rowBytes(frame) * static_cast<std::size_t>(frame.area.height);
  }
  // What incompressible pixels grow to under the worst of encoders.
  std::size_t mostData(const Frame& frame) const { return rawBytes(frame) + rawBytes(frame) / 4 + 4096; }

  Frame frameOf(const std::string& body) const {
    if (body.size() != 26) damagedPng("a frame's header has the wrong length");
    Frame frame;
    std::array<int, 4> numbers{};  // width, height, left, top
    for (std::size_t i = 0; i < numbers.size(); ++i) {
      const std::uint32_t value = word(body, 4 + 4 * i);
      numbers[i] = value > INT_MAX ? -1 : static_cast<int>(value);
    }
    frame.area = {numbers[2], numbers[3], numbers[0], numbers[1]};
    requireWithin(frame.area);
    const int denominator = halfWord(body, 22);
    frame.seconds = halfWord(body, 20) / (denominator == 0 ? 100.0 : denominator);
    frame.disposal = body[24];
    frame.over = body[25] == 1;
    return frame;
  }

  // A chunk of pixels, laid as far as it goes.
  void readPixels(const ChunkHead& head, Rows& rows) {
    std::array<char, 1 << 14> piece;
    std::uint64_t left = head.length, numbered = head.type == "fdAT" ? 4 : 0;
    std::uint32_t sum = crc32(head.type);
    while (left > 0) {
      const auto now = static_cast<std::size_t>(std::min<std::uint64_t>(left, piece.size()));
      source_.read(piece.data(), now);
      left -= now;
      std::string_view bytes(piece.data(), now);
      sum = crc32(bytes, sum);
      const auto skipped = static_cast<std::size_t>(std::min<std::uint64_t>(numbered, now));
      numbered -= skipped;
      bytes.remove_prefix(skipped);
      layRows(bytes, rows);
    }
    requireSum(source_, sum);
  }

  void layRows(std::string_view bytes, Rows& rows) {
    while (rows.done < frame_.area.height) {
      rows.filled += rows.inflater.make(bytes, rows.row.data() + rows.filled, rows.row.size() - rows.filled);
      if (rows.inflater.failed()) damagedPng("the stream of its pixels is broken");
      if (rows.filled < rows.row.size()) return;
      const std::size_t step = static_cast<std::size_t>(channels_);
      unfilter(rows.row[0], rows.row.data() + 1, rows.above.data() + 1, rows.row.size() - 1, step);
      layRow(rows.row.data() + 1, frame_.area.top + rows.done++);
      std::swap(rows.row, rows.above);
      rows.filled = 0;
    }
  }

  void layRow(const std::uint8_t* from, int y) {
    const auto step = static_cast<std::size_t>(channels_);
    const bool grey = !indexed_ && channels_ < 3;
    std::uint8_t* to = pixel(frame_.area.left, y);
    for (int x = 0; x < frame_.area.width; ++x, from += step, to += 3) {
      const std::uint8_t* colour = indexed_ ? &palette_[std::size_t{3} * *from] : from;
      const int alpha = channels_ == 2 || channels_ == 4 ? from[step - 1] : 255;
      for (int c = 0; c < 3; ++c) {
        const int now = colour[grey ? 0 : c], before = frame_.over ? to[c] : 0;
        to[c] = static_cast<std::uint8_t>((now * alpha + before * (255 - alpha)) / 255);
      }
    }
  }

  foreign::File file_;
  ByteSource source_;
  int channels_ = 3;
  bool indexed_ = false, ended_ = false;
  std::array<std::uint8_t, 3 * 256> palette_{};
  Frame frame_;
  std::optional<Frame> coming_;
  int undo_ = 0;
  std::vector<std::uint8_t> former_;
};

}  // namespace

void requirePngLetters(std::string_view type) {
  const auto letter = [](char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); };
  if (!std::all_of(type.begin(), type.end(), letter)) damagedPng("a chunk has no name");
}

std::unique_ptr<FilmReader> openPngFilm(const std::filesystem::path& file) {
  return std::make_unique<PngFilm>(file);
}

}  // namespace simscope::exporting
