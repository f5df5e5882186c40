// What runs cost on one device and on several, as `bench --devices` measures it and `bench --model` reads it.
//
// Plain data. Times in seconds, sizes in bytes. Errors: UsageError, naming the file and what is wrong in it, for text
// that is not such a document.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/report.h"

namespace simscope::cli {

// The link between the ranks' devices: each sends to the next one and receives from the one before, all at the same
// time.
struct LinkMeasurement {
  struct Point {
    double bytes = 0, seconds = 0;  // of one message, and of the exchange
  };
  std::string name;  // "NCCL 2.27"
  std::vector<Point> points;

  // Of a message that is short [s]; 0 where nothing was measured.
  double latency() const;
  // Of the longest one each way [bytes/s]; 0 likewise.
  double bandwidth() const;
};

// A run of one size, on so many ranks.
struct ScalingPoint {
  std::string simulation;
  std::string series;  // what else distinguishes runs that differ in size: "equilibrium, scheme=adi"
  std::int64_t size = 0;
  int ranks = 1;
  double seconds = 0;  // a step
  double work = 0;     // a step of the whole run, in work_unit times seconds
  std::string work_unit;
  // Of the rank that has most, a step: exchanges, messages that it sends in them, their bytes, and operations in which
  // all take part.
  double exchanges = 0, messages = 0, bytes = 0, collectives = 0;
};

struct ScalingSet {
  int ranks = 1, machines = 1;
  std::string device = {};  // its name
  double memory_bytes = 0;  // of a device
  LinkMeasurement link = {};
  std::vector<ScalingPoint> points = {};
};

Json json(const ScalingSet& set);
std::string stepText(double seconds);  // "276.2 µs"; "–" where nothing was measured
// `file`: for messages. At most kMostPoints points.
inline constexpr std::size_t kMostPoints = 4096;
ScalingSet scalingSetOf(const std::string& text, const std::string& file);

}  // namespace simscope::cli
