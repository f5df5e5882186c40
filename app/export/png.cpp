// Source: the W3C's PNG specification, third edition: chunks (5), filters and the choice among them (9, 12.7), texts
// (11.3.3).
#include "app/export/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <climits>
#include <cstdlib>
#include <new>
#include <optional>

#include "app/export/embedded.h"
#include "app/export/files.h"
#include "app/export/zlib_stream.h"
#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

using PngBytes = std::vector<std::uint8_t>;

constexpr std::size_t kChannels = 3;
constexpr int kFilters = 5;

void checkPng(int width, int height, std::size_t bytes, const std::string& scene) {
  // A chunk has 31 bits of length.
  if (width < 1 || height < 1 || (3 * static_cast<std::int64_t>(width) + 1) * height > INT_MAX) {
    throw UsageError(fmt::format("a PNG of {}x{} pixels cannot be written: choose 1x1 to 26000x26000", width, height));
  }
  if (bytes != static_cast<std::size_t>(width) * height * 3) {
    throw Error(fmt::format("a picture of {}x{} takes {} bytes, but {} were given", width, height,
                            static_cast<std::size_t>(width) * height * 3, bytes));
  }
  if (scene.size() > kMaximumSceneBytes) {
    throw UsageError(
        fmt::format("the scene of {} bytes is too large to embed: at most {} bytes", scene.size(), kMaximumSceneBytes));
  }
}

void append(PngBytes& file, std::string_view bytes) {
  file.insert(file.end(), bytes.begin(), bytes.end());
}

int paeth(int left, int up, int corner) {
  const int p = left + up - corner, to_left = std::abs(p - left), to_up = std::abs(p - up),
            to_corner = std::abs(p - corner);
  return to_left <= to_up && to_left <= to_corner ? left : to_up <= to_corner ? up : corner;
}

// The row behind its filter's number; `above`: zeros for the first. Both have kChannels zeros in front.
void filterRow(int filter, const std::uint8_t* row, const std::uint8_t* above, std::size_t bytes, std::uint8_t* to) {
  *to++ = static_cast<std::uint8_t>(filter);
  const std::uint8_t *left = row - kChannels, *corner = above - kChannels;
  const auto each = [&](auto guess) {
    for (std::size_t i = 0; i < bytes; ++i) to[i] = static_cast<std::uint8_t>(row[i] - guess(i));
  };
  switch (filter) {
    case 0:
      return each([](std::size_t) { return 0; });
    case 1:
      return each([&](std::size_t i) { return left[i]; });
    case 2:
      return each([&](std::size_t i) { return above[i]; });
    case 3:
      return each([&](std::size_t i) { return (left[i] + above[i]) / 2; });
    default:
      return each([&](std::size_t i) { return paeth(left[i], above[i], corner[i]); });
  }
}

// The sum of its differences, as signed numbers: what the specification's heuristic compares.
std::uint64_t costOf(const std::uint8_t* filtered, std::size_t bytes) {
  std::uint64_t sum = 0;
  for (std::size_t i = 1; i <= bytes; ++i) sum += std::abs(static_cast<std::int8_t>(filtered[i]));
  return sum;
}

// Each row with the filter that leaves least.
void deflateRows(Deflater& deflater, const std::uint8_t* rgb, int width, int height, std::size_t stride) {
  const std::size_t bytes = static_cast<std::size_t>(width) * kChannels;
  PngBytes above(kChannels + bytes, 0), row(kChannels + bytes, 0), best(bytes + 1), tried(bytes + 1);
  for (int y = 0; y < height; ++y, rgb += stride) {
    std::copy(rgb, rgb + bytes, row.begin() + kChannels);
    std::uint64_t least = UINT64_MAX;
    for (int filter = 0; filter < kFilters; ++filter) {
      filterRow(filter, row.data() + kChannels, above.data() + kChannels, bytes, tried.data());
      const std::uint64_t cost = costOf(tried.data(), bytes);
      if (cost >= least) continue;
      least = cost;
      std::swap(best, tried);
    }
    deflater.add(best.data(), best.size());
    std::swap(row, above);
  }
  deflater.finish();
}

// None where a character is not of Latin-1, or is a control that a text chunk must not hold.
std::optional<std::string> latin1(const std::string& utf8) {
  std::string text;
  for (std::size_t i = 0; i < utf8.size(); ++i) {
    const auto byte = static_cast<unsigned char>(utf8[i]);
    if (byte < 0x80) {
      if (byte == 0) return std::nullopt;
      text += utf8[i];
      continue;
    }
    const bool of_latin = (byte == 0xc2 || byte == 0xc3) && i + 1 < utf8.size();
    const auto next = of_latin ? static_cast<unsigned char>(utf8[++i]) : 0u;
    if ((next & 0xc0u) != 0x80) return std::nullopt;
    const unsigned code = (byte & 3u) << 6 | (next & 0x3fu);
    if (code < 0xa0) return std::nullopt;
    text += static_cast<char>(code);
  }
  return text;
}

}  // namespace

std::string bigEndian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

std::string pngChunk(std::string_view type, std::string_view body) {
  std::string summed(type);
  summed += body;
  return bigEndian(static_cast<std::uint32_t>(body.size())) + summed + bigEndian(crc32(summed));
}

std::string pngHeader(int width, int height) {
  std::string body = bigEndian(static_cast<std::uint32_t>(width)) + bigEndian(static_cast<std::uint32_t>(height));
  body += {8, 2, 0, 0, 0};  // bits, RGB, deflate, adaptive filters, not interlaced
  return pngChunk("IHDR", body);
}

std::string pngSceneChunk(const std::string& scene) {
  std::string body = "simscope";
  if (const auto text = latin1(scene)) return pngChunk("tEXt", body + '\0' + *text);
  body.append(5, '\0');  // not compressed: keyword, two flags, no language, no translated keyword
  return pngChunk("iTXt", body + scene);
}

void addPngPixels(std::vector<std::uint8_t>& file, std::string_view type, std::string_view before,
                  const std::uint8_t* rgb, int width, int height, std::size_t stride) {
  const std::size_t start = file.size(), body = start + 8;
  append(file, std::string(4, '\0'));
  append(file, type);
  append(file, before);
  Deflater deflater(file);
  deflateRows(deflater, rgb, width, height, stride);
  const std::string length = bigEndian(static_cast<std::uint32_t>(file.size() - body));
  std::copy(length.begin(), length.end(), file.begin() + static_cast<std::ptrdiff_t>(start));
  const std::string_view summed(reinterpret_cast<const char*>(file.data()) + start + 4, file.size() - start - 4);
  append(file, bigEndian(crc32(summed)));
}

std::vector<std::uint8_t> encodedPng(int width, int height, std::span<const std::uint8_t> rgb,
                                     const std::string& scene) {
  checkPng(width, height, rgb.size(), scene);
  try {
    PngBytes file;
    append(file, kPngSignature);
    append(file, pngHeader(width, height));
    if (!scene.empty()) append(file, pngSceneChunk(scene));
    addPngPixels(file, "IDAT", "", rgb.data(), width, height, static_cast<std::size_t>(width) * kChannels);
    append(file, pngChunk("IEND", ""));
    return file;
  } catch (const std::bad_alloc&) {
    throw Error(fmt::format("a PNG of {}x{} pixels cannot be encoded: out of memory", width, height));
  }
}

void writePng(const std::filesystem::path& target, int width, int height, std::span<const std::uint8_t> rgb,
              const std::string& scene, bool overwrite) {
  PendingFile file(target, overwrite);
  writePng(file, width, height, rgb, scene);
  file.commit();
}

void writePng(PendingFile& file, int width, int height, std::span<const std::uint8_t> rgb, const std::string& scene) {
  const PngBytes bytes = encodedPng(width, height, rgb, scene);
  file.write(bytes.data(), bytes.size());
}

}  // namespace simscope::exporting
