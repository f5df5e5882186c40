// The cost of runs on one device and on several, measured by `bench --devices` and read by docs/scaling.py.
//
// Plain data. Times in seconds, sizes in bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "app/cli/report.h"

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

Json json(const ScalingSet& set);
std::string stepText(double seconds);  // "276.2 µs"; "–" if nothing was measured

}  // namespace simscope::cli
