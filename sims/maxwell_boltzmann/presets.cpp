#include "sims/maxwell_boltzmann/presets.h"

#include <string>
#include <utility>

namespace simscope::maxwell_boltzmann {
namespace {

using Changes = std::vector<std::pair<std::string, std::string>>;

Preset ofGas(const char* key, const char* title, const char* summary, Changes changes) {
  return {.key = key, .title = title, .summary = summary, .changes = std::move(changes), .frames = 121, .view = "gas"};
}
Preset ofBox(const char* key, const char* title, const char* summary, Changes changes, int steps_per_frame,
             const char* view = "relaxation") {
  changes.insert(changes.begin(), {"model", "discs"});
  return {.key = key,
          .title = title,
          .summary = summary,
          .changes = std::move(changes),
          .steps_per_frame = steps_per_frame,
          .frames = 241,
          .view = view};
}

}  // namespace

std::vector<Preset> gasPresets() {
  std::vector<Preset> all = {
      ofGas("nitrogen", "Nitrogen at 300 K", "Histograms of 50,000 molecules per step approach Maxwell's curves", {}),
      ofBox("equal_speeds", "Equal speeds relax",
            "Discs of one speed: after a few collisions the speeds follow Maxwell's curve", {{"molecules", "4000"}}, 4),
      ofBox("burst", "Burst", "A group of fast discs expands into a gas at rest",
            {{"start", "burst"}, {"molecules", "2000"}, {"packing_fraction", "0.08"}}, 10),
      ofBox("hot_and_cold", "Hot meets cold", "The hot and the cold half of a thin gas mix",
            {{"start", "hot_and_cold"}, {"molecules", "3000"}, {"packing_fraction", "0.04"}}, 12),
      ofBox("law", "Pressure on the walls",
            "Collisions and walls both measure the pressure of hard discs, which differs from that of an ideal gas",
            {{"molecules", "2500"}, {"packing_fraction", "0.3"}}, 4, "law"),
      ofBox("dense", "Dense fluid", "Discs cover half of the plane: the pressure is four times that of an ideal gas",
            {{"start", "equilibrium"}, {"boundary", "periodic"}, {"packing_fraction", "0.5"}, {"molecules", "2500"}}, 4,
            "law"),
      ofBox("velocity_cloud", "Ring of velocities",
            "Equal speeds form a ring in the plane of velocities, which spreads out",
            {{"molecules", "10000"}, {"boundary", "periodic"}}, 1, "cloud"),
      ofGas("hydrogen", "Hydrogen", "Light and fast: the most probable speed is 1.6 km/s",
            {{"mass", "3.347e-27"}, {"speed_axis", "6000"}}),
      ofGas("helium", "Helium", "Light and fast", {{"mass", "6.646e-27"}, {"speed_axis", "4300"}}),
      ofGas("xenon", "Xenon", "Heavy and slow: slower than the speed of sound in air",
            {{"mass", "2.18e-25"}, {"speed_axis", "750"}}),
      ofGas("heating", "Heating", "Nitrogen from 100 K to 1200 K and back: the curves spread and flatten",
            {{"temperature", "100"}, {"gather", "off"}, {"speed_axis", "3200"}}),
      ofGas("few", "Two thousand molecules", "So few molecules scatter about the curve in every step",
            {{"molecules", "2000"}, {"gather", "off"}}),
      ofGas("document", "Twenty million", "As many as in the document, drawn again in every step; for GPUs",
            {{"molecules", "20000000"}, {"gather", "off"}}),
      ofBox("million", "A million discs", "Discs of one speed, so many that the bars agree with the curve; for GPUs",
            {{"molecules", "1000000"}}, 8),
  };
  for (Preset& each : all) {
    if (each.key == "heating") each.tracks = {{"temperature", {{0, 100}, {60, 1200, Easing::Smooth}, {120, 100}}}};
    if (each.key == "document") each.steps_per_frame = 4;
    if (each.key == "velocity_cloud") each.frames = 161;
  }
  return all;
}

}  // namespace simscope::maxwell_boltzmann
