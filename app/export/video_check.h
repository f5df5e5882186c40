// Whether a video is complete, by its own index: an encoder may report success after the disk is full.
//
// Only the lengths of its parts, which must fill the file exactly, and its frame counts are read; not the pictures.
// Thread: any. Errors: none; a file that cannot be read is not complete.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/export/formats.h"

namespace simscope::exporting {

// Empty: it holds `frames` pictures at `fps`. Otherwise the fault, as the end of a sentence about the video: "ends
// within its index", "holds 12 of 30 frames".
std::string flawOf(const std::filesystem::path& video, VideoFormat format, std::int64_t frames, double fps);

}  // namespace simscope::exporting
