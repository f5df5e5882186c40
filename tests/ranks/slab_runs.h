// Runs of the fields that ranks hold in slabs: every preset, small and of uneven sizes, strokes of all tools, live
// changes. Played alone and by ranks, every diagnostic, channel, and array of the state must have the same bits.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/device.h"
#include "sims/core/description.h"
#include "sims/core/frame.h"
#include "sims/core/state.h"
#include "sims/core/timeline/timeline.h"

namespace simscope::slab_runs {

using Changes = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string name;
  const Description* description;
  ParameterSet parameters;
  Timeline timeline = {};
  Changes later = {};  // live parameters, changed on the way
  std::vector<int> steps = {1, 2, 19, 30};
};

// What can be seen of a run, beside its name.
struct Look {
  std::vector<double> values;
  std::vector<std::string> findings;
  Frame frame;
  State state;
};

// How many looks there were, and who hears of what differs.
struct Looks {
  int count = 0;
  std::function<void(const std::string&)> wrong;
};

std::vector<Case> cases();
// That break down on the way: from the beginning, and from a stroke.
std::vector<Case> badCases();

// On CPU devices. alone: what one device has shown, to compare with; null, or looks null: nothing is compared.
std::vector<Look> play(const Case& each, const compute::DevicePtr& device, const std::vector<Look>* alone = nullptr,
                       Looks* looks = nullptr);
// What the watch says of it, and where the run then stands.
std::string failureOf(const Case& each, const compute::DevicePtr& device);

}  // namespace simscope::slab_runs
