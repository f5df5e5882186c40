// bench --devices: measures the link between the ranks' devices, and steps on one device and on all.
//
// All ranks call these, in the same order; they agree on the number of repeats. Thread: main. Errors: as compute::Ranks
// and Stepper; Interrupted.
#pragma once

#include "app/cli/bench/scaling.h"
#include "app/cli/process/team.h"
#include "app/scene/scene.h"

namespace simscope::cli {

// device: this rank's, joined. Takes memory for two messages: each at most 256 MiB and an eighth of the free memory.
LinkMeasurement measureLink(compute::Device& device, const Team& team);

// The cost of a step of this scene: by the first rank alone, on its device, while the others wait (ranks = 1), or by
// all together. Every rank gets the result. If the first rank cannot compute it alone (memory), `refused` has the
// reason and seconds is 0; if all together cannot, it throws.
ScalingPoint measureAlone(const Scene& scene, const DeviceChoice& choice, const Team& team, std::string& refused);
ScalingPoint measureTogether(const Scene& scene, const compute::DevicePtr& device, const Team& team);

}  // namespace simscope::cli
