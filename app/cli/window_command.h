// gui: the window.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main. Error if there is no display, naming the commands that need none.
#pragma once

#include <string>

#include "app/cli/options.h"

namespace simscope::cli {

struct WindowArguments : SceneArguments, FigureArguments {
  bool play = false;
  std::string state_file;
  bool start_times = false;  // prints the window's start times to standard output and closes it
};

// Error without a display; `otherwise` ends the message: what is possible without one.
void requireDisplay(const std::string& otherwise);
void window(const WindowArguments& arguments);

}  // namespace simscope::cli
