// The subject of a gallery picture: a preset of a simulation, or a scene file. Plain data; any thread.
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
  std::filesystem::path file = {};           // otherwise: a scene file, a picture with a scene, or a snapshot

  bool isFile() const noexcept { return !file.empty(); }
  // Unique for each subject: "heat/maze", or the file's path.
  std::string key() const;
  bool operator==(const Subject&) const = default;
};

// What to run for a subject. Reads the file, if it is one: do not call it in the window's loop.
struct Resolved {
  Scene scene = {};
  std::optional<State> state = {};  // of a snapshot
  std::string version = {};         // of a file: its size and time, which identify its content
  bool still = false;               // shown only as a picture: its state is too large to be kept for display
};
inline constexpr std::size_t kMostShownBytes = 64u << 20;  // of such a state
// UsageError, Error: the file cannot be read, or holds no scene.
Resolved resolve(const Subject& subject);

// The step whose picture represents a run: late enough that something has happened.
std::int64_t tellingStep(const Scene& scene);

}  // namespace simscope::gallery
