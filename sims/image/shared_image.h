// A picture for all ranks of a device, of which rank 0 alone reads the file: it need not lie on the other machines.
#pragma once

#include "sims/compute/device.h"
#include "sims/image/image.h"

namespace simscope::image {

// All ranks call it, and get the same picture, or the same UsageError. Alone it is readGreyImage.
GreyImage readSharedImage(const compute::Device& device, const std::filesystem::path& file);

}  // namespace simscope::image
