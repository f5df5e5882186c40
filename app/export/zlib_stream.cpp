#include "app/export/zlib_stream.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>
#include <new>

namespace simscope::exporting {
namespace {

// zlib counts in 32 bits.
constexpr std::size_t kMostAtOnce = std::numeric_limits<uInt>::max() / 2;

uInt atOnce(std::size_t bytes) {
  return static_cast<uInt>(std::min(bytes, kMostAtOnce));
}

Bytef* input(const void* bytes) {
  return const_cast<Bytef*>(static_cast<const Bytef*>(bytes));  // zlib only reads it
}

}  // namespace

std::uint32_t crc32(std::string_view bytes, std::uint32_t before) {
  return static_cast<std::uint32_t>(::crc32_z(before, input(bytes.data()), bytes.size()));
}

Deflater::Deflater(std::vector<std::uint8_t>& out) : out_(out) {
  auto stream = std::make_unique<z_stream>();
  if (deflateInit(stream.get(), Z_DEFAULT_COMPRESSION) != Z_OK) throw std::bad_alloc();
  stream_ = stream.release();
}

Deflater::~Deflater() {
  deflateEnd(stream_);
  delete stream_;
}

void Deflater::run(const std::uint8_t* bytes, std::size_t count, int flush) {
  std::array<std::uint8_t, 1 << 14> piece;
  bool more = true;
  while (more) {
    const uInt now = atOnce(count);
    stream_->next_in = input(bytes);
    stream_->avail_in = now;
    do {
      stream_->next_out = piece.data();
      stream_->avail_out = static_cast<uInt>(piece.size());
      deflate(stream_, now == count ? flush : Z_NO_FLUSH);
      out_.insert(out_.end(), piece.data(), stream_->next_out);
    } while (stream_->avail_out == 0);
    bytes += now;
    count -= now;
    more = count > 0;
  }
}

void Deflater::add(const std::uint8_t* bytes, std::size_t count) {
  if (count > 0) run(bytes, count, Z_NO_FLUSH);
}

void Deflater::finish() {
  run(nullptr, 0, Z_FINISH);
}

Inflater::Inflater() {
  auto stream = std::make_unique<z_stream>();
  if (inflateInit(stream.get()) != Z_OK) throw std::bad_alloc();
  stream_ = stream.release();
}

Inflater::~Inflater() {
  inflateEnd(stream_);
  delete stream_;
}

std::size_t Inflater::make(std::string_view& from, std::uint8_t* to, std::size_t room) {
  std::size_t made = 0;
  while (made < room && !ended_ && !failed_) {
    const uInt given = atOnce(from.size()), wanted = atOnce(room - made);
    stream_->next_in = input(from.data());
    stream_->avail_in = given;
    stream_->next_out = to + made;
    stream_->avail_out = wanted;
    const int result = inflate(stream_, Z_NO_FLUSH);
    if (result == Z_MEM_ERROR) throw std::bad_alloc();
    from.remove_prefix(given - stream_->avail_in);
    made += wanted - stream_->avail_out;
    ended_ = result == Z_STREAM_END;
    failed_ = result != Z_OK && result != Z_STREAM_END && result != Z_BUF_ERROR;
    if (result == Z_BUF_ERROR || (from.empty() && stream_->avail_out > 0)) break;
  }
  return made;
}

}  // namespace simscope::exporting
