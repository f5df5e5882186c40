// A simulation's description of itself. Panels, command line, scenes, tests, benchmark, and the README's table are
// made from it. Plain data, built once, never changed; any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/device.h"
#include "sims/core/parameters.h"

namespace simscope {

class Simulation;

struct Preset {
  std::string key = {};
  std::string title = {};
  std::string summary = {};
  std::vector<std::pair<std::string, std::string>> changes = {};  // key, value as typed; the rest are defaults
  int steps_per_frame = 1;                                        // what looks right when played
  int frames = 141;                                               // how many of them make a good animation
};

struct DiagnosticInfo {
  std::string key = {};    // "norm"
  std::string title = {};  // "Norm"
  std::string unit = {};
  std::string help = {};
  bool plotted = false;       // in the strip of time plots from the start
  std::string exact_of = {};  // key of the diagnostic whose exact value this is; empty otherwise
};

enum class TraceStyle {
  PhaseFilled,  // area under the curve, coloured by the phase in `phase_channel` (radians)
  Line,
  Ghost,    // a faint line: what was, or what is expected
  OwnAxis,  // an area against an axis of its own at the right
};

struct TraceInfo {
  std::string channel = {};  // of the frame
  std::string title = {};    // in the legend: "|ψ|²", "V(x)"
  std::string unit = {};
  TraceStyle style = TraceStyle::Line;
  std::string phase_channel = {};  // PhaseFilled
  bool shown = true;               // from the start
  int colour = 0;                  // index into the theme's line colours
};

struct AxisInfo {
  std::string title = {};  // "x", "|ψ|²"
  std::string unit = {};
};

// A figure of curves over one axis. The first trace sets the left axis; traces of style OwnAxis share the right one.
struct CurveView {
  std::string key = {};
  std::string title = {};
  AxisInfo x = {}, y = {}, right = {};
  std::vector<TraceInfo> traces = {};
};

enum class FieldStyle {
  Scalar,   // one component through a colormap
  Complex,  // two components (re, im): hue by phase, brightness by amplitude / high
  Colour,   // three components, linear light RGB
};
enum class FieldScale { Linear, Log, Gamma };

// A figure of a two-dimensional array over two axes of equal unit length, with a colour bar.
struct FieldView {
  std::string key = {};
  std::string title = {};
  AxisInfo x = {}, y = {}, value = {};
  std::string channel = {};  // of the frame; its low and high are the colour range
  FieldStyle style = FieldStyle::Scalar;
  std::string colormap = "inferno";
  bool symmetric = false;  // the range is centred on 0
  FieldScale scale = FieldScale::Linear;
  std::string overlay_channel = {};  // a second array drawn as an outline where it crosses overlay_level; may be empty
  double overlay_level = 0.5;
};

// A figure of points in space: a channel of width = count, components 4: x, y, z, and a value in [low, high] of the
// channel that the colormap shows; sizes come from a second channel of one component (1 = usual), if named.
struct PointView {
  std::string key = {};
  std::string title = {};
  AxisInfo value = {};
  std::string channel = {};
  std::string size_channel = {};
  std::string colormap = "plasma";
  double extent = 1;  // half the edge of the cube that the camera shows at first
};

// Some advice that prints beside the parameters, with the change that cures it.
struct Finding {
  enum class Level { Note, Warning };
  Level level = Level::Warning;
  std::string code = {};     // stable, for scripts: "wrap_around"
  std::string message = {};  // a sentence
  std::string key = {};      // the parameter whose change cures it; may be empty
  std::string value = {};    // the curing value, as typed
};

struct Throughput {
  std::string unit = {};      // "points/s"
  double work_per_step = 0;   // in that unit times seconds
  double bytes_per_step = 0;  // the fewest bytes that must cross device memory; 0 where state stays on chip
  double flops_per_step = 0;
};

struct Description {
  std::string id;        // "tunneling"
  std::string title;     // "Tunneling wavepacket"
  std::string summary;   // one line
  std::string equation;  // one line, Unicode
  std::shared_ptr<const std::vector<ParameterInfo>> parameters;
  std::vector<Preset> presets;  // the first is what opens
  std::string demo_preset;      // what `./dev run` renders without a display
  std::vector<DiagnosticInfo> diagnostics;
  // What can be shown; a simulation has at least one of any kind. Keys are unique over the three lists.
  std::vector<CurveView> views;
  std::vector<FieldView> fields;
  std::vector<PointView> points;
  // Tools of the mouse that poke() understands: key, title.
  std::vector<std::pair<std::string, std::string>> tools;
  std::string state_array;  // the array that `run --save` writes: "psi"
  // CPU and CUDA states may differ by this relative L2 norm after `parity_steps` steps of each preset.
  double parity_tolerance = 1e-4;
  int parity_steps = 100;
  std::unique_ptr<Simulation> (*create)(compute::DevicePtr, const ParameterSet&) = nullptr;

  ParameterSet defaults() const { return ParameterSet(parameters); }
  // Defaults with the preset's changes; UsageError with the closest name for an unknown preset.
  ParameterSet preset(const std::string& key) const;
  const Preset& presetInfo(const std::string& key) const;
  std::size_t diagnosticIndex(const std::string& key) const;
};

}  // namespace simscope
