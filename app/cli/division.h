// Which runs can be made by several ranks or devices together, in the words of the command line.
//
// Thread: any. Errors: UsageError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "sims/compute/device.h"

namespace simscope::cli {

// "cuda:0+1", "cuda:all", "cpu+cpu": well formed; whether there are such devices is found when they are opened.
bool namesSeveralDevices(const std::string& spec);
// What follows where a run is not divided: those that are.
std::string dividedSimulations();
// The least size that so many ranks can divide; nothing: there is none.
std::optional<std::int64_t> sizeFor(const Scene& scene, int ranks);

// Where the device is several: UsageError where they cannot make a run of this scene together.
void requireDivided(const Scene& scene, const compute::Device& device);
// UsageError where `spec` names several devices, for a command that has no use for them: "simscope lab".
void requireOneDevice(const std::string& spec, const std::string& command);

}  // namespace simscope::cli
