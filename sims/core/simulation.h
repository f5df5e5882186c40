// The contract of a simulation: it owns device state and advances it; it knows nothing of windows or files.
//
// Thread: one thread at a time, inside Device::run. Work is asynchronous on the device's stream, except where a value
// is returned to the host. Errors: ParameterError (a value that this combination does not allow; nothing changed),
// OutOfMemory (the object that existed before still works), Error.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sims/compute/loops/capsule.h"
#include "sims/core/description.h"
#include "sims/core/frame.h"
#include "sims/core/state.h"
#include "sims/core/timeline/kept_state.h"

namespace simscope {

class Archive;

// What an event of Gesture::Paint covers, where the tool acts in the plane.
enum class BrushShape {
  Way,        // all points within the radius of the path since the last event
  Rectangle,  // between the corners (x - dx, y - dy) and (x, y); the radius has no meaning
  Ellipse,    // in that rectangle
  Region,     // the region around (x, y) that earlier strokes enclose (ToolInfo::fills)
};
// In scenes: "way", "rectangle", "ellipse", "region".
const std::vector<std::string>& brushShapeNames();

// The mouse on the figure, in simulation units (of the axes of the view that it is on).
struct Brush {
  std::string tool;  // one of the simulation's own; tunneling has "kick"
  double x = 0, y = 0;
  double dx = 0, dy = 0;  // since the last event of this stroke; Gesture::Launch: the whole drag; Edit: the value
  double radius = 0;
  double strength = 1;
  double z = 0, dz = 0;  // on views of points: in the plane through the camera's target that faces the eye
  bool begins = false;   // the first event of a stroke: the press of the button
  BrushShape shape = BrushShape::Way;
  std::int64_t object = -1;  // Gesture::Edit: number of the object whose value is set; others have none

  // The area covered since the last event, in cells of that edge; x = 0 is `middle` cells from the first one. A brush
  // finer than the grid still covers the cell under it. For a region: only the point under the mouse.
  compute::Capsule cells(double edge, double middle = 0) const;
  // The same in simulation units on a grid of that edge, for a path with this radius.
  compute::Capsule covered(double way_radius, double edge) const;

  bool operator==(const Brush&) const = default;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;

  const Description& description() const noexcept { return *description_; }
  const compute::DevicePtr& device() const noexcept { return device_; }
  const ParameterSet& parameters() const noexcept { return parameters_; }
  std::uint64_t seed() const noexcept { return seed_; }
  std::int64_t steps() const noexcept { return steps_; }
  virtual double time() const = 0;
  // The time step of the next step, from the description and the present parameters; 0: not known.
  double timeStep() const { return description_->timeStep(parameters_); }

  // Parameters and seed determine the state, on either backend.
  virtual void reset(std::uint64_t seed) = 0;
  // Applies parameters between two steps. Where ParameterSet::needsReset says so the caller makes a new simulation
  // instead; here every parameter that applies on reset must equal the present one (UsageError).
  void apply(const ParameterSet& parameters);
  // n ≥ 0 steps, enqueued; no round trip to the host within.
  virtual void step(int n) = 0;
  // Does the part of the last step that was postponed until its parameters are known (keyframes and strokes of a step
  // come after it), so that its cost counts for the step and not for the first reader. Enqueued; changes no result.
  virtual void completeStep() {}
  // Whether a frame and a status would equal the last presented ones; a playing run then publishes nothing. Cheap.
  virtual bool stands() const { return false; }
  // Whether its steps mainly wait for work of other processes, perhaps on the same device. They are then timed by the
  // host's clock, because the device's timers would delay the other work.
  virtual bool waits() const { return false; }
  // Writes the channels that the description's views name. Enqueued.
  virtual void present(Frame& frame) = 0;
  // One value per DiagnosticInfo, in order; NaN where a value has no meaning. Waits.
  virtual void diagnostics(std::span<double> values) = 0;
  // Advice about the present parameters and state. `values` are the newest diagnostics. Cheap.
  virtual std::vector<Finding> check(std::span<const double> values) const = 0;
  // False if there is NaN or Inf anywhere in the state. Waits.
  virtual bool finite() = 0;
  // The likely cause of a NaN under the present parameters, as a sentence with the change that cures it.
  virtual std::string likelyCauseOfNaN() const = 0;

  // The whole state, by the table of visit(). Both wait. load: UsageError where it does not fit; the state is then
  // unchanged. (These and those below are virtual only for DividedSimulation.)
  virtual State save();
  // The same, but each rank saves only its own rows of divided fields (StateArray::part).
  virtual State saveOwn() { return saved(device_->ranks() != nullptr); }
  virtual void load(const State& state);
  // Keeps a copy of the state in the device's memory, so that a run can go back to it. It reuses the memory of
  // `former`, an earlier copy, if there is one. resume(): the parameters of the copy must be applied before.
  virtual void keep(KeptState& former);
  virtual void resume(const KeptState& kept);
  virtual std::size_t stateBytes();  // size of what save() would return, without making it
  // The content of a state, for people: one line an array, with its type and shape under the present parameters.
  struct StateEntry {
    std::string name, dtype, what;
    std::vector<std::size_t> shape;
    bool may_be_missing;
  };
  virtual std::vector<StateEntry> stateEntries();
  // True if it changed something. A brush with a number that is not finite, with a shape that the tool does not have,
  // or with a value outside ToolInfo::edit does nothing.
  bool poke(const Brush& brush);
  // The observers placed by tools with ToolInfo::observes, as plain numbers; empty without such tools. setObservers()
  // takes a value that observers() of this run returned at any step; an empty one removes all observers. The rest of
  // the state does not depend on them.
  virtual std::vector<double> observers() const { return {}; }
  virtual void setObservers(std::span<const double> placed) { (void)placed; }
  virtual Throughput throughput() const = 0;
  // How the state is advanced ("on-chip FFT, 1 launch a batch", "FFTW, 4 threads"); for the status line and bench.
  virtual std::string method() const = 0;

 protected:
  Simulation(const Description& description, compute::DevicePtr device, ParameterSet parameters)
      : description_(&description), device_(std::move(device)), parameters_(std::move(parameters)) {}

  // The table of the state; see sims/core/archive.h. Seed, steps, time and parameters are saved separately.
  virtual void visit(Archive& archive) = 0;
  // Brings the table's arrays and numbers up to date before they are saved or listed.
  virtual void beforeSave() {}
  // Restores what follows from the table and is not in it; parameters, seed and steps already are the state's. Without
  // the array "run" the past is unknown: its numbers are computed from the loaded arrays.
  virtual void loaded(const State& state) = 0;
  // Carries out apply() once it is known that no reset is needed; parameters() are the former ones until it returns. If
  // it throws, nothing has changed.
  virtual void change(const ParameterSet& parameters) = 0;
  // poke(), with finite numbers.
  virtual bool stroke(const Brush& brush) {
    (void)brush;
    return false;
  }

  State saved(bool in_parts);

  const Description* description_;
  compute::DevicePtr device_;
  ParameterSet parameters_;
  std::uint64_t seed_ = 0;
  std::int64_t steps_ = 0;
};

}  // namespace simscope
