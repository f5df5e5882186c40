// What the words typed after a command mean.
//
// Each value is read once, where the table of its command names it (command.h), so that the message for a bad one names
// its option, its range, and the nearest valid choice. What only the simulation can tell (--set, --view) is held to it
// when the scene is made. Thread: main. Errors: UsageError; nothing has been opened, computed, or written by then.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/scene.h"
#include "sims/compute/device.h"
#include "sims/compute/error.h"
#include "sims/core/state.h"

namespace simscope::cli {

using Text = std::optional<std::string>;  // nullopt: not given

// What to compute.
struct SceneRequest {
  std::string what;  // a simulation's id, a scene file, or a snapshot
  Text preset;
  std::vector<std::string> set;  // "key=value"
  std::optional<std::uint64_t> seed;
};

// The changes of the look that were asked for, in the order in which they apply.
using LookChange = std::function<void(Scene&)>;
using Look = std::vector<LookChange>;

struct DeviceChoice {
  std::string spec = "auto";
  int threads = 0;
};

// Whole numbers and reals within [low, high]. `option` is named in the message: "--steps".
std::int64_t readInteger(const std::string& option, const std::string& text, std::int64_t low, std::int64_t high);
double readReal(const std::string& option, const std::string& text, double low, double high);
std::uint64_t readSeed(const std::string& option, const std::string& text);
// "800K", "2.5M", "1G" (powers of ten), or bytes; at least 1000.
std::uint64_t readBytes(const std::string& option, const std::string& text);
// As Device::open takes it; whether there is such a device shows when it is opened.
std::string readDevice(const std::string& option, const std::string& text);

// Whole numbers and reals, as the table of a command takes their readers.
template <class T = std::int64_t>
auto whole(std::int64_t low, std::int64_t high) {
  return [=](const std::string& option, const std::string& text) {
    return static_cast<T>(readInteger(option, text, low, high));
  };
}
inline auto real(double low, double high) {
  return [=](const std::string& option, const std::string& text) { return readReal(option, text, low, high); };
}
inline constexpr std::int64_t kMostThreads = 4096, kMostSteps = 1'000'000'000'000;
inline auto framesPerSecond() {
  return real(0.01, 1000);
}

// An option of the look.
struct LookOption {
  const char* name;
  const char* value;  // what the help calls it; empty: a flag
  const char* help;   // empty: each command that has the option says its own
  std::function<LookChange(const std::string& option, const std::string& text)> read;
  bool again = false;  // it may be repeated
};
const std::vector<LookOption>& lookOptions();  // in the order of --help
inline void applyLook(const Look& look, Scene& scene) {
  for (const LookChange& each : look) each(scene);
}

// What `make` makes; the message of its UsageError begins with the option.
template <class Make>
auto naming(const char* option, Make make) {
  try {
    return make();
  } catch (const UsageError& error) {
    throw UsageError(std::string(option) + ": " + error.what());
  }
}
// UsageError if two options name one file to write; "-" is none. An option may be given again
// (exporting::requireDistinct).
void requireDifferentFiles(const std::vector<std::pair<const char*, Text>>& files);

// True if `what` can only mean a file: such a file exists, or it has a slash, or it ends as scenes do.
bool looksLikeFile(const std::string& what);
// Of a scene file, or SIM[:PRESET].
SceneRequest runNamed(const std::string& what);
// Applies the changes "key=value", in order; a value extends to the end of its text. UsageError names the change, and
// `simulation` as the place to look up the keys.
void applyChanges(const std::vector<std::string>& changes, const std::string& simulation, ParameterSet& parameters);
// The scene that the request describes; ignored fields of a scene file are added to `notes`.
// A simulation opens with its first preset; --preset replaces a scene file's preset, parameters, frames, and steps per
// frame, but not its look. For a snapshot `state` receives the state to continue from; without `state` a snapshot
// cannot be used. ranks: the ranks that continue from it together, each with its rows.
Scene sceneOf(const SceneRequest& request, std::vector<std::string>& notes, std::optional<State>* state = nullptr,
              const compute::Ranks* ranks = nullptr);
compute::DevicePtr openDevice(const DeviceChoice& choice);

}  // namespace simscope::cli
