// CRC-32 with the polynomial of ISO 3309: the checksum of a PNG's chunks. Pure; any thread.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace simscope::exporting {

inline constexpr std::array<std::uint32_t, 256> kCrcTable = [] {
  std::array<std::uint32_t, 256> table{};
  for (std::uint32_t n = 0; n < 256; ++n) {
    std::uint32_t c = n;
    for (int bit = 0; bit < 8; ++bit) {
      c = (c & 1u) ? 0xedb88320u ^ (c >> 1) : c >> 1;
    }
    table[n] = c;
  }
  return table;
}();

inline std::uint32_t crc32(std::string_view bytes) {
  std::uint32_t c = 0xffffffffu;
  for (const char byte : bytes) {
    c = kCrcTable[(c ^ static_cast<std::uint8_t>(byte)) & 0xffu] ^ (c >> 8);
  }
  return c ^ 0xffffffffu;
}

}  // namespace simscope::exporting
