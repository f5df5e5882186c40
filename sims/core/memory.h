// Checks whether a simulation fits into a device's memory before any is allocated.
//
// Thread: one that may use the device. Plain numbers; nothing is kept.
#pragma once

#include <string>

#include "sims/core/description.h"

namespace simscope {

// ParameterError of the description's size_key (UsageError where it has none) where a simulation of these parameters
// takes more memory than the device has free now; with ranks, this one's part. The message holds both numbers, and the
// largest size that fits. A description without memory() fits.
void requireMemory(const Description& description, const ParameterSet& parameters, const compute::Device& device);

// "3.25 GiB", "48.0 MiB", "12.5 KiB".
std::string memoryText(double bytes);

}  // namespace simscope
