// What somebody else computes, live: an array from a script as a simulation, so that axes, colours, probes, cuts,
// plots, and recordings do for it what they do for every run.
//
// It is not in the registry: each array that is announced has a description of its own, with its size, axes, and units.
// A step shows the newest array that has come (or, after a moment in vain, the former one again); nothing can be
// computed again, so that such a run has no past and makes no scene (isLive()). The array comes in by a Mailbox.
// Owner: descriptions stay until the program ends, as others do. Thread: any.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sims/core/description.h"
#include "sims/live/mailbox.h"

namespace simscope::live {

inline constexpr const char* kId = "live_array";

// What an array may be: the element's size times these is what it costs at most, three times in shared memory and three
// times on the host.
inline constexpr std::int64_t kMostElements = 1 << 26, kLongestSide = 1 << 24;

struct LiveAxis {
  std::string title = {}, unit = {};
  double low = 0, high = 1;  // of the first element, and of one past the last
};

struct LiveArray {
  std::string title = {};    // of the figure
  std::string symbol = "u";  // what the values are called: "u", "ψ"
  std::string unit = {};
  bool plane = false;  // a field, or a curve
  bool complex = false;
  int width = 1, height = 1;  // a curve has height 1
  LiveAxis x{"x"}, y{"y"};
  std::optional<std::string> time_unit = {};            // none: updates are counted instead
  std::optional<std::pair<double, double>> range = {};  // of colours and values; none: what has been seen
  std::string colormap = {};                            // empty: the usual one
  bool symmetric = false;                               // about 0
  std::string source = {};                              // who computes it, for the status line: "python3, process 1234"

  int components() const noexcept { return complex ? 2 : 1; }
  std::int64_t elements() const noexcept { return std::int64_t{width} * height; }
};

// The description of such an array, which comes by this mailbox. It stays for as long as the program runs.
const Description& describe(const LiveArray& array, std::shared_ptr<Mailbox> mailbox);
bool isLive(const Description& description) noexcept;

}  // namespace simscope::live
