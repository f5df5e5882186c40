// Reads pictures in BMP.
//
// Headers of OS/2 and of Windows, 1 to 32 bits a pixel, colour tables and masks, rows from below or from above. Alpha
// counts where the header has a mask for it, and where it is not 0 everywhere. Pure; any thread.
#pragma once

#include <string_view>

#include "sims/image/image.h"

namespace simscope::image {

bool isBmp(std::string_view bytes);

// UsageError with what is wrong: a damaged header, more pixels than `most_pixels`, an encoding that is not read, a
// colour that the table does not have, data that end early. Memory for the pixels is taken once the file is long
// enough.
GreyImage readBmp(std::string_view bytes, int most_pixels);

}  // namespace simscope::image
