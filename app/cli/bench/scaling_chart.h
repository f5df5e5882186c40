// The speed-up computed by a model, over the number of devices, as a picture.
//
// Needs no display; opens its own OpenGL context. Thread: main. Errors: UsageError for another ending than .png; Error.
#pragma once

#include <string>
#include <vector>

namespace simscope::cli {

struct ScalingCurve {
  std::string name;                   // "heat 32768"
  bool largest = false;               // among the sizes of its run
  std::vector<double> speed_up = {};  // for 1, 2, 4, ... devices; shorter if no more are possible
};

void requireChartName(const std::string& file);
void writeScalingChart(const std::vector<ScalingCurve>& curves, const std::string& device, const std::string& file,
                       bool overwrite);

}  // namespace simscope::cli
