// The way up in which a camera has held a picture: EXIF's tag Orientation, in a JPEG's APP1 segment or a PNG's eXIf
// chunk. Sources: TIFF 6.0 (the tag, 274), Exif 2.32 (CIPA DC-008), PNG (third edition, eXIf).
// Pure functions of bytes from others: every place is checked before it is read. Any thread.
#pragma once

#include <string_view>

#include "sims/image/image.h"

namespace simscope::image {

// 1 to 8, as TIFF has them; 1, the way it is stored, where the file has no such tag or it cannot be read.
int orientationOf(std::string_view file);

// The picture as it is to be seen.
GreyImage turned(GreyImage stored, int orientation);

}  // namespace simscope::image
