// A scene: what to run and how to show it, as a small versioned JSON document.
//
// Format (version 1), all but "simscope" and "simulation" are optional:
// {"simscope": 1, "simulation": "tunneling", "preset": "tunnelling", "parameters": {key: value}, "seed": 1,
//  "strokes": [{"tool": "kick", "events": [{"step": 120, "x": 1.5, "y": 0, "dx": 0, "dy": 0, "radius": 2, …}]}],
//  "keyframes": [{"parameter": "barrier_height", "points": [[0, 1.5], [2, 3, "smooth"], …]}],
//  "view": {"key": …, "shown": {channel: bool}, "x": [low, high], "y": [low, high], "colormap": "inferno",
//           "reversed": false, "range": [low, high], "value_scale": "log", "symmetric": true, "isolines": false,
//           "arrows": false, "camera": {"azimuth": 30, "elevation": 25, "zoom": 1, "target": [x, y, z]}, "follow": -1,
//           "exposure": 0, "point_size": 1, "theme": "dark", "scale": 1, "supersampling": 1},
//  "marks": [{"kind": "cut", "view": "temperature", "number": 1, "x": 0, "y": 0, "to_x": 1, "to_y": 0}],
//  "view_changes": [{"step": 120, "view": {…}}],
//  "recorder": {"first_frame": 0, "frames": 141, "steps_per_frame": 10, "fps": 25, "width": 960, "height": 540,
//               "loop": 0, "max_bytes": 0}}
// A recording that begins between two frames has "first_step": 37 instead of "first_frame". Parameters are those that
// differ from the preset's (without a preset: from the defaults). Without "key" and "camera" the preset's view and
// camera apply (also for a view change), and without "keyframes" the preset's keyframes of parameters that are not
// named. An event is a Brush; its missing fields are 0, except the radius and the strength: those are the stroke's,
// else 0 and 1; and "object", which only edits have ({"step": 120, "object": 3, "dx": 0, "dy": 1.2}). A point is [time,
// value], or with "smooth" the easing towards the next one. Errors: UsageError naming the path in the document
// ("parameters.grid_points") for values that cannot be used; unknown fields and newer versions are ignored and reported
// in `ignored`.
#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/figure/limits.h"
#include "app/scene/field_mark.h"
#include "sims/core/description.h"
#include "sims/core/timeline/timeline.h"

namespace simscope {

inline constexpr int kSceneVersion = 1;  // written; earlier versions are read, too

// Limits of an animation (of pictures: app/render/figure/limits.h); the command line and the window check against the
// same numbers.
inline constexpr int kMostFrames = 1'000'000, kMostStepsPerFrame = 1'000'000'000;
inline constexpr int kLastPoint = 2'147'483'646;  // the largest index to follow: a channel's width is an int
inline constexpr int kMostLoops = 65535;          // of an animation: the largest number in a GIF
inline constexpr std::uint64_t kMostFileBytes = 1'000'000'000'000'000;

inline constexpr std::size_t kMostViewChanges = 100'000;

// The recorded view from a step on, if the user moved the view while recording.
struct ViewChange {
  std::int64_t step = 0;
  render::FigureOptions figure;  // size, scale, and supersampling are the scene's
  bool operator==(const ViewChange&) const = default;
};

struct Scene {
  const Description* description = nullptr;
  std::string preset;  // empty: none
  ParameterSet parameters;
  std::uint64_t seed = 1;
  render::FigureOptions figure;          // size included
  Timeline timeline;                     // track_interval follows steps_per_frame
  std::vector<ViewChange> view_changes;  // of recordings; steps ascending
  std::vector<FieldMark> marks;          // shown and read by the window
  // Frame 0 is the run's state after this many steps; the steps before it are also divided into frames, the last of
  // them shorter.
  std::int64_t first_step = 0;
  int first_frame = 0;  // first recorded frame: earlier ones are computed but not recorded
  int frames = 141;     // recorded
  int steps_per_frame = 1;
  double fps = 25;
  int loop = 0;                 // how often animations play; 0: endless
  std::uint64_t max_bytes = 0;  // of the animated file; 0: unlimited

  // A preset's scene: its parameters, keyframes, view, camera, frames, and steps per frame. Without a name: the
  // defaults, with the first preset's frames and steps per frame.
  static Scene fromPreset(const Description& description, const std::string& preset);

  // The first recorded step.
  std::int64_t beginsAt() const noexcept {
    return first_step + static_cast<std::int64_t>(first_frame) * steps_per_frame;
  }
  // The figure of a recording's frame at this step.
  render::FigureOptions figureAt(std::int64_t step) const;
  // As a number of frames if the step is a whole number of them.
  void beginAt(std::int64_t step) noexcept;
  // From a run at `step` to its next frame, or to frame 0.
  int stepsToNextFrame(std::int64_t step) const noexcept {
    return step < first_step ? static_cast<int>(std::min<std::int64_t>(steps_per_frame, first_step - step))
                             : steps_per_frame;
  }
};

// The names of the themes and of the value scales, in the order of the enumerations.
const std::vector<std::string>& themeNames();
const std::vector<std::string>& valueScaleNames();
// The scene's timeline, its tracks at the pace of its frames.
Timeline timelineOf(const Scene& scene);

std::string toJson(const Scene& scene, bool pretty = false);
Scene sceneFromJson(const std::string& text, std::vector<std::string>* ignored = nullptr);
// From a .json file, or the scene embedded in a GIF or PNG that simscope wrote.
Scene readScene(const std::filesystem::path& file, std::vector<std::string>* ignored = nullptr);

}  // namespace simscope
