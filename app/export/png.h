// PNG files that are whole or not there, with the scene that made them.
//
// Thread: any, a file at a time. Errors: as PendingFile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

namespace simscope::exporting {

class PendingFile;

// RGB, top row first. `scene` goes into the text chunk "simscope" (empty: none).
void writePng(const std::filesystem::path& target, int width, int height, std::span<const std::uint8_t> rgb,
              const std::string& scene, bool overwrite);
void writePng(PendingFile& file, int width, int height, std::span<const std::uint8_t> rgb, const std::string& scene);

}  // namespace simscope::exporting
