// gui: the window.
// Called with what was typed; returns when its work is done and throws what
// runProgram turns into an exit status: UsageError, Error, Interrupted. Thread: main. Error where there is no display,
// with the commands that need none.
#pragma once

#include <string>

#include "app/cli/options.h"

namespace simscope::cli {

struct WindowArguments : SceneArguments, FigureArguments {
  bool play = false;
  std::string state_file;
  bool start_times = false;  // of the window, to standard output; it closes then
};

// Error without a display; `otherwise` ends the message: what can be done without one.
void requireDisplay(const std::string& otherwise);
void window(const WindowArguments& arguments);

}  // namespace simscope::cli
