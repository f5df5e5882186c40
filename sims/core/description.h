// A simulation's description of itself. Panels, command line, scenes, tests, benchmark, and the README's table are
// made from it. Plain data, built once, never changed; any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sims/compute/device.h"
#include "sims/core/parameters.h"
#include "sims/core/timeline/track.h"
#include "sims/core/view.h"

namespace simscope {

class Batch;
class Simulation;
enum class BrushShape;
struct Brush;
struct Frame;

// What a run does when it has been played to the end of its preset: frames · steps_per_frame steps.
enum class Ending {
  Loop,   // starts again from the beginning
  Pause,  // stops there; the user may play on
};

struct Preset {
  std::string key = {};
  std::string title = {};
  std::string summary = {};
  std::vector<std::pair<std::string, std::string>> changes = {};  // key, value as typed; the rest are defaults
  std::vector<Track> tracks = {};                                 // live parameters that follow keyframes
  int steps_per_frame = 1;                                        // a good speed when played
  int frames = 141;                                               // how many of them make a good animation
  std::string view = {};              // the view that shows it best; empty: the description's first
  std::optional<Camera> camera = {};  // of views of points; otherwise Camera{}
  Ending ending = Ending::Loop;
  // Empty for a preset that is right to its end: no warning at the beginning or the end, conserved quantities within
  // DiagnosticInfo::bound, measured beside exact within DiagnosticInfo::tolerance (the contract test holds all three).
  // Otherwise a sentence that names the flaw: of values from a text that readers want to see although they are flawed.
  std::string flaw = {};
  // The tool that is selected when the window opens the preset. The run then waits until something is drawn or the user
  // plays it. Empty: none.
  std::string tool = {};
};

// What is known of a diagnostic, and when it has a meaning: a condition alone, or what exactOf() and within() give.
struct DiagnosticFacts {
  DiagnosticFacts() = default;
  DiagnosticFacts(Relevance when_relevant) : relevant(std::move(when_relevant)) {}  // NOLINT: a condition says it all

  std::string exact_of = {};  // key of the diagnostic whose exact value this is; empty otherwise
  // For errors and drifts: the largest |value| in any preset without a flaw, from its beginning to its end. 0: no bound
  // is promised. NaN values (no meaning here) are not compared.
  double bound = 0;
  // With exact_of: the largest |measured - exact| at the end of such a preset. 0: nothing is promised.
  double tolerance = 0;
  Relevance relevant = {};  // when it is plotted, listed, and reported; files have it always, NaN without meaning
};
DiagnosticFacts exactOf(std::string key, double tolerance = 0, Relevance relevant = {});
DiagnosticFacts within(double bound, Relevance relevant = {});

enum class Shown { Listed, Plotted };  // plotted: in the strip of time plots from the start
inline constexpr Shown kListed = Shown::Listed, kPlotted = Shown::Plotted;

struct DiagnosticInfo : DiagnosticFacts {
  DiagnosticInfo() = default;
  DiagnosticInfo(std::string its_key, std::string its_title, std::string its_unit, std::string its_help,
                 Shown shown = kListed, DiagnosticFacts facts = {});

  std::string key = {};    // "norm"
  std::string title = {};  // "Norm"
  std::string unit = {};
  std::string help = {};
  bool plotted = false;
};

// What the mouse does with a tool.
enum class Gesture {
  Paint,   // press, drag, release: Brush events all along the way
  Launch,  // one event at release: x, y, z where the button was pressed, dx, dy, dz from there to the release
  Place,   // events at the mouse's position while the button is down; radius and strength have no meaning
  Edit,    // an event sets a value of one object (ToolInfo::edit); the position has no meaning
};
// Gesture::Edit: what the tool sets of the objects that views of points show, one of them at a time (Brush::object).
// A vector becomes (dx, dy, dz) of the event, a number its strength.
struct EditInfo {
  std::string object = {};   // the name of one: "Body". Tools for the same objects are offered as one
  std::string points = {};   // PointView::channel with their positions
  std::string channel = {};  // the present values, one for each element of `points`; made when a frame asks for it
  bool vector = false;       // drawn as an arrow; three components in the channel
  std::string symbol = {};   // "v"
  std::string unit = {};
  double minimum = 0, maximum = 0;  // of the number, or of the vector's length; inclusive
  // How many objects there are at the start; every launch adds one. Pure.
  std::int64_t (*count)(const ParameterSet&) = nullptr;

  bool allows(const Brush& brush) const;  // its value; simulation.cpp
};
// A number shown while a launch is aimed: "E = 2 ħ²/(m·length²)". Where an obstacle has a value of the same unit, also
// the ratio to it: "0.8 V₀".
struct LaunchReading {
  std::string symbol = {};  // "E"
  double value = 0;
  std::string unit = {};
  double share = 0;
  std::string of = {};  // "V₀"; empty: no ratio
};
struct ToolInfo {
  std::string key = {};
  std::string title = {};
  Gesture gesture = Gesture::Paint;
  std::string view = {};  // key of the one view that it acts on; empty: those over the simulation's own axes
  // It places an observer (a thermometer, a probe; Simulation::observers): diagnostics and pictures may change, the run
  // does not. Its strokes are added and removed without a replay of the run.
  bool observes = false;
  Relevance relevant = {};  // when it is offered; its strokes in a scene count for any parameters
  // Paint: the initial radius, as a share of the plot's shorter side (of curves: of its width).
  double size = 0.05;
  // Paint: it can also fill a region that earlier strokes enclose (BrushShape::Region).
  bool fills = false;
  // Launch: the readings of the event that a release would send, under these parameters; `frame`: the newest. Pure.
  // Null: only the length of the drag is known.
  std::vector<LaunchReading> (*readings)(const ParameterSet&, const Brush&, const Frame&) = nullptr;
  EditInfo edit = {};  // Edit

  bool has(BrushShape shape) const;  // simulation.cpp
};

// Advice that is shown beside the parameters, with the change that cures it.
struct Finding {
  enum class Level { Note, Warning };
  Level level = Level::Warning;
  std::string code = {};     // stable, for scripts: "wrap_around"
  std::string message = {};  // a sentence
  std::string key = {};      // the parameter whose change cures it; may be empty
  std::string value = {};    // the curing value, as typed
  // The first and the last step of the run at which it was found; Stepper::findings() sets them.
  std::int64_t first_step = 0, last_step = 0;

  // The message; with the steps in front of it where it no longer holds at this step of the run.
  std::string told(std::int64_t step) const;
};

// How the mouse moves the window of the plane that a simulation computes, where parameters set that window: a zoom
// about a fixed point, or a shift of the picture. In shares of the axes that the view's first channel covers, from
// their low ends.
struct Navigation {
  std::string view = {};  // key of the view under the mouse
  double x = 0.5, y = 0.5;
  double factor = 1;  // above 1: nearer
  double dx = 0, dy = 0;
};

struct Throughput {
  std::string unit = {};      // "points/s"
  double work_per_step = 0;   // in that unit times seconds
  double bytes_per_step = 0;  // the fewest bytes that must cross device memory; 0 where state stays on chip
  double flops_per_step = 0;
  // The fewest single-precision instructions (a fused multiply-add is one), summed over all lanes, where arithmetic and
  // not memory is the limit; else 0.
  double lane_operations_per_step = 0;
  // The state follows from parameters and time alone, so that only the last of many steps made at once costs anything.
  // Steps are then measured one at a time, as if each were shown.
  bool only_last_step_costs = false;
  // A run comes to rest and then costs nothing. Whole runs of the preset are measured, from their beginning.
  bool comes_to_rest = false;
  // How many steps cost less when they are made at once: one pass over memory, or one exchange between ranks, serves
  // them.
  int at_once = 1;
};

// Many runs side by side on one device, where the simulation supports it: sims/core/batch.h.
struct BatchInfo {
  std::vector<std::string> shape;  // keys of the parameters that are equal in all runs of a batch
  // Creates the runs of these parameters, at their beginning. Null where this device cannot run them side by side: they
  // are then made one by one. ParameterError of a key of `shape` in which they differ; OutOfMemory.
  std::unique_ptr<Batch> (*create)(compute::DevicePtr, std::span<const ParameterSet>, std::uint64_t seed) = nullptr;
};

// How a run is divided among ranks (sims/compute/ranks/ranks.h), and for which parameters; with others it is not
// divided.
enum class Decomposition {
  None,     // a run is made by one process
  Samples,  // independent samples: each rank counts its share, the counts are added, and all ranks have the whole state
  // Rows of a field (sims/compute/ranks/slab.h): each rank holds its own and a halo. All of them also make the calls
  // that read the state, in the same order: rank 0 gets the frame and the saved state, the others get parts without
  // use.
  Slabs,
  // Each rank computes the forces on its share of the bodies and sends them to the others; all have the whole state.
  // All ranks compute diagnostics together, because these may need values that steps leave out.
  Bodies,
};
struct DecompositionInfo {
  Decomposition kind = Decomposition::None;
  Relevance applies = {};
  Relevance on_cuda = {};                            // for which parameters the ranks can use CUDA devices
  int (*most_ranks)(const ParameterSet&) = nullptr;  // that a run can be divided among; null: any number
  // Bytes that each of `ranks` ranks takes at most; null: as many as a single process.
  double (*memory)(const ParameterSet&, int ranks) = nullptr;
};

// What the time of a run is called and counted in.
struct ClockInfo {
  std::string symbol = "t";  // empty: there is no time, and `unit` stands for itself
  std::string unit = {};     // "s", "darts"
  bool counts = false;       // the time is a count: of darts, iterations, events
  bool operator==(const ClockInfo&) const = default;
};

struct Description {
  std::string id;        // "tunneling"
  std::string title;     // "Tunneling wavepacket"
  std::string summary;   // one line
  std::string equation;  // one line, Unicode; the general one
  // The equation that these parameters solve; null: `equation` for all of them.
  std::string (*equation_of)(const ParameterSet&) = nullptr;
  std::shared_ptr<const std::vector<ParameterInfo>> parameters;
  std::vector<Preset> presets;  // the first is opened
  std::vector<DiagnosticInfo> diagnostics;
  // The views, in the order in which they are offered; the first is opened.
  std::vector<View> views;
  // Tools of the mouse that poke() understands.
  std::vector<ToolInfo> tools;
  // The parameters after such a motion, which changes live ones only; nothing where the view's axes move instead. Pure.
  // Null: the axes move in all views. `window_parameters`: the keys that it changes; a double click resets them to the
  // preset's values.
  std::optional<ParameterSet> (*navigate)(const ParameterSet&, const Navigation&) = nullptr;
  std::vector<std::string> window_parameters;
  std::string state_array;  // the array that `run --save` writes: "psi"
  // When the seed matters: where something is drawn at random.
  Relevance random = {};
  // By how much a step advances the time of such a run, above 0. Null: unknown, as for test doubles.
  double (*time_step)(const ParameterSet&) = nullptr;
  ClockInfo clock = {};
  // CPU and CUDA states may differ by this relative L2 norm after `parity_steps` steps of each preset.
  double parity_tolerance = 1e-4;
  int parity_steps = 100;
  // Bytes of device memory that a simulation of these parameters takes at most (CPU: host memory), frames included;
  // null where any size is small. `size_key`: the parameter that is made smaller to fit.
  double (*memory)(const ParameterSet&, compute::Backend) = nullptr;
  std::string size_key;
  // Refuses values that conflict, and texts that are no number or formula: all that follows from the parameters alone.
  // ParameterError, with the key to change. Pure and quick, any thread. Null: all values in their ranges are allowed.
  void (*validate)(const ParameterSet&) = nullptr;
  // A run of valid parameters. Refuses what only the device, memory, or a file can tell, and values of a formula.
  std::unique_ptr<Simulation> (*create)(compute::DevicePtr, const ParameterSet&) = nullptr;
  BatchInfo batch = {};
  // In a divided run, all ranks make the calls that may change the state, in the same order, each on its own device
  // (Device::ranks). A rank may make the calls that only read the state (present, diagnostics, check, save) alone,
  // unless the kind says otherwise.
  DecompositionInfo decomposition = {};
  // Scenes of former versions may hold parameters that no longer exist. Removes those that it knows from `former` (key,
  // and value as typed) and sets `tracks` to their meaning, given the preset (may be empty) and the parameters of the
  // scene. UsageError, naming the key, where their meaning is no longer possible. Null: no such parameters.
  void (*upgrade)(std::map<std::string, std::string>& former, const std::string& preset, const ParameterSet& parameters,
                  std::vector<Track>& tracks) = nullptr;

  ParameterSet defaults() const { return ParameterSet(parameters); }
  std::string equationOf(const ParameterSet& set) const { return equation_of ? equation_of(set) : equation; }
  double timeStep(const ParameterSet& set) const { return time_step ? time_step(set) : 0; }
  void requireValid(const ParameterSet& set) const {
    if (validate) validate(set);
  }
  // Defaults with the preset's changes; UsageError with the closest name for an unknown preset.
  ParameterSet preset(const std::string& key) const;
  const Preset& presetInfo(const std::string& key) const;
  std::size_t diagnosticIndex(const std::string& key) const;
  // The keys of all views, as offered.
  std::vector<std::string> viewKeys() const;
  // Null where there is no view with this key. Empty: the one that opens.
  const View* findView(const std::string& key) const noexcept;
  // Empty: the one that opens. UsageError, with the closest name, for an unknown key; Error where there is no view.
  const View& view(const std::string& key) const;
  // What a figure of this view is made of: a linked view's panels, the main one first, or the view alone. Error where a
  // panel's view is not described, or is itself linked.
  std::vector<ShownPanel> panelsOf(const View& view) const;
  // The channels that a figure can show or hide, each once; and all channels that the views are drawn from.
  std::vector<std::string> channelKeys() const;
  std::vector<std::string> drawnChannels() const;
};

}  // namespace simscope
