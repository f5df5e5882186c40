// The words typed after a command, and their checked meaning.
//
// Every value arrives as text and is checked here, so that the message for a bad one names its option, its range, and
// the nearest valid choice. Thread: main. Errors: UsageError; nothing has been opened, computed, or written by then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/scene/scene.h"
#include "sims/compute/device.h"
#include "sims/core/state.h"

namespace simscope::cli {

using Text = std::optional<std::string>;  // nullopt: not given

// Shared by run, render, and gui: what to compute, and on which device.
struct SceneArguments {
  std::string what;  // a simulation's id, a scene file, or a snapshot
  Text preset;
  std::vector<std::string> set;  // "key=value"
  Text seed;
  Text device;
  Text threads;
};

// Shared by render and gui: the look.
struct FigureArguments {
  Text size, theme, scale, supersampling, view, colormap, range, value_scale, camera, follow, exposure, point_size;
  bool reversed = false, isolines = false, arrows = false;
  std::vector<std::string> show, hide;  // channels
};

struct DeviceChoice {
  std::string spec = "auto";
  int threads = 0;
};

// Whole numbers and reals within [low, high]. `option` is named in the message: "--steps".
std::int64_t readInteger(const std::string& option, const std::string& text, std::int64_t low, std::int64_t high);
double readReal(const std::string& option, const std::string& text, double low, double high);
std::uint64_t readSeed(const std::string& text);
// "800K", "2.5M", "1G" (powers of ten), or bytes; at least 1000.
std::uint64_t readBytes(const std::string& option, const std::string& text);

// UsageError if two options name one file to write; "-" is none. An option may be given again
// (exporting::requireDistinct).
void requireDifferentFiles(const std::vector<std::pair<const char*, Text>>& files);

// True if `what` can only mean a file: such a file exists, or it has a slash, or it ends as scenes do.
bool looksLikeFile(const std::string& what);
// Applies the changes "key=value", in order; a value extends to the end of its text. UsageError names the change, and
// `simulation` as the place to look up the keys.
void applyChanges(const std::vector<std::string>& changes, const std::string& simulation, ParameterSet& parameters);
// The scene that the arguments describe; ignored fields of a scene file are added to `notes`.
// A simulation opens with its first preset; --preset replaces a scene file's preset, parameters, frames, and steps per
// frame, but not its look. For a snapshot `state` receives the state to continue from; without `state` a snapshot
// cannot be used. ranks: the ranks that continue from it together, each with its rows.
Scene sceneOf(const SceneArguments& arguments, std::vector<std::string>& notes, std::optional<State>* state = nullptr,
              const compute::Ranks* ranks = nullptr);
void applyFigure(const FigureArguments& arguments, Scene& scene);
// --device and --threads, or the environment variable SIMSCOPE_DEVICE if --device is not given.
DeviceChoice deviceOf(const Text& device, const Text& threads);
compute::DevicePtr openDevice(const DeviceChoice& choice);

}  // namespace simscope::cli
