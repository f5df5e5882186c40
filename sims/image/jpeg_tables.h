// Tables of codes of a JPEG, looked at before stb_image reads them. Pure; any thread.
#pragma once

#include <string_view>

namespace simscope::image {

// Whether a segment's content is tables one after the other, none with more than 256 codes (ITU-T T.81, B.2.4.2).
// stb_image 2.27 relies on that.
bool codesAreSound(std::string_view segment);

// Whether all tables of a file are. `file`: a JPEG, from its first byte.
bool tablesAreSound(std::string_view file);

}  // namespace simscope::image
