// A simulation's description of itself. Panels, command line, scenes, tests, benchmark, and the README's table are
// made from it. Plain data, built once, never changed; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/device.h"
#include "sims/core/parameters.h"
#include "sims/core/track.h"

namespace simscope {

class Simulation;

// From where a view of points is seen, in perspective. Azimuth 0 and elevation 90 look down on the xy-plane with x to
// the right and y up; azimuth turns the eye about z, counterclockwise seen from above; elevation 0 looks along the
// plane, z up.
struct Camera {
  double azimuth = 30;         // degrees
  double elevation = 25;       // degrees, -90 to 90
  double zoom = 1;             // 1: the cube of the channel just fits, seen from anywhere
  double x = 0, y = 0, z = 0;  // what is in the middle of the picture; simulation units
  bool operator==(const Camera&) const = default;
};

// What a run does when it has been played to the end of its preset: frames · steps_per_frame steps.
enum class Ending {
  Loop,   // starts again from the beginning
  Pause,  // stands there; the user may play on
};

struct Preset {
  std::string key = {};
  std::string title = {};
  std::string summary = {};
  std::vector<std::pair<std::string, std::string>> changes = {};  // key, value as typed; the rest are defaults
  std::vector<Track> tracks = {};                                 // live parameters that follow keyframes
  int steps_per_frame = 1;                                        // what looks right when played
  int frames = 141;                                               // how many of them make a good animation
  std::string view = {};              // the view that shows it best; empty: the description's first
  std::optional<Camera> camera = {};  // of views of points; otherwise Camera{}
  Ending ending = Ending::Loop;
  // Empty for a preset that is right to its end: no warning at the beginning or the end, conserved quantities within
  // DiagnosticInfo::bound, measured beside exact within DiagnosticInfo::tolerance (the contract test holds all three).
  // Otherwise what is wrong with it, as a sentence: values of a text that a reader wants to see, and the flaw in them.
  std::string flaw = {};
};

struct DiagnosticInfo {
  std::string key = {};    // "norm"
  std::string title = {};  // "Norm"
  std::string unit = {};
  std::string help = {};
  bool plotted = false;       // in the strip of time plots from the start
  std::string exact_of = {};  // key of the diagnostic whose exact value this is; empty otherwise
  // The largest |value| in any preset without a flaw, from its beginning to its end: for what measures an error or a
  // drift. 0: nothing is promised. NaN values (no meaning here) are not compared.
  double bound = 0;
  // With exact_of: the largest |measured - exact| at the end of such a preset. 0: nothing is promised.
  double tolerance = 0;
};

enum class TraceStyle {
  PhaseFilled,  // area under the curve, coloured by the phase in `phase_channel` (radians)
  Line,
  Ghost,    // a faint line: what was, or what is expected
  OwnAxis,  // an area against an axis of its own at the right, which lines in its unit share
};

// What values are called, and what they are measured in.
struct Label {
  std::string title = {};  // "x", "|ψ|²"
  std::string unit = {};
  bool operator==(const Label&) const = default;
};

// Where a channel holds one thing or another (intensities or their logarithms, an exact curve or that of the start),
// `forms` names each, and Channel::form says which it is; `title` and `unit` then stand for them all.
struct TraceInfo {
  std::string channel = {};  // of the frame
  std::string title = {};    // in the legend: "|ψ|²", "V(x)"
  std::string unit = {};
  TraceStyle style = TraceStyle::Line;
  std::string phase_channel = {};  // PhaseFilled
  bool shown = true;               // from the start
  int colour = 0;                  // index into the theme's line colours
  std::vector<Label> forms = {};
};

struct AxisInfo {
  std::string title = {};  // "x", "|ψ|²"
  std::string unit = {};
  std::vector<Label> forms = {};
};

// What the values of a channel in this form are called.
Label labelOf(const AxisInfo& axis, int form = 0);
Label labelOf(const TraceInfo& trace, int form);

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
  // A vector field that can be drawn over it as arrows: a channel of two components over the same axes, of any
  // resolution; its high is the length of the longest arrow. May be empty. Not drawn until the user asks.
  std::string arrow_channel = {};
  AxisInfo arrow = {};  // what the arrows are: {"heat flux", "length/time"}
  // What a cell is that holds no number (NaN) on purpose: "insulator". It has a neutral colour and is called so;
  // contours and arrows end there. Empty: such a cell is a fault, and stands out.
  std::string absent = {};
};

// A figure of points in space that glow: their light adds up, and is tone mapped. Axes: a cube.
struct PointView {
  std::string key = {};
  std::string title = {};
  AxisInfo space = {};  // unit of x, y, and z; title unused
  AxisInfo value = {};
  // width = count, 4 components: x, y, z, and size (1 = usual: its light is size², its disc grows with size). The cube
  // that the camera shows at zoom 1 reaches from x_min to x_max of this channel in all three directions.
  std::string channel = {};
  std::string value_channel = {};  // width = count, 1 component: what the colormap shows, from its low to its high
  // What has been passed through: width = samples of each trail, oldest first; height = trails (the first bodies'),
  // 3 components: x, y, z. May be empty; then there are none. A frame may leave the channel out.
  std::string trail_channel = {};
  std::string colormap = "plasma";
  FieldScale scale = FieldScale::Linear;
};

// A figure of several views side by side. Each panel has its view's own axes, title, and key.
struct Panel {
  std::string view = {};  // key of a curve, field, or point view
  // Shares of the figure's area below its title; where that is higher than wide, across and down change places.
  double left = 0, top = 0, width = 1, height = 1;
};
struct LinkedView {
  std::string key = {};
  std::string title = {};
  std::vector<Panel> panels = {};  // the first is the main one: limits, ranges, and colormap of the options are its
};

// What the mouse does with a tool.
enum class Gesture {
  Paint,   // press, drag, release: Brush events all along the way
  Launch,  // one event at release: x, y, z where the button was pressed, dx, dy, dz from there to the release
  Place,   // events at the mouse's place while the button is down; radius and strength have no meaning
};
struct ToolInfo {
  std::string key = {};
  std::string title = {};
  Gesture gesture = Gesture::Paint;
  std::string view = {};  // key of the one view that it acts on; empty: those over the simulation's own axes
  // It sets down what only observes (a thermometer, a probe; Simulation::observers): diagnostics and pictures may
  // change, the run does not. Strokes of such a tool come and go without the run going back.
  bool observes = false;
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
  // The fewest single-precision instructions (a fused multiply-add is one), summed over all lanes, where arithmetic and
  // not memory is the limit; else 0.
  double lane_operations_per_step = 0;
};

struct Description {
  std::string id;        // "tunneling"
  std::string title;     // "Tunneling wavepacket"
  std::string summary;   // one line
  std::string equation;  // one line, Unicode
  std::shared_ptr<const std::vector<ParameterInfo>> parameters;
  std::vector<Preset> presets;  // the first is what opens
  std::vector<DiagnosticInfo> diagnostics;
  // What can be shown; a simulation has at least one of any kind. Keys are unique over the four lists.
  std::vector<CurveView> views;
  std::vector<FieldView> fields;
  std::vector<PointView> points;
  std::vector<LinkedView> linked;
  // Key of the view that opens; empty: the first linked view, else field, else view of points, else curve view.
  std::string first_view;
  // Tools of the mouse that poke() understands.
  std::vector<ToolInfo> tools;
  std::string state_array;  // the array that `run --save` writes: "psi"
  // CPU and CUDA states may differ by this relative L2 norm after `parity_steps` steps of each preset.
  double parity_tolerance = 1e-4;
  int parity_steps = 100;
  // Bytes of device memory that a simulation of these parameters takes at most (CPU: host memory), frames included;
  // null where any size is small. `size_key`: the parameter that is made smaller to fit.
  double (*memory)(const ParameterSet&, compute::Backend) = nullptr;
  std::string size_key;
  std::unique_ptr<Simulation> (*create)(compute::DevicePtr, const ParameterSet&) = nullptr;
  // Scenes of former versions may hold parameters that are no more. Takes those that it knows out of `former` (key, and
  // value as typed), and makes `tracks` what they mean beside the preset (may be empty) and the parameters of the
  // scene. UsageError, naming the key, where they mean nothing that can be done. Null: there are none.
  void (*upgrade)(std::map<std::string, std::string>& former, const std::string& preset, const ParameterSet& parameters,
                  std::vector<Track>& tracks) = nullptr;

  ParameterSet defaults() const { return ParameterSet(parameters); }
  // Defaults with the preset's changes; UsageError with the closest name for an unknown preset.
  ParameterSet preset(const std::string& key) const;
  const Preset& presetInfo(const std::string& key) const;
  std::size_t diagnosticIndex(const std::string& key) const;
  // The keys of all views in the order in which they are offered: linked, fields, points, curves.
  std::vector<std::string> viewKeys() const;
  // The key of the view that opens. Error for a description without any view.
  std::string openingView() const;
  // The channels that a figure can show or hide, each once: fields with their outlines, trails, curves.
  std::vector<std::string> channelKeys() const;
};

}  // namespace simscope
