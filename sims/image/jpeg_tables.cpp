#include "sims/image/jpeg_tables.h"

#include <algorithm>
#include <cstddef>

namespace simscope::image {
namespace {

constexpr std::size_t kTables = 0xc4, kEnd = 0xd9;

std::size_t byte(std::string_view bytes, std::size_t at) {
  return static_cast<unsigned char>(bytes[at]);
}

}  // namespace

// Each table has its place, 16 numbers of codes, and as many symbols.
bool codesAreSound(std::string_view tables) {
  constexpr std::size_t kHead = 17, kMostCodes = 256;
  while (tables.size() >= kHead) {
    std::size_t codes = 0;
    for (std::size_t i = 1; i < kHead; ++i) codes += byte(tables, i);
    if (codes > kMostCodes) return false;
    tables.remove_prefix(std::min(kHead + codes, tables.size()));
  }
  return tables.empty();
}

bool tablesAreSound(std::string_view file) {
  // From marker to marker, over the lengths of segments and over the coded data, as stb_image goes.
  for (std::size_t at = 2; at + 1 < file.size();) {
    const std::size_t marker = byte(file, at) == 0xff ? byte(file, at + 1) : 0;
    const bool restart = marker >= 0xd0 && marker <= 0xd7;
    if (marker == kEnd) return true;
    if (marker == 0 || marker == 0xff || restart) {
      ++at;
      continue;
    }
    at += 2;
    const std::size_t length = at + 1 < file.size() ? byte(file, at) << 8 | byte(file, at + 1) : 0;
    if (marker == kTables && (length < 2 || !codesAreSound(file.substr(std::min(at + 2, file.size()), length - 2))))
      return false;
    at += length;
  }
  return true;
}

}  // namespace simscope::image
