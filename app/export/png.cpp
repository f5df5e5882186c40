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

using Bytes = std::vector<std::uint8_t>;

constexpr std::size_t kEndChunkBytes = 12;  // IEND is empty: length, type, CRC

std::string bigEndian(std::uint32_t value) {
  return {static_cast<char>(value >> 24), static_cast<char>(value >> 16), static_cast<char>(value >> 8),
          static_cast<char>(value)};
}

// International text (UTF-8), not compressed: keyword, two flags, no language, no translated keyword.
std::string sceneChunk(const std::string& scene) {
  std::string body = "iTXtsimscope";
  body.append(5, '\0');
  body += scene;
  return bigEndian(static_cast<std::uint32_t>(body.size() - 4)) + body + bigEndian(crc32(body));
}

struct Sink {
  Bytes bytes;
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

}  // namespace

void writePng(const std::filesystem::path& target, int width, int height, std::span<const std::uint8_t> rgb,
              const std::string& scene, bool overwrite) {
  PendingFile file(target, overwrite);
  writePng(file, width, height, rgb, scene);
  file.commit();
}

void writePng(PendingFile& file, int width, int height, std::span<const std::uint8_t> rgb, const std::string& scene) {
  // stb_image_write counts the bytes in an int.
  if (width < 1 || height < 1 || (3 * static_cast<std::int64_t>(width) + 1) * height > INT_MAX) {
    throw UsageError(fmt::format("a PNG of {}x{} pixels cannot be written: choose 1x1 to 26000x26000", width, height));
  }
  if (rgb.size() != static_cast<std::size_t>(width) * height * 3) {
    throw Error(fmt::format("a picture of {}x{} takes {} bytes, but {} were given", width, height,
                            static_cast<std::size_t>(width) * height * 3, rgb.size()));
  }
  if (scene.size() > kMaximumSceneBytes) {
    throw UsageError(
        fmt::format("the scene of {} bytes is too large to embed: at most {} bytes", scene.size(), kMaximumSceneBytes));
  }
  Sink sink;
  const int written = stbi_write_png_to_func(append, &sink, width, height, 3, rgb.data(), width * 3);
  if (written == 0 || sink.failed || sink.bytes.size() < kEndChunkBytes) {
    throw Error(fmt::format("cannot encode {} as PNG: out of memory", file.target().string()));
  }
  const std::size_t end = sink.bytes.size() - kEndChunkBytes;
  file.write(sink.bytes.data(), end);
  if (!scene.empty()) {
    const std::string chunk = sceneChunk(scene);
    file.write(chunk.data(), chunk.size());
  }
  file.write(sink.bytes.data() + end, kEndChunkBytes);
}

}  // namespace simscope::exporting
