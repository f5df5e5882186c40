// The scene that simscope embeds in what it writes: the comment extension of a GIF, the text chunk "simscope" of a PNG.
//
// Thread: any. The file may be anything: every length is checked, at most kMaximumSceneBytes of text are held, and
// nothing is decoded; a PNG's texts must have their check sum. Sources: CompuServe's GIF89a specification (1990); the
// W3C's PNG specification, third edition. Errors: UsageError where the file cannot be read, is neither a GIF nor a PNG,
// is cut short, or holds no scene.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace simscope::exporting {

inline constexpr std::size_t kMaximumSceneBytes = 16u << 20;

// The JSON text as it was embedded (UTF-8, not parsed).
std::string readEmbeddedScene(const std::filesystem::path& file);
// The same of a file that is in memory as a whole. The errors have no file to name.
std::string readEmbeddedBytes(std::string_view bytes);

}  // namespace simscope::exporting
