// lab: lessons of GPU computing, measured on this machine.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/cli/command.h"

namespace simscope::cli {

struct LabRequest {
  Text lesson;                        // none: the list
  std::vector<std::string> set;       // KEY=VALUE
  bool all = false;                   // every lesson, within a minute
  std::vector<std::string> compare;   // two files written by --json, and optionally a lesson
  std::optional<SceneRequest> field;  // whose field is filtered,
  std::string field_typed;
  std::optional<std::int64_t> steps;  // after so many steps
  Look look;                          // of a chart
  Text json;                          // a file, or - for standard output
  std::vector<std::string> out;       // .csv, .png, .gif
  bool force = false;
};

// --field: a frame of a run, filtered by the lesson fourier_filters in the same way as in the window.
void filterField(const LabRequest& request, const DeviceChoice& choice);
// Checks the names of the files to write before anything is measured: their endings are among these.
void requireOutputs(const LabRequest& request, const std::vector<std::string>& endings, const std::string& otherwise);

}  // namespace simscope::cli
