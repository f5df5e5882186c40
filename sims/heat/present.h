// Writes the views' channels: the field, box-filtered to at most kPresented cells a side, and quantities derived from
// it. Insulators have no temperature and no flux: they are NaN in temperature, isotherms, flux, and profile.
//
// Thread: inside Device::run; enqueued. Channel data lies on the device. Each rank makes its rows of the channels, and
// rank 0 gets all rows: channels of the others hold only their own. The halo must be up to date.
#pragma once

#include "sims/compute/ranks/slab.h"
#include "sims/core/frame.h"
#include "sims/heat/parameters.h"

namespace simscope::heat {

inline constexpr int kPresented = 2048;          // temperature, isotherms, outline
inline constexpr int kPresentedMaterial = 1024;  // material
inline constexpr int kPresentedFlux = 512;       // flux
inline constexpr int kIsotherms = 5;             // at 10 %, 30 %, … of the spot's temperature
inline constexpr int kThermometers = 3;
inline constexpr double kNotPlaced = -1;  // not NaN, so that two states can be compared

// The rows beside its own from which a rank makes its elements, at most.
int presentedReach(int n);

struct Presented {
  compute::Slab slab;
  const float* u;
  const float* material;  // or null
  const double* exact;    // x and y of the exact field on the device, or null
  double expected;        // the profile's reference where exact is null
  double low, high;       // colour range of the temperature
  double thermometer_x[kThermometers], thermometer_y[kThermometers];  // in cells; negative where there is none
};

void presentField(Frame& frame, const Parameters& parameters, const Presented& what);

}  // namespace simscope::heat
