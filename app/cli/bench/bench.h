// bench: the speed of this machine.
// Thread: main. Errors: UsageError, Error, Interrupted.
#pragma once

#include <string>
#include <vector>

#include "app/cli/command.h"

namespace simscope::cli {

struct BenchRequest {
  std::vector<std::string> simulations;  // empty: all
  Text preset;                           // of the one named simulation
  std::vector<std::string> set;          // likewise: "key=value"
  std::vector<std::string> sizes;        // likewise: one measurement each
  Text json;
  bool live = false;
  bool start = false;    // of the window
  bool devices = false;  // of the ranks, together and one alone
  bool force = false;
};

// The scenes to measure. Thread: any.
std::vector<Scene> benchScenes(const BenchRequest& request);
// --devices, under mpirun: steps on one device and on all ranks' devices, the link between them, and its part of a
// step. Called by all ranks. UsageError without ranks, or for a simulation that is not divided.
void benchDevices(const BenchRequest& request, const Program& program);
// --start: the time from the start of the program to its window's first picture, and to the first motion. Starts this
// program several times, each time as a first start: with a new, empty state folder. Error without a display.
void benchStart(const BenchRequest& request, const DeviceChoice& choice);

}  // namespace simscope::cli
