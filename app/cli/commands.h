// The commands, one function each, called with what was typed. Each returns when its work is done and throws what
// runProgram turns into an exit status: UsageError, Error, Interrupted.
#pragma once

#include <string>
#include <vector>

#include "app/cli/options.h"

namespace simscope::cli {

struct RunArguments : SceneArguments {
  Text steps, report, save, save_snapshot;
  bool force = false;
};

struct RenderArguments : SceneArguments, FigureArguments {
  std::vector<std::string> out;
  Text purpose, frames, first_frame, first_step, frame, fps, steps_per_frame, loop, max_bytes, channel;
  bool sequence = false, scene_file = false, force = false;
};

struct BenchArguments {
  std::vector<std::string> simulations;  // empty: all
  Text preset;                           // of the one simulation that is named
  std::vector<std::string> set;          // likewise: "key=value"
  std::vector<std::string> sizes;        // likewise: one measurement each
  Text device, threads, json;
  bool live = false;
  bool force = false;
};

struct WindowArguments : SceneArguments, FigureArguments {
  bool play = false;
  std::string state_file;
};

enum class ListFormat { Table, Json, Markdown };

void list(ListFormat format);
void describe(const std::string& simulation, bool as_json);
void devices(bool as_json);
void run(const RunArguments& arguments);
void render(const RenderArguments& arguments);
void bench(const BenchArguments& arguments);
// Error where there is no display, with the commands that need none.
void window(const WindowArguments& arguments);

}  // namespace simscope::cli
