// bench --devices: measures the link between the ranks' devices, and steps on one device and on all. docs/scaling.py
// reads the result.
//
// Times in seconds, sizes in bytes. All ranks call these, in the same order; they agree on the number of repeats.
// Thread: main. Errors: as compute::Ranks
// and Stepper; Interrupted.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/process/team.h"
#include "app/scene/scene.h"

namespace simscope::cli {

// The link between the ranks' devices: each sends to the next one and receives from the previous one, all at the same
// time.
struct LinkMeasurement {
  struct Point {
    double bytes = 0, seconds = 0;  // of one message, and of the exchange
  };
  std::string name;  // "NCCL 2.27"
  std::vector<Point> points;

  // Of the longest message in each direction [bytes/s]; 0 if nothing was measured.
  double bandwidth() const;
};

// A run of one size, on a number of ranks.
struct ScalingPoint {
  std::string simulation;
  std::string series;  // the other properties of runs of different size: "equilibrium, scheme=adi"
  std::int64_t size = 0;
  int ranks = 1;
  double seconds = 0;  // per step
  double work = 0;     // per step of the whole run, in work_unit times seconds
  std::string work_unit;
  // Of the rank with the most, per step: exchanges, messages sent in them, their bytes, and collective operations.
  double exchanges = 0, messages = 0, bytes = 0, collectives = 0;
  std::optional<int> most_ranks;  // that the run can be divided among; nullopt: any number
};

struct ScalingSet {
  int ranks = 1, machines = 1;
  std::string device = {};  // its name
  double memory_bytes = 0;  // of a device
  LinkMeasurement link = {};
  std::vector<ScalingPoint> points = {};
};

// device: this rank's, joined. Takes memory for two messages: each at most 256 MiB and an eighth of the free memory.
LinkMeasurement measureLink(compute::Device& device, const Team& team);

// The cost of a step of this scene: by the first rank alone, on its device, while the others wait (ranks = 1), or by
// all together. Every rank gets the result. If the first rank cannot compute it alone (memory), `refused` has the
// reason and seconds is 0; if all together cannot, it throws.
ScalingPoint measureAlone(const Scene& scene, const DeviceChoice& choice, const Team& team, std::string& refused);
ScalingPoint measureTogether(const Scene& scene, const compute::DevicePtr& device, const Team& team);

}  // namespace simscope::cli
