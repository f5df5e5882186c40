// What the user typed after a command, and its checked meaning.
//
// Every value arrives as text and is read here, so that a bad one is answered with its option, its range, and the
// nearest valid choice. Thread: main. Errors: UsageError; nothing has been opened, computed, or written by then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "app/scene/scene.h"
#include "sims/compute/device.h"
#include "sims/core/state.h"

namespace simscope::cli {

using Text = std::optional<std::string>;  // nullopt: not given

// Shared by run, render, and gui: what to compute, and where.
struct SceneArguments {
  std::string what;  // a simulation's id, a scene file, or a snapshot
  Text preset;
  std::vector<std::string> set;  // "key=value"
  Text seed;
  Text device;
  Text threads;
};

// Shared by render and gui: how it looks.
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

// "; did you mean 'X'?" for the closest of `known`, or a full stop.
std::string didYouMean(const std::string& name, const std::vector<std::string>& known);

// True where `what` can only mean a file: it exists as one, has a slash, or ends as scenes do.
bool looksLikeFile(const std::string& what);
// Makes the changes "key=value", in order; a value reaches to the end, whatever stands in it. UsageError names the
// change, and `simulation` as the place to look up the keys.
void applyChanges(const std::vector<std::string>& changes, const std::string& simulation, ParameterSet& parameters);
// The scene that the arguments describe; fields of a scene file that were ignored go to `notes`.
// A simulation opens with its first preset; --preset replaces a scene file's preset, parameters, frames, and steps a
// frame, but not its look. Of a snapshot `state` is what to go on from; without `state` there it cannot be used. ranks:
// that go on from it together, each with its rows.
Scene sceneOf(const SceneArguments& arguments, std::vector<std::string>& notes, std::optional<State>* state = nullptr,
              const compute::Ranks* ranks = nullptr);
void applyFigure(const FigureArguments& arguments, Scene& scene);
// --device and --threads, or the environment variable SIMSCOPE_DEVICE where --device is not given.
DeviceChoice deviceOf(const Text& device, const Text& threads);
compute::DevicePtr openDevice(const DeviceChoice& choice);

}  // namespace simscope::cli
