#include "sims/image/image.h"

#include <fmt/format.h>

#include <cstring>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>

#include "sims/compute/error.h"

// Only formats whose decoders check what they read; a picture's first bytes tell them apart.
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_PNM
#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif
#include <stb_image.h>
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace simscope::image {
namespace {

using Bytes = std::vector<stbi_uc>;

constexpr const char* kAccepted = "Accepted are pictures in PNG, JPEG, BMP, PGM, or PPM of up to 67108864 pixels.";

[[noreturn]] void refuse(const std::filesystem::path& file, const std::string& what) {
  throw UsageError(fmt::format("image file '{}': {}. {}", file.string(), what, kAccepted));
}

Bytes readBytes(const std::filesystem::path& file) {
  namespace fs = std::filesystem;
  if (file.empty()) refuse(file, "no file is named");
  std::error_code failure;
  const fs::file_status status = fs::status(file, failure);
  if (status.type() == fs::file_type::not_found) refuse(file, "there is no such file");
  if (failure) refuse(file, failure.message());
  if (fs::is_directory(status)) refuse(file, "this is a folder");
  if (!fs::is_regular_file(status)) refuse(file, "this is not a regular file");
  const std::uintmax_t size = fs::file_size(file, failure);
  if (failure) refuse(file, failure.message());
  if (size == 0) refuse(file, "the file is empty");
  if (size > kMostBytes) refuse(file, fmt::format("{} bytes are more than a picture may have ({})", size, kMostBytes));
  Bytes bytes(static_cast<std::size_t>(size));
  std::ifstream in(file, std::ios::binary);
  if (!in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
    refuse(file, "the file cannot be read");
  }
  return bytes;
}

bool startsWith(const Bytes& bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
}

// True where the picture's data end before the file says so. stb_image fills what is missing with some colour.
bool endsEarly(const Bytes& bytes, double samples) {
  if (startsWith(bytes, "\xff\xd8")) {
    // Segment by segment (a thumbnail within one has an end of its own), then the coded data up to the end marker.
    std::size_t at = 2;
    while (at + 4 <= bytes.size() && bytes[at] == 0xff && bytes[at + 1] != 0xda) {
      const bool fill = bytes[at + 1] == 0xff;
      at += fill ? 1 : 2 + static_cast<std::size_t>(bytes[at + 2] << 8 | bytes[at + 3]);
    }
    for (; at + 1 < bytes.size(); ++at) {
      if (bytes[at] == 0xff && bytes[at + 1] == 0xd9) return false;
    }
    return true;
  }
  if (startsWith(bytes, "BM")) {
    const auto byte = [&](std::size_t i) { return static_cast<std::size_t>(bytes[2 + i]) << (8 * i); };
    return bytes.size() < 6 || (byte(0) | byte(1) | byte(2) | byte(3)) > bytes.size();
  }
  if (startsWith(bytes, "P5") || startsWith(bytes, "P6")) return static_cast<double>(bytes.size()) < samples;
  return false;  // PNG has its own check sums and lengths
}

struct Freed {
  void operator()(stbi_us* samples) const { stbi_image_free(samples); }
};

}  // namespace

GreyImage readGreyImage(const std::filesystem::path& file) {
  const Bytes bytes = readBytes(file);
  const int size = static_cast<int>(bytes.size());
  int width = 0, height = 0, components = 0;
  if (!stbi_info_from_memory(bytes.data(), size, &width, &height, &components)) {
    refuse(file, "this is not a picture of a known format, or its header is broken or asks for too much");
  }
  if (width < 1 || height < 1)
    refuse(file, fmt::format("a picture of {} × {} pixels has nothing to show", width, height));
  const double pixels = static_cast<double>(width) * height;
  if (pixels > kMostPixels) refuse(file, fmt::format("{} × {} pixels are too many", width, height));
  if (endsEarly(bytes, pixels * components)) refuse(file, "the file ends in the middle of the picture");

  constexpr int kGreyAndAlpha = 2;
  const std::unique_ptr<stbi_us, Freed> samples(
      stbi_load_16_from_memory(bytes.data(), size, &width, &height, &components, kGreyAndAlpha));
  if (!samples) {
    const char* const reason = stbi_failure_reason();
    refuse(file, fmt::format("the picture is broken ({})", reason ? reason : "no reason given"));
  }
  GreyImage image{width, height, {}};
  image.values.resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  constexpr float kWhite = 65535;
  for (std::size_t i = 0; i < image.values.size(); ++i) {
    const float grey = static_cast<float>(samples.get()[2 * i]) / kWhite;
    const float alpha = static_cast<float>(samples.get()[2 * i + 1]) / kWhite;
    image.values[i] = 1 - alpha * (1 - grey);
  }
  return image;
}

}  // namespace simscope::image
