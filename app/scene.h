// A scene: what to run and how to show it, as a small versioned JSON document.
//
// Format (version 1): {"simscope": 1, "simulation": "tunneling", "preset": "tunnelling", "parameters": {key: value},
// "seed": 1, "view": {"key": …, "shown": {channel: bool}, "x": [low, high], "y": [low, high], "colormap": "inferno",
// "reversed": false, "range": [low, high], "isolines": false, "arrows": false, "camera": {"azimuth": 30, "elevation":
// 25, "zoom": 1, "target": [x, y, z]}, "follow": -1, "exposure": 0, "point_size": 1, "theme": "dark", "scale": 1},
// "recorder": {"frames": 141, "steps_per_frame": 10, "fps": 25, "width": 960, "height": 540}}.
// All but "simscope" and "simulation" may be missing; so may the fields of a camera. Parameters are those that differ
// from the preset's (without one: from the defaults). Without "key" and "camera" the preset's view and camera count.
// Errors: UsageError naming the path in the document ("parameters.grid_points") for values that cannot be used;
// unknown fields and newer versions are ignored and reported in `ignored`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/render/figure.h"
#include "sims/core/description.h"

namespace simscope {

// What a picture and an animation may be; the command line and the window check against the same numbers.
inline constexpr int kSmallestSide = 64, kLargestSide = 16384;  // pixels
inline constexpr double kSmallestScale = 0.25, kLargestScale = 8;
inline constexpr int kMostFrames = 1'000'000, kMostStepsPerFrame = 1'000'000'000;
inline constexpr double kMostDegrees = 1e6;  // of azimuth, which may go round many times
inline constexpr double kSmallestZoom = 1e-3, kLargestZoom = 1e6;
inline constexpr double kFarthestTarget = 1e30;   // simulation units, on each axis
inline constexpr int kLastPoint = 2'147'483'646;  // that can be followed: a channel's width is an int
inline constexpr double kMostStops = 30;          // of exposure, either way
inline constexpr double kSmallestPoint = 0.01, kLargestPoint = 100;

struct Scene {
  const Description* description = nullptr;
  std::string preset;  // empty: none
  ParameterSet parameters;
  std::uint64_t seed = 1;
  render::FigureOptions figure;  // size included
  int frames = 141;
  int steps_per_frame = 1;
  double fps = 25;

  // A preset's scene: its parameters, view, camera, frames, and steps a frame. Without a name: the defaults, with the
  // first preset's frames and steps a frame.
  static Scene fromPreset(const Description& description, const std::string& preset);
};

std::string toJson(const Scene& scene, bool pretty = false);
Scene sceneFromJson(const std::string& text, std::vector<std::string>* ignored = nullptr);
// From a .json file, or the scene embedded in a GIF or PNG that simscope wrote.
Scene readScene(const std::filesystem::path& file, std::vector<std::string>* ignored = nullptr);

}  // namespace simscope
