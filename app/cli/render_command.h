// render: pictures and films without a window.
// Called with the typed arguments; returns when its work is done and throws what runProgram turns into an exit status:
// UsageError, Error, Interrupted. Thread: main.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/process/team.h"

namespace simscope::cli {

struct RenderArguments : SceneArguments, FigureArguments {
  std::vector<std::string> out;
  Text purpose, frames, first_frame, first_step, frame, fps, steps_per_frame, loop, max_bytes, channel;
  bool sequence = false, scene_file = false, force = false;
};

void render(const RenderArguments& arguments, Team& team);

}  // namespace simscope::cli
