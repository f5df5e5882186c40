// Whether a video is whole, by its own index: an encoder that runs out of disk may still say that all is well.
//
// Read are the lengths of its parts, which must fill the file exactly, and what it says of its frames; not the
// pictures. Thread: any. Errors: none; a file that cannot be read is not whole.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "app/export/formats.h"

namespace simscope::exporting {

// Empty: it holds `frames` pictures at `fps`. Else what is wrong, as the end of a sentence about the video: "ends
// within its index", "holds 12 of 30 frames".
std::string flawOf(const std::filesystem::path& video, VideoFormat format, std::int64_t frames, double fps);

}  // namespace simscope::exporting
