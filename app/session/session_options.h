// What a session opens with. Plain data.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sims/core/state.h"

namespace simscope {

struct SessionOptions {
  Scene scene = {};                     // what opens; scene.description must be set
  std::filesystem::path file = {};      // where the scene was read from; empty: not from a file
  std::optional<State> state = {};      // of a snapshot: the run continues from it
  std::string device = "auto";          // as Device::open takes it
  int threads = 0;                      // CPU worker threads; 0: all cores
  std::vector<std::string> notes = {};  // shown once after the start (fields of a scene that were ignored, ...)
  bool play = false;                    // starts playing
};

}  // namespace simscope
