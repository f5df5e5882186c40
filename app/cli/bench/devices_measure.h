// bench --devices: measures the link between the ranks' devices, and steps on one device and on all.
//
// All ranks call these, in the same order; how often something is repeated they agree on. Thread: main. Errors: as
// compute::Ranks and Stepper; Interrupted.
#pragma once

#include "app/cli/bench/scaling.h"
#include "app/cli/team.h"
#include "app/scene/scene.h"

namespace simscope::cli {

// device: of this rank, joined. Takes memory for two messages: 256 MiB each at most, and an eighth of what is free.
LinkMeasurement measureLink(compute::Device& device, const Team& team);

// What a step of this scene costs: by the first rank alone, on its device, while the others wait (ranks = 1), or by all
// together. Every rank gets the result. Where the first rank cannot make it alone (memory), `refused` tells why and
// seconds is 0; where all together cannot, it throws.
ScalingPoint measureAlone(const Scene& scene, const DeviceChoice& choice, const Team& team, std::string& refused);
ScalingPoint measureTogether(const Scene& scene, const compute::DevicePtr& device, const Team& team);

}  // namespace simscope::cli
