#include "app/export/embedded.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <istream>
#include <string_view>
#include <vector>

#include "sims/compute/error.h"

namespace simscope::exporting {
namespace {

// Thrown inside this file alone: the file ends where its format says that more must come.
struct CutShort {};

// A stream read forwards, never past its end.
class Source {
 public:
  explicit Source(std::istream& stream) : stream_(stream) {
    const std::istream::pos_type here = stream_.tellg();
    const std::istream::pos_type end = stream_.seekg(0, std::ios::end).tellg();
    if (!stream_.seekg(here) || end < here) throw UsageError("it cannot be read");
    left_ = static_cast<std::uint64_t>(end - here);
  }
  std::uint64_t left() const { return left_; }
  void read(void* data, std::size_t bytes) {
    if (bytes > left_ || !stream_.read(static_cast<char*>(data), static_cast<std::streamsize>(bytes))) {
      throw CutShort{};
    }
    left_ -= bytes;
  }
  std::uint8_t byte() {
    std::uint8_t value = 0;
    read(&value, 1);
    return value;
  }
  void skip(std::uint64_t bytes) {
    if (bytes > left_ || !stream_.seekg(static_cast<std::streamoff>(bytes), std::ios::cur)) {
      throw CutShort{};
    }
    left_ -= bytes;
  }

 private:
  std::istream& stream_;
  std::uint64_t left_ = 0;
};

[[noreturn]] void tooLarge() {
  throw UsageError(fmt::format("the text in it is longer than {} bytes", kMaximumSceneBytes));
}

// GIFs carry comments of all sorts, without keywords: a scene is a JSON object that says so.
bool looksLikeScene(std::string_view text) {
  const auto start = text.find_first_not_of(" \t\r\n");
  return start != std::string_view::npos && text[start] == '{' && text.find("\"simscope\"") != std::string_view::npos;
}

void skipSubBlocks(Source& source) {
  while (const std::uint8_t length = source.byte()) {
    source.skip(length);
  }
}

std::string readSubBlocks(Source& source) {
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
std::string sceneOfGif(Source& source) {
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

std::string sceneOfPng(Source& source) {
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
      source.skip(4);
      std::string scene = sceneOfTextChunk(chunk, type == "iTXt");
      if (!scene.empty()) {
        return scene;
      }
    } else {
      source.skip(length + 4);
    }
  }
}

std::string find(Source& source) {
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

std::string readEmbeddedScene(std::istream& stream) {
  std::string reason = "simscope embeds one in each GIF and PNG that it writes; other programs may drop it";
  try {
    Source source(stream);
    std::string scene = find(source);
    if (!scene.empty()) return scene;
  } catch (const CutShort&) {
    reason = "it is cut short";
  } catch (const UsageError& error) {
    reason = error.what();
  }
  throw UsageError("no simscope scene in this file: " + reason);
}

std::string readEmbeddedScene(const std::filesystem::path& file) {
  try {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (!std::filesystem::exists(status)) throw UsageError("there is no such file");
    if (!std::filesystem::is_regular_file(status)) throw UsageError("not a regular file");
    std::ifstream stream(file, std::ios::binary);
    if (!stream) throw UsageError("it cannot be opened for reading");
    return readEmbeddedScene(stream);
  } catch (const UsageError& reason) {
    throw UsageError(fmt::format("'{}': {}", file.string(), reason.what()));
  }
}

}  // namespace simscope::exporting
