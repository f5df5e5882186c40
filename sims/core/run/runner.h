// Runs a simulation on a thread of its own: takes commands from a queue, steps, publishes frames and status.
//
// Owner: the Runner owns the Stepper, the Publisher, and the thread. Thread: every public member may be called from one
// controlling thread (the UI's). Only waitUntilIdle and the destructor wait for a step. Errors: an error of the run
// itself (it could not begin, a step failed) is in status().message. NaN stops the run (status().stopped) with the step
// and the likely cause. If a device, or one of several, is lost or out of memory in the middle of a run, the run
// continues on the CPU, from the newest state that was copied to the host (Stepper::lastGood; else from its beginning),
// and the message says so. A run that several devices cannot make together begins on the first of them alone, and the
// message says so.
//
// Commands and their answers: every command returns its id. Commands are carried out in the order of their ids, and
// status().handled is the newest one handled; later ones are pending. One that could not be carried out (a bad value,
// no memory, no device) leaves the run as it was and is listed in status().refused, with the reason; all others up to
// `handled` were done, and their effects are in the same status. Refusals stay listed until acknowledge(), even if the
// status is rarely read.
//
// Where a command makes the run replay steps (setTimeline), they are made in batches. Between batches frames are
// published now and then and other commands are carried out: no command waits for the end of a replay
// (status().replay). endReplay() ends it; see Stepper for the state that the run is then in, and for the effect of
// other commands on a replay. A run that was playing continues after the replay; single steps wait for its end. Live
// parameters that are set during a replay wait for its end (status().changes_wait), and are checked only then: such a
// command may be listed as refused after it was handled, at the latest in the first status without replay. Of several
// that wait the newest answers for all.
//
// The past (see Stepper): goTo() and stepBack() pause the run and show one of its former steps, stepOnce() repeats the
// later steps; meanwhile frames are published as fast as they are made. A new target step replaces one that still
// waits.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "sims/core/machine_limit.h"
#include "sims/core/run/publisher.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {

// How fast a playing run goes.
struct Pace {
  enum class Mode { StepsPerFrame, Budget, Speed };
  Mode mode = Mode::StepsPerFrame;
  int steps_per_frame = 1;  // StepsPerFrame: exactly so many between two frames; single steps; other modes' first guess
  double frames_per_second = 60;  // no faster than this; 0: as fast as possible
  double budget_ms = 12;          // Budget, Speed: as many steps as fit between two frames, at most
  double speed = 1;               // Speed: simulated time per second of the clock; runs without a time step: as
                                  // StepsPerFrame
  bool operator==(const Pace&) const = default;
};

// Where a playing run ends, exact for any number of steps a frame: frames and batches stop at `step`. Single steps,
// recordings in lockstep, and runs beyond it continue.
struct RunEnd {
  std::int64_t step = 0;  // > 0
  Ending ending = Ending::Loop;
  // A loop resets the run with its seed, keyframes and strokes included. A run that has strokes continues instead,
  // unless it loops `with_strokes`; a run from a loaded state always continues.
  bool with_strokes = false;
  bool operator==(const RunEnd&) const = default;
};

// Names a command of one Runner; they grow. 0: none.
using CommandId = std::uint64_t;

// A command that was not carried out.
struct RefusedCommand {
  CommandId id = 0;
  std::string error;      // why; for the user
  std::string parameter;  // key of the parameter that caused it (ParameterError); empty: none, or unknown
  // Of setParameters() and change(): what they would have set, and of which parameters. Otherwise empty.
  ParameterSet wanted;
  std::vector<std::size_t> changed;
  bool operator==(const RefusedCommand&) const = default;
};

// A copy of the run's status after the last published frame. Values, not references: keep it.
struct RunnerStatus {
  const Description* description = nullptr;
  compute::DeviceInfo device;
  std::string method;
  ParameterSet parameters;
  std::uint64_t seed = 0;
  std::int64_t steps = 0;
  double time = 0;
  double time_step = 0;  // of the next step; 0: not known
  bool playing = false;
  bool at_end = false;                       // paused by its RunEnd; play() continues beyond it
  bool stopped = false;                      // by NaN/Inf; message says where and why. Reset clears it.
  std::string message;                       // why it could not begin, or stopped; otherwise empty
  std::uint64_t message_count = 0;           // grows with every new message
  CommandId handled = 0;                     // the newest command that was carried out or refused
  std::vector<RefusedCommand> refused;       // in the order of refusal, until acknowledge()
  std::shared_ptr<const Timeline> timeline;  // with every stroke of the run; never null once a run exists
  std::vector<double> diagnostics;
  // The step that they are of: while playing, costly ones are computed less often.
  std::int64_t diagnostics_steps = 0;
  double diagnostics_time = 0;
  std::vector<Finding> findings;
  double step_us = 0;               // measured cost of a step, smoothed
  double diagnostics_ms = 0;        // their cost each time; with the watch's, at most a tenth of a playing run's time
  double watch_ms = 0;              // likewise of the search for NaN
  double steps_per_second = 0;      // wall clock
  double host_bytes_per_frame = 0;  // over the bus, both ways
  double launches_per_frame = 0;    // kernels, or parallel loops on the CPU; smoothed, diagnostics included
  Throughput throughput;            // of a step
  // Of the device, in bytes: that of the simulation, and that of the frames that circulate between it and the figure.
  struct Memory {
    std::size_t simulation = 0, frames = 0;
    std::vector<std::size_t> members;  // of several devices (DeviceInfo::members): each one's, frames included
  };
  Memory memory;
  std::optional<MachineLimit> limit;  // measureLimit()'s answer, of this simulation on this device
  std::uint64_t frame = 0;            // sequence of the newest published frame
  std::uint64_t epoch = 0;            // grows with every reset or new simulation (plots restart)
  // A replay from one step to another; `step` is the one that it has reached.
  struct Replay {
    std::int64_t from = 0, step = 0, to = 0;
    std::size_t strokes_left = 0;  // events of the mouse at this step, where there are many
    bool travels = false;          // to another step of the same run
    bool operator==(const Replay&) const = default;
  };
  std::optional<Replay> replay;
  // Where goTo() can go, and the copies on the device that it goes back to.
  struct Past {
    bool inside = false;               // the run is at a former step
    std::int64_t first = 0, last = 0;  // steps that can be reached; the last is the present
    std::size_t states = 0, bytes = 0;
    std::vector<std::int64_t> steps;     // of those copies
    std::size_t budget = 0;              // bytes that they may take
    std::vector<Stepper::LineId> lines;  // that can be resumed
  };
  Past past;
  // What the user asked for with the commands up to `handled`, refused ones aside; keyframes change `parameters` from
  // there.
  ParameterSet base;
  bool changes_wait = false;  // for the end of the replay
  // What the run's thread is doing now, and for how long: how many steps, or a command. Current in each status().
  struct Work {
    enum Kind { None, Steps, Command };
    Kind kind = None;
    int steps = 0;
    double seconds = 0;
  };
  Work work;
  bool behind = false;  // Pace::Mode::Speed requires more steps than there is time for
  bool busy = false;    // commands wait, or their frame does; a paused run that is not busy is at `frame`
};

class Runner {
 public:
  // Starts paused, with the first frame published soon after. A failure appears in status().message.
  Runner(const Description& description, const ParameterSet& parameters, std::uint64_t seed,
         std::string device = "auto", int threads = 0);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;

  // Commands. A run that was stopped or did not begin refuses play() and stepOnce(), with the reason.
  CommandId play() { return give(Play{}); }
  CommandId pause() { return give(Pause{}); }
  CommandId stepOnce() { return give(StepOnce{}); }  // as many steps as one frame takes; nothing while playing
  CommandId reset() { return give(Reset{}); }        // with the present parameters and seed
  CommandId reset(std::uint64_t seed) { return give(Reset{seed}); }
  CommandId setPace(Pace pace) { return give(pace); }
  CommandId setEnd(std::optional<RunEnd> end) { return give(SetEnd{end}); }  // of this run; select() forgets it
  // Live ones apply at once; others restart the run. A set that follows a still waiting one replaces it: both calls
  // return the same id.
  CommandId setParameters(ParameterSet parameters);
  // The same for these parameters alone; the others keep the run's values. A change of the same ones that follows a
  // still waiting one replaces it.
  CommandId change(ParameterSet wanted, std::vector<std::size_t> indices) {
    return give(Change{std::move(wanted), std::move(indices)});
  }
  // Continues from the same state.
  CommandId setDevice(std::string device, int threads = 0) { return give(SetDevice{std::move(device), threads}); }
  CommandId select(const Description& description, ParameterSet parameters, std::uint64_t seed,
                   Timeline timeline = {}) {
    return give(Select{&description, std::move(parameters), seed, std::move(timeline)});
  }
  // See Stepper::changeTimeline: the run may go back.
  CommandId setTimeline(Timeline timeline) { return give(std::move(timeline)); }
  // The channels that frames hold from now on; none: all. Frames of another simulation hold all again.
  CommandId showChannels(std::optional<std::vector<std::string>> channels) {
    return give(ShowChannels{std::move(channels)});
  }
  // The nearest step of the run's past or its present; `glance`: one of many, while a slider is dragged, whose
  // diagnostics may be of another step.
  CommandId goTo(std::int64_t step, bool glance = false) { return give(GoTo{step, glance}); }
  CommandId stepBack() { return give(StepBack{}); }  // as many steps as one frame takes
  // Stepper::branch and resume. A line that is not known is refused.
  CommandId branch(Stepper::LineId keep_as) { return give(Branch{keep_as}); }
  CommandId resume(Stepper::LineId line, Stepper::LineId keep_as) { return give(Resume{line, keep_as}); }
  // Stepper::keepPast, of this run and those selected later.
  CommandId keepPast(std::optional<std::size_t> bytes) { return give(KeepPast{bytes}); }
  CommandId endReplay() { return give(EndReplay{}); }  // a replay under way; otherwise nothing
  CommandId load(std::shared_ptr<const State> state) { return give(Load{std::move(state)}); }
  // `done` is called on the runner's thread; refused where there is no state.
  CommandId save(std::function<void(State)> done) { return give(Save{std::move(done)}); }
  CommandId poke(Brush brush) { return give(std::move(brush)); }
  // Measures status().limit; the run pauses meanwhile, for some tenths of a second on a CPU.
  CommandId measureLimit() { return give(MeasureLimit{}); }

  // Lockstep, for recording: after each published frame the run waits until frameTaken(). In lockstep a playing run
  // makes exactly `steps_per_frame` steps a frame. nullopt ends it.
  CommandId setLockstep(std::optional<int> steps_per_frame) { return give(SetLockstep{steps_per_frame}); }
  void frameTaken();  // not a command: takes effect at once

  // Controlling thread: the newest frame; see Publisher.
  const Frame* newestFrame() { return publisher_.newest(); }
  RunnerStatus status() const;
  // The first `refusals` of status().refused were read; removes them.
  void acknowledge(std::size_t refusals);
  // Waits until all commands given so far are carried out and a paused run has published (tests, command line).
  void waitUntilIdle();

 private:
  struct Loop;  // the thread's side; runner_loop.h
  // The commands, as the methods of the same names describe them.
  struct Play {};
  struct Pause {};
  struct StepOnce {};
  struct Reset {
    std::optional<std::uint64_t> seed = {};
  };
  struct SetEnd {
    std::optional<RunEnd> end;
  };
  struct Change {
    ParameterSet wanted;
    std::vector<std::size_t> indices;
  };
  struct SetDevice {
    std::string device;
    int threads = 0;
  };
  struct Select {
    const Description* description = nullptr;
    ParameterSet parameters;
    std::uint64_t seed = 0;
    Timeline timeline;
  };
  struct ShowChannels {
    std::optional<std::vector<std::string>> channels;
  };
  struct GoTo {
    std::int64_t step = 0;
    bool glance = false;
  };
  struct StepBack {};
  struct Branch {
    Stepper::LineId keep_as = 0;
  };
  struct Resume {
    Stepper::LineId line = 0, keep_as = 0;
  };
  struct KeepPast {
    std::optional<std::size_t> bytes;
  };
  struct EndReplay {};
  struct Load {
    std::shared_ptr<const State> state;
  };
  struct Save {
    std::function<void(State)> done;
  };
  struct MeasureLimit {};
  struct SetLockstep {
    std::optional<int> steps_per_frame;
  };
  using Command =
      std::variant<Play, Pause, StepOnce, Reset, Pace, SetEnd, Change, SetDevice, Select, Timeline, ShowChannels, GoTo,
                   StepBack, Branch, Resume, KeepPast, EndReplay, Load, Save, Brush, MeasureLimit, SetLockstep>;
  CommandId give(Command command);

  Publisher publisher_;
  std::unique_ptr<Loop> loop_;
};

}  // namespace simscope
