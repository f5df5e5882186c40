// A run's outcome, and descriptions, as JSON for scripts and as text for users. The JSON's keys are stable.
//
// Non-finite numbers become null. Thread: any; plain values only.
#pragma once

#include <initializer_list>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sims/compute/device.h"
#include "sims/core/description.h"

namespace simscope::cli {

using Json = nlohmann::ordered_json;

struct RunReport {
  const Description* description = nullptr;
  compute::DeviceInfo device;
  std::string preset;
  ParameterSet parameters;  // in force at the end; keyframes may have changed them
  std::uint64_t seed = 0;
  std::int64_t steps = 0;       // since the reset
  std::int64_t steps_made = 0;  // by this command
  double time = 0;
  std::vector<std::string> followed;  // keys of the parameters with keyframes
  std::vector<double> diagnostics;    // one per DiagnosticInfo
  std::vector<Finding> findings;      // at the end, and those met on the way
  int ranks = 1;
  std::string link = {};  // between their devices: Device::link()
  double total_ms = 0;    // of the steps only: without setup and diagnostics
};

// The name of an enumeration's value; `names` are in its order.
const char* nameOf(std::initializer_list<const char*> names, auto value) {
  return names.begin()[static_cast<std::size_t>(value)];
}

Json number(double value);  // null if it is not finite
Json valueJson(const Value& value);
Json json(const RunReport& report);
Json json(const Description& description);         // everything
Json summaryJson(const Description& description);  // an entry of the list
Json json(const compute::DeviceInfo& device);

// Indented by two, with a line break at the end.
std::string pretty(const Json& document);

std::string text(const RunReport& report);
std::string text(const Description& description);
// One line per finding of a run that is at `step`, with the option that removes the cause: "warning: From step 500 to
// 1490: … Cure: --set time_step=0.002".
std::string text(const std::vector<Finding>& findings, std::int64_t step);

}  // namespace simscope::cli
