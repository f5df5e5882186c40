#include "app/export/embedded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "app/export/crc.h"
#include "app/export/reading/byte_source.h"
#include "sims/compute/error.h"
#include "sims/foreign/file.h"
#include "sims/foreign/words.h"

namespace simscope::exporting {
namespace {

[[noreturn]] void tooLarge() {
  throw UsageError(fmt::format("its text is longer than {} bytes", kMaximumSceneBytes));
}

// GIFs carry comments of all sorts, without keywords: a scene is a JSON object that says so.
bool looksLikeScene(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' && text.find("\"simscope\"") != std::string_view::npos;
}

void skipSubBlocks(ByteSource& source) {
  while (const std::uint8_t length = source.byte()) {
    source.skip(length);
  }
}

std::string readSubBlocks(ByteSource& source) {
  std::string text;
  while (const std::uint8_t length = source.byte()) {
    const std::size_t old = text.size();
    if (old + length > kMaximumSceneBytes) {
      tooLarge();
    }
    text.resize(old + length);
    source.read(text.data() + old, length);
  }
  return text;
}

std::uint64_t colourTableBytes(std::uint8_t flags) {
  return (flags & 0x80) ? 3u << ((flags & 7) + 1) : 0;
}

// After the signature. Empty: no scene.
std::string sceneOfGif(ByteSource& source) {
  std::array<std::uint8_t, 7> screen{};
  source.read(screen.data(), screen.size());
  source.skip(colourTableBytes(screen[4]));
  for (;;) {
    switch (source.byte()) {
      case 0x21:  // extension
        if (source.byte() == 0xfe) {
          std::string comment = readSubBlocks(source);
          if (looksLikeScene(comment)) {
            return comment;
          }
        } else {
          skipSubBlocks(source);
        }
        break;
      case 0x2c: {  // image
        std::array<std::uint8_t, 9> descriptor{};
        source.read(descriptor.data(), descriptor.size());
        source.skip(colourTableBytes(descriptor[8]));
        source.skip(1);
        skipSubBlocks(source);
        break;
      }
      default:  // the trailer; or no block at all, and nothing after it can be trusted
        return {};
    }
  }
}

// The text after a PNG text chunk's keyword; empty where the chunk is another one's or compressed.
std::string sceneOfTextChunk(const std::string& chunk, bool international) {
  constexpr std::string_view kKeyword("simscope\0", 9);
  if (chunk.compare(0, kKeyword.size(), kKeyword) != 0) {
    return {};
  }
  std::size_t at = kKeyword.size();
  if (international) {
    if (chunk.size() < at + 2 || chunk[at] != 0) {
      return {};
    }
    at += 2;
    for (int field = 0; field < 2; ++field) {  // language, translated keyword
      at = chunk.find('\0', at);
      if (at == std::string::npos) {
        return {};
      }
      ++at;
    }
  }
  return chunk.substr(at);
}

std::string sceneOfPng(ByteSource& source) {
  for (;;) {
    std::array<std::uint8_t, 8> head{};
    source.read(head.data(), head.size());
    const std::uint64_t length = std::uint64_t{head[0]} << 24 | head[1] << 16 | head[2] << 8 | head[3];
    const std::string_view type(reinterpret_cast<const char*>(head.data()) + 4, 4);
    if (type == "IEND") {
      return {};
    }
    if (type == "iTXt" || type == "tEXt") {
      if (length > source.left()) {
        throw CutShort{};
      }
      if (length > kMaximumSceneBytes + 64) {
        tooLarge();
      }
      std::string chunk(length, '\0');
      source.read(chunk.data(), chunk.size());
      std::array<std::uint8_t, 4> sum{};
      source.read(sum.data(), sum.size());
      const std::uint32_t stated = std::uint32_t{sum[0]} << 24 | sum[1] << 16 | sum[2] << 8 | sum[3];
      if (crc32(std::string(type) + chunk) != stated) {
        throw UsageError("a text chunk is damaged (its checksum does not match)");
      }
      std::string scene = sceneOfTextChunk(chunk, type == "iTXt");
      if (!scene.empty()) {
        return scene;
      }
    } else {
      source.skip(length + 4);
    }
  }
}

std::string find(ByteSource& source) {
  constexpr std::string_view kPng("\x89PNG\r\n\x1a\n", 8);
  std::array<char, 8> signature{};
  if (source.left() < signature.size()) {
    throw UsageError("it is neither a GIF nor a PNG");
  }
  source.read(signature.data(), 6);
  if (std::memcmp(signature.data(), "GIF8", 4) == 0) {
    return sceneOfGif(source);
  }
  source.read(signature.data() + 6, 2);
  if (std::string_view(signature.data(), 8) == kPng) {
    return sceneOfPng(source);
  }
  throw UsageError("it is neither a GIF nor a PNG");
}

}  // namespace

namespace {

std::string sceneIn(ByteSource& source) {
  std::string reason = "simscope embeds one in each GIF and PNG that it writes; other programs may remove it";
  try {
    std::string scene = find(source);
    if (!scene.empty()) return scene;
  } catch (const CutShort&) {
    reason = "it is truncated";
  } catch (const UsageError& error) {
    reason = error.what();
  }
  throw UsageError("no simscope scene in this file: " + reason);
}

}  // namespace

std::string readEmbeddedBytes(std::string_view bytes) {
  ByteSource source(bytes);
  return sceneIn(source);
}

std::string readEmbeddedScene(const std::filesystem::path& file) {
  try {
    foreign::File opened(file);
    ByteSource source(opened);
    return sceneIn(source);
  } catch (const UsageError& reason) {
    throw UsageError(fmt::format("{}: {}", foreign::quotedFile(file), reason.what()));
  }
}

}  // namespace simscope::exporting
