// Netpbm's six picture formats, P1 to P6, as grey values; source: the format pages pbm(5), pgm(5), ppm(5) of Netpbm.
// Every sample is divided by the largest value that the header states (1 to 65535); of a bitmap, 1 is black. Of a file
// with several pictures the first one is read. Pure functions; any thread.
#pragma once

#include <string>
#include <string_view>

#include "sims/image/image.h"

namespace simscope::image {

bool isPnm(std::string_view bytes);

// UsageError, without the file's name: a damaged header, more than `most_pixels` (before memory is taken), a sample
// that is no number or larger than the header allows (with its row and column), or a file that ends early.
GreyImage readPnm(std::string_view bytes, int most_pixels);

}  // namespace simscope::image
