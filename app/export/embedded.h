// The scene that simscope embeds in its files: the comment extension of a GIF, the text chunk "simscope" of a PNG (tEXt
// or iTXt; another program may have compressed it).
//
// Thread: any. The file is untrusted: every length is checked, at most kMaximumSceneBytes of text are kept, and no
// image data is decoded; a PNG's texts must have their checksum. Sources: CompuServe's GIF89a specification (1990); the
// W3C's PNG specification, third edition. Errors: UsageError if the file cannot be read, is neither a GIF nor a PNG, is
// truncated, or contains no scene.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace simscope::exporting {

inline constexpr std::size_t kMaximumSceneBytes = 16u << 20;

// The embedded JSON text (UTF-8, not parsed).
std::string readEmbeddedScene(const std::filesystem::path& file);
// The same for a file that is completely in memory. The errors do not name a file.
std::string readEmbeddedBytes(std::string_view bytes);

}  // namespace simscope::exporting
