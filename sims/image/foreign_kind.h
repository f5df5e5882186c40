// What a file is that is no picture for us, by its first bytes: other formats, animations, and encodings that the
// decoder does not know. Pure; any thread.
#pragma once

#include <string>
#include <string_view>

namespace simscope::image {

// As the end of "this is …", with what to do about it: "a GIF; save one of its pictures as PNG". Empty where nothing is
// known against the file.
std::string foreignKind(std::string_view bytes);

}  // namespace simscope::image
