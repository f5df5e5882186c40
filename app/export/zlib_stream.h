// zlib streams (RFC 1950) in parts, and the checksum of a PNG's chunks.
//
// Owner: each owns its stream. Thread: one at a time. Errors: std::bad_alloc; an Inflater says what is damaged by
// ended() and failed(), and never makes more bytes than it is asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

struct z_stream_s;

namespace simscope::exporting {

// CRC-32 of ISO 3309; `before`: that of the bytes before.
std::uint32_t crc32(std::string_view bytes, std::uint32_t before = 0);

class Deflater {
 public:
  // Appends to `out`.
  explicit Deflater(std::vector<std::uint8_t>& out);
  ~Deflater();
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  void add(const std::uint8_t* bytes, std::size_t count);
  void finish();

 private:
  void run(const std::uint8_t* bytes, std::size_t count, int flush);

  std::vector<std::uint8_t>& out_;
  z_stream_s* stream_;
};

class Inflater {
 public:
  Inflater();
  ~Inflater();
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Makes up to `room` bytes and takes what it needs from the front of `from`; fewer: `from` is empty, or the stream
  // has ended or failed.
  std::size_t make(std::string_view& from, std::uint8_t* to, std::size_t room);
  bool ended() const noexcept { return ended_; }    // with its checksum
  bool failed() const noexcept { return failed_; }  // it is damaged

 private:
  z_stream_s* stream_;
  bool ended_ = false, failed_ = false;
};

}  // namespace simscope::exporting
