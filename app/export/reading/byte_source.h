// Bytes of an untrusted file, or of memory, read forwards and never beyond their end.
//
// Owner: the file, or the bytes, must outlive it. Thread: one at a time. Errors: CutShort if more bytes are requested
// than there are, which readers turn into their own messages; UsageError if the file cannot be read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "sims/foreign/file.h"

namespace simscope::exporting {

// The file ends before its format's end.
struct CutShort {};

class ByteSource {
 public:
  explicit ByteSource(foreign::File& file) : file_(&file), left_(file.size()) {}
  explicit ByteSource(std::string_view bytes) : buffer_(bytes), left_(bytes.size()) {}
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  std::uint64_t left() const noexcept { return left_; }
  void read(void* data, std::size_t bytes) {
    if (bytes > left_) throw CutShort{};
    auto* to = static_cast<char*>(data);
    while (bytes > 0) {
      if (buffer_.empty()) fill();
      const std::size_t now = std::min(bytes, buffer_.size());
      std::memcpy(to, buffer_.data(), now);
      take(now);
      to += now;
      bytes -= now;
    }
  }
  std::uint8_t byte() {
    std::uint8_t value = 0;
    read(&value, 1);
    return value;
  }
  void skip(std::uint64_t bytes) {
    if (bytes > left_) throw CutShort{};
    const std::uint64_t now = std::min<std::uint64_t>(bytes, buffer_.size());
    take(static_cast<std::size_t>(now));
    if (bytes == now) return;
    file_->skip(bytes - now);
    left_ -= bytes - now;
  }

 private:
  void take(std::size_t bytes) {
    buffer_.remove_prefix(bytes);
    left_ -= bytes;
  }
  void fill() {
    const std::size_t got = file_ ? file_->read(piece_.data(), piece_.size()) : 0;
    if (got == 0) throw CutShort{};  // the file has been truncated
    buffer_ = {piece_.data(), got};
  }

  foreign::File* file_ = nullptr;
  std::array<char, 1 << 14> piece_;
  std::string_view buffer_;
  std::uint64_t left_ = 0;
};

}  // namespace simscope::exporting
