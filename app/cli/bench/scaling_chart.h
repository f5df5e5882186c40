// The speed-up that a model computes, over the number of devices, as a picture.
//
// Needs no display; opens a context of OpenGL of its own. Thread: main. Errors: UsageError for another ending than
// .png; Error.
#pragma once

#include <string>
#include <vector>

namespace simscope::cli {

struct ScalingCurve {
  std::string name;                   // "heat 32768"
  bool largest = false;               // of the sizes of its run
  std::vector<double> speed_up = {};  // of 1, 2, 4, ... devices; shorter where there can be no more
};

void requireChartName(const std::string& file);
void writeScalingChart(const std::vector<ScalingCurve>& curves, const std::string& device, const std::string& file,
                       bool overwrite);

}  // namespace simscope::cli
