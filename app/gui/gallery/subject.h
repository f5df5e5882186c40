// What a picture of the gallery is of: a preset of a simulation, or a scene's file. Plain data; any thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "app/scene/scene.h"
#include "sims/core/state.h"

namespace simscope::gallery {

struct Subject {
  const Description* description = nullptr;  // of a preset
  std::string preset = {};                   // its key; empty: the simulation's defaults
  std::filesystem::path file = {};           // otherwise: a scene, a picture with a scene, or a snapshot

  bool isFile() const noexcept { return !file.empty(); }
  // One for each subject: "heat/maze", or the file's path.
  std::string key() const;
  bool operator==(const Subject&) const = default;
};

// What is to be run for it. Reads the file, where it is one: not in the window's loop.
struct Resolved {
  Scene scene = {};
  std::optional<State> state = {};  // a snapshot's
  std::string version = {};         // of a file: its size and its time, which tell one state of it from another
  bool still = false;               // shown as a picture alone: its state is too large to be kept for show
};
inline constexpr std::size_t kMostShownBytes = 64u << 20;  // of such a state
// UsageError, Error: the file cannot be read, or holds no scene.
Resolved resolve(const Subject& subject);

// The step whose picture stands for a run: well into it, where something has happened.
std::int64_t tellingStep(const Scene& scene);

}  // namespace simscope::gallery
