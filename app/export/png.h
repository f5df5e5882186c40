// PNG files that are either complete or absent, with their scene; and the parts of animated PNGs.
//
// Thread: any, one file at a time. Errors: as PendingFile; UsageError for sizes and scenes that a PNG cannot hold;
// std::bad_alloc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace simscope::exporting {

class PendingFile;

// RGB, top row first. `scene` goes into a text chunk "simscope" before the pixels (empty: none).
void writePng(const std::filesystem::path& target, int width, int height, std::span<const std::uint8_t> rgb,
              const std::string& scene, bool overwrite);
void writePng(PendingFile& file, int width, int height, std::span<const std::uint8_t> rgb, const std::string& scene);
// The same file in memory.
std::vector<std::uint8_t> encodedPng(int width, int height, std::span<const std::uint8_t> rgb,
                                     const std::string& scene);

// Chunks and their parts, as bytes of the file.
inline constexpr std::string_view kPngSignature("\x89PNG\r\n\x1a\n", 8);
std::string bigEndian(std::uint32_t value);
std::string pngChunk(std::string_view type, std::string_view body);  // with length and checksum
std::string pngHeader(int width, int height);                        // IHDR of RGB, 8 bits each
// tEXt, which every program keeps, where the scene is Latin-1; otherwise iTXt.
std::string pngSceneChunk(const std::string& scene);
// Appends a chunk of pixels: `before` (the number of an fdAT), then the rows of a rectangle, filtered and compressed.
// `rgb`: its first pixel, `stride` bytes per row.
void addPngPixels(std::vector<std::uint8_t>& file, std::string_view type, std::string_view before,
                  const std::uint8_t* rgb, int width, int height, std::size_t stride);

}  // namespace simscope::exporting
