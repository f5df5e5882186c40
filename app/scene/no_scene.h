// Words about a file that has no scene: what it is, what carries a scene, which file beside it does, and what it can be
// used as.
//
// Reads the names beside the file and the texts within them. Thread: any. No errors: what cannot be read is not named.
#pragma once

#include <filesystem>
#include <string>

#include "app/export/reading/file_kind.h"

namespace simscope {

// "this is an MP4 video, which carries no scene. …": sentences, without the file's name in front.
std::string noSceneText(const std::filesystem::path& file, const exporting::FileKind& kind);
// The sentences about what is beside it and what it can be used as, each with a space before it.
std::string usesText(const std::filesystem::path& file, const exporting::FileKind& kind);

}  // namespace simscope
