#include "app/export/embedded.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "app/export/film_formats.h"
#include "app/export/reading/byte_source.h"
#include "app/export/zlib_stream.h"
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

// A tEXt is Latin-1.
std::string utf8Of(std::string_view latin1) {
  std::string text;
  for (const char c : latin1) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x80) {
      text += c;
    } else {
      text += {static_cast<char>(0xc0 | code >> 6), static_cast<char>(0x80 | (code & 0x3f))};
    }
  }
  return text;
}

// What a program compressed when it wrote the picture again.
std::string inflatedText(std::string_view data) {
  constexpr std::size_t kPiece = 1 << 16;
  Inflater inflater;
  std::string text;
  while (!inflater.ended()) {
    const std::size_t had = text.size();
    if (had > kMaximumSceneBytes) tooLarge();
    text.resize(had + kPiece);
    const std::size_t made = inflater.make(data, reinterpret_cast<std::uint8_t*>(text.data()) + had, kPiece);
    text.resize(had + made);
    if (!inflater.ended() && made < kPiece) throw UsageError("a compressed text chunk is damaged");
  }
  return text;
}

// The text after a PNG text chunk's keyword; empty where the chunk is another one's.
std::string sceneOfTextChunk(std::string_view type, std::string_view chunk) {
  constexpr std::string_view kKeyword("simscope\0", 9);
  if (!chunk.starts_with(kKeyword)) return {};
  chunk.remove_prefix(kKeyword.size());
  if (type == "tEXt") return utf8Of(chunk);
  if (type == "zTXt") return chunk.empty() || chunk[0] != 0 ? std::string() : utf8Of(inflatedText(chunk.substr(1)));
  if (chunk.size() < 2) return {};
  const bool compressed = chunk[0] == 1 && chunk[1] == 0;
  if (chunk[0] != 0 && !compressed) return {};
  chunk.remove_prefix(2);
  for (int field = 0; field < 2; ++field) {  // language, translated keyword
    const std::size_t end = chunk.find('\0');
    if (end == std::string_view::npos) return {};
    chunk.remove_prefix(end + 1);
  }
  return compressed ? inflatedText(chunk) : std::string(chunk);
}

std::string sceneOfPng(ByteSource& source) {
  for (;;) {
    std::array<std::uint8_t, 8> head{};
    source.read(head.data(), head.size());
    const std::uint64_t length = std::uint64_t{head[0]} << 24 | head[1] << 16 | head[2] << 8 | head[3];
    const std::string_view type(reinterpret_cast<const char*>(head.data()) + 4, 4);
    requirePngLetters(type);
    if (type == "IEND") {
      return {};
    }
    if (type == "iTXt" || type == "tEXt" || type == "zTXt") {
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
      if (crc32(chunk, crc32(type)) != stated) {
        throw UsageError("a text chunk is damaged (its checksum does not match)");
      }
      std::string scene = sceneOfTextChunk(type, chunk);
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
