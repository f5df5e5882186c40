// A model of the cost of a step on many devices, fitted to measured points: computed, not measured.
//
// With P devices, for a run whose step is W of work:
//
//     T = start + W / (P rate) + share + (1 - hidden) L + max(0, hidden L - W / (P rate))
//     L = (messages + collectives ⌈log₂ P⌉) latency + bytes / bandwidth
//
// start: the cost of any step; share: the additional cost of the division (only for P > 1); hidden: the fraction of the
// link's time that computing hides if it takes long enough. These four costs, none negative, minimise the sum of
// squares of the relative residuals. Latency and bandwidth are measured. The numbers of messages are measured, too;
// their growth with size and P follows from the simulation's decomposition (Pattern). Messages of one exchange count as
// sequential, which is their largest cost.
//
// Pure. Times in seconds.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/cli/bench/scaling.h"

namespace simscope::cli {

enum class Pattern {
  Halo,       // with two neighbours: bytes like the field's boundary, independent of P
  Transpose,  // with all others: bytes as size² (P - 1)/P²
  Gather,     // with all others: bytes as size (P - 1)/P
  Counts,     // numbers, not arrays
};

// The growth of the bytes of such points: by the kind of decomposition, and for fields by the bytes measured at
// different sizes (Halo if all have one size).
Pattern patternOf(std::span<const ScalingPoint> series);

// The network between machines. `devices`: per machine; 0: all are in one.
struct Network {
  int devices = 0;
  double latency = 0, bandwidth = 0;  // s, bytes/s of one device in each direction
};

struct Residual {
  ScalingPoint point;
  double model = 0;  // s
  double relative() const { return model / point.seconds - 1; }
};

struct Estimate {
  double seconds = 0, computing = 0, link = 0;  // of the work, and of the link where it is not hidden
};

class ScalingModel {
 public:
  // Points of one simulation and series, of one kind of device; UsageError if none has one rank. link: of the same
  // ranks.
  ScalingModel(std::vector<ScalingPoint> points, const LinkMeasurement& link);

  Estimate at(std::int64_t size, int ranks, const Network& network = {}) const;
  const std::vector<Residual>& residuals() const noexcept { return residuals_; }
  double worstResidual() const;  // relative
  // Whether there are more points than fitted parameters.
  bool judged() const noexcept { return judged_; }

  Pattern pattern() const noexcept { return pattern_; }
  double start() const noexcept { return start_; }
  double rate() const noexcept { return rate_; }  // work per second, of one device
  double share() const noexcept { return share_; }
  double hidden() const noexcept { return hidden_; }
  double workOf(std::int64_t size) const;  // by a power law through the points
  // The size with `times` the work of this size.
  std::int64_t sizeFor(std::int64_t size, double times) const;

 private:
  double linkSeconds(const ScalingPoint& counts, int ranks, const Network& network) const;
  ScalingPoint countsAt(std::int64_t size, int ranks) const;
  void fit();

  std::vector<ScalingPoint> points_;
  const ScalingPoint* divided_ = nullptr;  // the largest one with several ranks
  Pattern pattern_ = Pattern::Halo;
  double latency_ = 0, bandwidth_ = 0;
  double work_power_ = 1;
  double start_ = 0, rate_ = 1, share_ = 0, hidden_ = 0;
  bool judged_ = false;
  std::vector<Residual> residuals_;
};

// The points by simulation and series, in their order.
std::vector<std::vector<ScalingPoint>> seriesOf(const std::vector<ScalingSet>& sets);

}  // namespace simscope::cli
