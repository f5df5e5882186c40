// A picture for all ranks of a device. Only rank 0 reads the file, which need not exist on the other machines.
#pragma once

#include "sims/compute/device.h"
#include "sims/image/image.h"

namespace simscope::image {

// All ranks call it, and get the same picture, or the same UsageError. Without ranks it is readGreyImage.
GreyImage readSharedImage(const compute::Device& device, const std::filesystem::path& file);

}  // namespace simscope::image
