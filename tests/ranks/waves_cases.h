// The runs that waves_probe makes twice: by one rank alone, and by all together.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sims/core/description.h"
#include "sims/core/timeline/timeline.h"

namespace simscope::ranks_test {

using Changes = std::vector<std::pair<std::string, std::string>>;

struct Case {
  std::string name;
  const Description* description = nullptr;
  ParameterSet parameters;
  Timeline timeline = {};
  Changes later = {};  // live parameters, changed on the way
  double looser = 1;   // than the tolerances of single precision; below 1 in double
  std::vector<int> steps = {1, 2, 30};
  bool small_units = false;  // diagnostics with a unit may be far below 1
};

// A preset's parameters (empty: the defaults), with changes.
ParameterSet with(const Description& description, const std::string& preset, const Changes& changes);

// picture: a file that rank 0 has.
std::vector<Case> wavesOf(const std::string& picture);
std::vector<Case> patternsOf(const std::string& picture);

}  // namespace simscope::ranks_test
