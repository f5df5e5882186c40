// Which runs several ranks or devices can compute together, for the messages of the command line.
//
// Thread: any. Errors: UsageError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "sims/compute/device.h"

namespace simscope::cli {

// True for a well-formed list: "cuda:0+1", "cuda:all", "cpu+cpu". Opening the devices checks that they exist.
bool namesSeveralDevices(const std::string& spec);
// The ids of the simulations that can be divided, with their conditions, for messages.
std::string dividedSimulations();
// The smallest size that this many ranks can divide; nullopt: no size.
std::optional<std::int64_t> sizeFor(const Scene& scene, int ranks);

// If the device is several: UsageError if they cannot compute a run of this scene together.
void requireDivided(const Scene& scene, const compute::Device& device);
// UsageError if `spec` names several devices, for a command that takes one: "simscope lab".
void requireOneDevice(const std::string& spec, const std::string& command);

}  // namespace simscope::cli
