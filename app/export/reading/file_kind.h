// What a file is, by its first bytes: for words about a file that cannot be used as it was meant. Pure; any thread.
// Sources: the formats' own specifications; the signatures are those of file(1).
#pragma once

#include <cstddef>
#include <string_view>

namespace simscope::exporting {

inline constexpr std::size_t kFrontBytes = 4096;

enum class FileUse {
  None,
  SceneCarrier,  // a GIF or a PNG: may have a scene
  Snapshot,
  Video,
  Picture,
  Array,
  Table,     // also an archive of columns
  WideText,  // UTF-16: may be a scene that an editor saved so
};

struct FileKind {
  const char* what = "";  // "an MP4 video"; empty: JSON, or a text that is no table
  FileUse use = FileUse::None;
};

// `front`: the first kFrontBytes of the file, or all of it.
FileKind fileKind(std::string_view front);

}  // namespace simscope::exporting
