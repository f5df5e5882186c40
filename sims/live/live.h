// Live arrays that another program computes: an array from a script as a simulation, so that axes, colours, probes,
// cuts, plots, and recordings work as for every run.
//
// It is not in the registry: arrays with other titles, units, or colours have a description of their own. Shape, ends
// of the axes, and range may change from one array to the next (Loan::form). A step shows the newest array (or, after a
// short wait, the former one again). Nothing can be computed again, so that such a run has no past and makes no scene
// (isLive()). The array arrives through a Mailbox.
// Owner: descriptions exist until the program ends, like all others. Thread: any.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "sims/core/description.h"
#include "sims/live/mailbox.h"

namespace simscope::live {

inline constexpr const char* kId = "live_array";

// Limits of an array. Its largest cost is kMostElements times the element's size, three times in shared memory and
// three times on the host.
inline constexpr std::int64_t kMostElements = 1 << 26, kLongestSide = 1 << 24;

struct LiveAxis {
  std::string title = {}, unit = {};
  // Of a field its edges; of a curve the places of the first element and of one past the last.
  double low = 0, high = 1;
};

struct LiveArray {
  std::string title = {};    // of the figure
  std::string symbol = "u";  // symbol of the values: "u", "ψ"
  std::string unit = {};
  bool plane = false;  // whether a field; else a curve
  bool complex = false;
  int width = 1, height = 1;  // a curve has height 1
  LiveAxis x{"x"}, y{"y"};
  std::optional<std::string> time_unit = {};            // none: updates are counted instead
  std::optional<std::pair<double, double>> range = {};  // of colours and values; none: the range seen so far
  std::string colormap = {};                            // empty: the usual one
  bool symmetric = false;                               // about 0
  std::string source = {};                              // its program, for the status line: "python3, process 1234"

  int components() const noexcept { return complex ? 2 : 1; }
  std::int64_t elements() const noexcept { return std::int64_t{width} * height; }
};

// Whether one description serves both.
bool isDescribedAlike(const LiveArray& a, const LiveArray& b);
// The description of such an array, which arrives through this mailbox. It exists until the program ends.
const Description& describe(const LiveArray& array, std::shared_ptr<Mailbox> mailbox);
bool isLive(const Description& description) noexcept;

}  // namespace simscope::live
