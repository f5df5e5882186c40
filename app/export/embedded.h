// The scene that simscope embeds in what it writes: the comment extension of a GIF, the text chunk "simscope" of a PNG.
//
// Thread: any. The file may be anything: every length is checked, at most kMaximumSceneBytes of text are held, and
// nothing is decoded. Sources: CompuServe's GIF89a specification (1990); the W3C's PNG specification, third edition.
// Errors: UsageError where the file cannot be read, is neither a GIF nor a PNG, is cut short, or holds no scene.
#pragma once

#include <cstddef>
#include <filesystem>
#include <iosfwd>
#include <string>

namespace simscope::exporting {

inline constexpr std::size_t kMaximumSceneBytes = 16u << 20;

// The JSON text as it was embedded (UTF-8, not parsed).
std::string readEmbeddedScene(const std::filesystem::path& file);
// The same of a stream that can seek, from where it stands to its end. The errors have no file to name.
std::string readEmbeddedScene(std::istream& stream);

}  // namespace simscope::exporting
