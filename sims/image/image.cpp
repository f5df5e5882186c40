#include "sims/image/image.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sims/compute/error.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"
#include "sims/image/bmp.h"
#include "sims/image/foreign_kind.h"
#include "sims/image/jpeg_tables.h"
#include "sims/image/orientation.h"
#include "sims/image/pnm.h"

namespace simscope::image {
namespace {

// The decoder reads tables that a JPEG does not define: they are zero. What it may take at once: what a picture says of
// its size in its header bounds what its compressed data may grow to, and a few bytes can claim to be gigabytes.
constexpr std::size_t kForAnyHeader = std::size_t{1} << 20;
thread_local std::size_t most_at_once = kForAnyHeader;

void* allocateForDecoder(std::size_t bytes) {
  return bytes > most_at_once ? nullptr : std::calloc(bytes, 1);
}
void* reallocateForDecoder(void* old, std::size_t bytes) {
  return bytes > most_at_once ? nullptr : std::realloc(old, bytes);
}

}  // namespace
}  // namespace simscope::image

// Only formats whose decoders check what they read; a picture's first bytes tell them apart.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_MALLOC(bytes) simscope::image::allocateForDecoder(bytes)
#define STBI_REALLOC(old, bytes) simscope::image::reallocateForDecoder(old, bytes)
#define STBI_FREE(old) std::free(old)
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#if defined(__clang__)
#pragma clang attribute push(__attribute__((no_sanitize("nonnull-attribute"))), \
                             apply_to = function)  // memcpy of nothing
#endif
#include <stb_image.h>
#if defined(__clang__)
#pragma clang attribute pop
#endif
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace simscope::image {
namespace {

using Bytes = std::string;

constexpr std::string_view kJpeg = "\xff\xd8";

constexpr const char* kAccepted = "Accepted are pictures in PNG, JPEG, BMP, PBM, PGM, or PPM of up to 67108864 pixels.";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw UsageError(fmt::format("image file {}: {}. {}", foreign::quotedFile(file), what, kAccepted));
}

Bytes readBytes(const std::filesystem::path& file) {
  if (file.empty()) refuse(file, "no file is named");
  Bytes bytes;
  try {
    bytes = foreign::readFile(file, kMostBytes);
  } catch (const UsageError& error) {
    refuse(file, error.what());
  }
  if (bytes.empty()) refuse(file, "the file is empty");
  return bytes;
}

bool startsWith(const Bytes& bytes, std::string_view magic) {
  return bytes.starts_with(magic);
}

// True where the picture's data end before the file says so. stb_image fills what is missing with some colour.
bool endsEarly(const Bytes& bytes) {
  const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])); };
  if (startsWith(bytes, kJpeg)) {
    // Segment by segment (a thumbnail within one has an end of its own), then the coded data up to the end marker.
    std::size_t at = 2;
    while (at + 4 <= bytes.size() && byte(at) == 0xff && byte(at + 1) != 0xda) {
      const bool fill = byte(at + 1) == 0xff;
      at += fill ? 1 : 2 + (byte(at + 2) << 8 | byte(at + 3));
    }
    for (; at + 1 < bytes.size(); ++at) {
      if (byte(at) == 0xff && byte(at + 1) == 0xd9) return false;
    }
    return true;
  }
  return false;  // PNG has its own check sums and lengths
}

struct Freed {
  void operator()(stbi_us* samples) const { stbi_image_free(samples); }
};

}  // namespace

GreyImage readGreyImage(const std::filesystem::path& file) {
  const Bytes bytes = readBytes(file);
  if (const std::string kind = foreignKind(bytes); !kind.empty()) refuse(file, "this is " + kind);
  try {
    if (isPnm(bytes)) return readPnm(bytes, kMostPixels);
    if (isBmp(bytes)) return readBmp(bytes, kMostPixels);
  } catch (const UsageError& error) {
    refuse(file, error.what());
  }
  // stb_image would also take a JPEG behind other bytes, which nothing below looks at.
  constexpr const char* kUnknown =
      "this is not a picture of a known format, or its header is damaged or states too large a size";
  if (!startsWith(bytes, "\x89PNG") && !startsWith(bytes, kJpeg)) refuse(file, kUnknown);
  if (endsEarly(bytes)) refuse(file, "the file ends in the middle of the picture");
  if (startsWith(bytes, kJpeg) && !tablesAreSound(bytes)) refuse(file, "its tables of codes are damaged");
  const auto* const data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, components = 0;
  most_at_once = kForAnyHeader;
  if (!stbi_info_from_memory(data, size, &width, &height, &components)) {
    refuse(file, kUnknown);
  }
  if (width < 1 || height < 1) refuse(file, fmt::format("a picture of {} × {} pixels is empty", width, height));
  const double pixels = static_cast<double>(width) * height;
  if (pixels > kMostPixels) refuse(file, fmt::format("{} × {} pixels are too many", width, height));

  // Four samples of 16 bits a pixel and a byte a row, in buffers that grow by doubling; a JPEG's come in blocks of 64.
  const auto padded = [](int side) { return static_cast<std::size_t>(side) + 64; };
  most_at_once = 16 * padded(width) * padded(height) + kForAnyHeader;
  constexpr int kColoursAndAlpha = 4;  // its own grey has weights of eight bits, which are off by up to 0.2 %
  const std::unique_ptr<stbi_us, Freed> samples(
      stbi_load_16_from_memory(data, size, &width, &height, &components, kColoursAndAlpha));
  if (!samples) {
    const char* const reason = stbi_failure_reason();
    refuse(file, fmt::format("the picture is damaged, or encoded in a way that is not supported ({})",
                             foreign::shown(reason ? reason : "no reason given")));  // it names chunks by their bytes
  }
  GreyImage image{width, height, {}};
  image.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  constexpr float kWhite = 65535;
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const auto sample = [&](std::size_t k) {
      return static_cast<float>(samples.get()[kColoursAndAlpha * i + k]) / kWhite;
    };
    image.values[i] = sample(3) * lumaOf(sample(0), sample(1), sample(2)) + (1 - sample(3));
  }
  return turned(std::move(image), orientationOf(bytes));
}

}  // namespace simscope::image
