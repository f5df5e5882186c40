// PNG pictures through stb_image_write, with the scene in a text chunk of our own before the end.
#include "app/export/png.h"

#include <fmt/format.h>

#include <climits>

#include "app/export/crc.h"
#include "app/export/embedded.h"
#include "app/export/files.h"
#include "sims/compute/error.h"

#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>

namespace simscope::exporting {
namespace {

using PngBytes = std::vector<std::uint8_t>;

constexpr std::size_t kChunkFrame = 12;           // length, type, CRC
constexpr std::size_t kFrontBytes = 8 + 12 + 13;  // signature and IHDR

struct Sink {
  PngBytes bytes;
  bool failed = false;
};

// Called from C: nothing may be thrown through it.
void append(void* context, void* data, int size) {
  auto& sink = *static_cast<Sink*>(context);
  const auto* first = static_cast<const std::uint8_t*>(data);
  try {
    sink.bytes.insert(sink.bytes.end(), first, first + size);
  } catch (...) {
    sink.failed = true;
  }
}

void checkPng(int width, int height, std::size_t bytes, const std::string& scene) {
  // stb_image_write counts the bytes in an int.
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

// A whole PNG, without a scene.
PngBytes plainPng(const std::uint8_t* rgb, int width, int height, std::size_t stride) {
  Sink sink;
  const int written = stbi_write_png_to_func(append, &sink, width, height, 3, rgb, static_cast<int>(stride));
  if (written == 0 || sink.failed || sink.bytes.size() < kFrontBytes + 2 * kChunkFrame) {
    throw Error("cannot encode a PNG: out of memory");
  }
  return std::move(sink.bytes);
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

// International text (UTF-8), not compressed: keyword, two flags, no language, no translated keyword.
std::string pngSceneChunk(const std::string& scene) {
  std::string body = "simscope";
  body.append(5, '\0');
  return pngChunk("iTXt", body + scene);
}

std::string pngData(const std::uint8_t* rgb, int width, int height, std::size_t stride) {
  const PngBytes whole = plainPng(rgb, width, height, stride);
  // Between the header and the end stands one IDAT.
  const auto first = whole.begin() + kFrontBytes + 8, last = whole.end() - kChunkFrame - 4;
  return {first, last};
}

std::vector<std::uint8_t> encodedPng(int width, int height, std::span<const std::uint8_t> rgb,
                                     const std::string& scene) {
  checkPng(width, height, rgb.size(), scene);
  PngBytes bytes = plainPng(rgb.data(), width, height, static_cast<std::size_t>(width) * 3);
  if (scene.empty()) return bytes;
  const std::string chunk = pngSceneChunk(scene);
  bytes.insert(bytes.end() - kChunkFrame, chunk.begin(), chunk.end());
  return bytes;
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
