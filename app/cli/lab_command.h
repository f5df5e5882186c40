// lab: lessons of GPU computing, measured on this machine.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"

namespace simscope::cli {

struct LabArguments : FigureArguments {
  Text lesson;                       // none: the list
  std::vector<std::string> set;      // KEY=VALUE
  bool all = false;                  // every lesson, within a minute
  std::vector<std::string> compare;  // two files written by --json, and optionally a lesson
  Text field, steps;                 // a scene or SIMULATION[:PRESET] whose field is filtered, and the step
  Text device, threads;
  Text json;                     // a file, or - for standard output
  std::vector<std::string> out;  // .csv, .png, .gif
  bool force = false;
};

void lab(const LabArguments& arguments);

}  // namespace simscope::cli
