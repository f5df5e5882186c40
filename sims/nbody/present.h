// Writes the views' channels: the bodies with their values, the trails of a few, and the profile of the mass.
//
// Thread: inside Device::run; enqueued. Channel data lies on the device.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sims/core/frame.h"
#include "sims/nbody/exact.h"
#include "sims/nbody/few/few.h"
#include "sims/nbody/operations.h"

namespace simscope::nbody {

// The scales of the pictures, chosen when the run starts and kept.
struct Scales {
  double half_edge = 1;
  double speed = 1;         // end of the colours
  double acceleration = 1;  // in the middle of the colours
  double least_mass = 0.5, most_mass = 2;
  double usual_mass = 1;  // drawn at the usual size
  double usual_size = 1;
  double groups = 2;
};

// Of more bodies, every second, third, ... is drawn, which shows as much.
inline constexpr int kMostDrawn = 1 << 20;

struct Presented {
  System system;
  Scales scales;
  std::vector<std::string> group_names;  // of the start's groups
  double total_mass;
  // Trails; places null: none.
  TrailRing trail;
  int trail_samples;
  std::uint64_t* shells;              // kBins, workspace
  std::optional<ExactProfile> exact;  // the profile's reference, or else
  const float* initial_profile;       // its start: kBins
};
void presentBodies(Frame& frame, const Presented& what);

// The share of the mass within k/kBins of `radius`, for k in [0, kBins).
void profileOf(compute::Device& device, const System& system, double radius, double total_mass, std::uint64_t* shells,
               float* profile);

}  // namespace simscope::nbody
