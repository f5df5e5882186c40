// A simulation under watch: advances it, finds NaN or Inf, and locates the step at which they appeared.
// The one engine beneath the window's runner, `simscope run`, and `simscope render`.
//
// Thread: one at a time; every member enters Device::run itself. The watch costs one reduction a check and, every so
// often, a copy of the state to the host (states up to kWatchedBytes), from which the first bad step is found by
// bisection: the steps since that copy are made again, with the changes and strokes that came between. Larger states
// report the interval.
//
// The timeline: what it says of a step is done as soon as the run has made that many steps, those of step 0 right after
// the reset; the state that is seen at a step has all of its strokes. Parameters with a track follow it: what
// configure() says of one counts until the track's next interval.
//
// Replay: where the timeline changes behind the run, the run restores its newest checkpoint before the change (kept
// before strokes, and of a state that was loaded), else it is reset, and makes the steps from there again. What only
// observes (ToolInfo::observes) needs no replay: it stands at once where the new timeline puts it. changeTimeline()
// begins the replay and advanceReplay() makes a batch of it, so that the caller can do other things in between, and
// endReplay() ends it early: the run then stands at the step that it has reached, a step of the new timeline's run like
// any other. Meanwhile changes of live parameters wait for its end, strokes are refused, and a timeline that changes
// again, a reset, or a loaded state begins another replay, or none. A timeline may hold thousands of strokes at one
// step, each as much work as a step. A reset, a new simulation, and a new timeline make those of the present step for
// kPatience at most; what is left then is a replay, too.
//
// The past: the run keeps copies of its state on its device, before strokes and, where keepPast() says so, all along
// its way: as many as their memory allows, the gaps between them growing with the distance from where the run stands.
// Live changes of parameters belong to their step, as strokes do. goTo() restores the nearest copy and makes the steps
// from there to any step since the run began, with all that happened on the way; what lies ahead then still stands, and
// a run that steps on goes through it to the same bits. branch() leaves what lies ahead: strokes and changes that had
// happened there are taken out of the run and kept, as a line of it, which resume() brings back. Whatever else changes
// the run in its past (configure, poke) takes the changes of parameters that lie ahead out of it for good.
//
// Ranks (compute::Device::ranks) that make a run together have a Stepper each and make the same calls of it. They keep
// no copies for undo, nor any in host memory for a lost device; what the watch keeps they keep at the same steps.
//
// Errors:
// UsageError where a simulation would not fit the device's memory (sims/core/memory.h), before any is taken.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/core/timeline/timeline.h"

namespace simscope {

// The state stopped being finite. what() names the step (or interval) and the likely cause.
class NotFinite : public Error {
 public:
  NotFinite(const std::string& message, std::int64_t first_bad_step) : Error(message), step_(first_bad_step) {}
  std::int64_t step() const noexcept { return step_; }

 private:
  std::int64_t step_;
};

class Stepper {
 public:
  static constexpr std::size_t kWatchedBytes = 64u << 20;
  static constexpr std::size_t kMostKeptBytes = 1u << 30;  // of all copies to go back to, unless chosen; keptBudget()
  static constexpr std::size_t kMostKept = 512;            // copies
  static constexpr std::size_t kMostChanges = 4096;        // of parameters, that a run can go back through
  static constexpr std::size_t kMostLines = 16;            // that were left

  struct Replay {
    std::int64_t from = 0, to = 0;  // steps; the same where only strokes are left to be made
    bool travels = false;           // goTo(): nothing has changed
    bool operator==(const Replay&) const = default;
  };

  // Makes the simulation and resets it.
  Stepper(const Description& description, compute::DevicePtr device, const ParameterSet& parameters,
          std::uint64_t seed);

  Simulation& simulation() noexcept { return *simulation_; }
  const Simulation& simulation() const noexcept { return *simulation_; }

  void reset(std::uint64_t seed);
  // Applies live changes; a change that needs a reset makes a new simulation (the old one is dropped only once the
  // new one stands) and resets it with the present seed.
  void configure(const ParameterSet& parameters);
  // Moves the run to another device, continuing from the same state.
  void moveTo(compute::DevicePtr device);
  // Takes over the state's parameters, too (a new simulation where they need one).
  void load(const State& state);
  // Simulation::poke, remembered as part of the timeline. UsageError where that holds Timeline::kMostEvents.
  bool poke(const Brush& brush);
  State save();
  State saveOwn();  // Simulation::saveOwn

  // What happens from here on, and again after a reset. Where the run has passed a step at which the two timelines
  // differ, it goes back to that step, with the present parameters and in the batches of a recording, and does there
  // what the new one says. UsageError (Timeline::check), and the former timeline stays.
  void setTimeline(Timeline timeline);
  // The same, less the steps of a replay. A run that is being replayed already, and is told of a change beyond the step
  // that it has reached, goes on from there; its end is then the earlier of the two.
  void changeTimeline(Timeline timeline);
  const std::optional<Replay>& replay() const noexcept { return replay_; }
  // A batch of the replay. False: it is at its end, or there is none.
  bool advanceReplay();
  void endReplay();
  // Events of the mouse that the present step still waits for; only after a way that was left, and on one.
  std::size_t eventsDue() const;
  // Makes them, as changeTimeline() does: for kPatience at most, and then as a way.
  void catchUp();
  const Timeline& timeline() const noexcept { return timeline_; }

  // Whether verify() keeps copies on the way, and the bytes that all copies may take; 0: an eighth of what is free on
  // the device, kMostKeptBytes at most. Nothing: copies before strokes alone.
  void keepPast(std::optional<std::size_t> bytes);
  // Gives up all that is only kept to be quick: every step can still be gone to, if slowly, but for those before a
  // loaded state.
  void forgetCopies();
  // The nearest step of those that the run has made since it began, or since it was loaded. Away from the present it
  // begins a replay where the copy is not of that very step. UsageError while the run is replayed for another reason.
  void goTo(std::int64_t step);
  bool inPast() const noexcept { return present_.has_value(); }
  std::int64_t firstStep() const noexcept;                     // that can be gone to
  std::int64_t lastStep() const noexcept;                      // the present
  const ParameterSet& base() const noexcept { return base_; }  // what the user asked for, as of where the run stands

  // In the past: leaves what lies ahead of the step that the run is at, or goes to. `keep_as` names it from then on.
  using LineId = std::uint64_t;
  void branch(LineId keep_as);
  // Goes back to the end of a line that was left; the present one is left, as `keep_as`. False where it is not known:
  // a reset, another size, or a loaded state ends them all, and there are kMostLines at most.
  bool resume(LineId line, LineId keep_as);
  std::vector<LineId> lines() const;

  // The most steps that a caller makes between two looks at the state: a fraction of a second of work on either
  // backend. Depends on the simulation and the backend alone, never on time, so that a run can be repeated bit for bit.
  int batch() const;

  // Enqueues n steps, with what the timeline says before and between them.
  void step(int n);
  // Throws NotFinite where the state is not finite any more; the simulation is left at the last good state, if known.
  void verify();
  // All diagnostics, and the findings that follow from them.
  const std::vector<double>& diagnostics();
  std::vector<Finding> findings() { return findings(diagnostics()); }
  std::vector<Finding> findings(const std::vector<double>& values);  // from diagnostics of this run, perhaps older ones
  void present(Frame& frame);

  // The newest state that was copied to the host, for a run whose device is lost; null: none was, and a reset with
  // base() is all that there is.
  const State* lastGood() const noexcept { return rescue_ ? &*rescue_ : nullptr; }
  // The copies of the state that the run can go back to, and what they may take together.
  std::size_t keptStates() const noexcept { return kept_.size(); }
  std::vector<std::int64_t> keptSteps() const;
  std::size_t keptBytes() const noexcept;  // with those of lines that were left
  std::size_t keptBudget() const;

 private:
  // What the user changed while the run went on.
  struct Change {
    std::int64_t step = 0;
    std::size_t next_event = 0;  // in the timeline's order: those before it came first
    ParameterSet base, applied;
    bool as_tracked = false;  // applied: the base, with what the tracks say when it comes to that
    bool operator==(const Change&) const = default;
  };
  // A place in the run that it can go back to. Without a copy: a reset.
  struct Checkpoint {
    std::shared_ptr<KeptState> copy;
    ParameterSet parameters;  // the simulation's
    std::uint64_t seed = 0;
    std::int64_t steps = 0;
    ParameterSet base;
    std::size_t next_event = 0;
    std::size_t next_change = 0;
    std::int64_t tracked_at = -1;
    bool before_stroke = false;
    std::size_t bytes() const noexcept { return copy ? copy->bytes() : 0; }
  };
  // Where the run stood when it was left for its past, or for another line. The copy may be missing.
  struct Present {
    std::int64_t steps = 0;
    std::size_t next_event = 0, next_change = 0;
    std::optional<Checkpoint> copy;
  };
  struct Line {
    Timeline timeline;
    std::vector<Change> changes;
    Present end;
    std::deque<Checkpoint> kept;  // beyond what it shares with the line that took its place
  };
  // What observes as it stood at a step that the events of the timeline up to there need not account for: a loaded
  // state.
  struct Observers {
    std::int64_t step = -1;
    std::vector<double> placed = {};
  };
  struct Located;

  std::unique_ptr<Simulation> make(compute::DevicePtr device, const ParameterSet& parameters, std::uint64_t seed);
  void beginFromReset();
  Checkpoint checkpoint();
  void keepLastGood();
  void keepForUndo();
  void keepOnTheWay();
  void keep(Checkpoint point);
  void makeRoom(std::size_t bytes);
  bool dropFromLines();
  void recycle(Checkpoint point);
  void recordChange(const ParameterSet& applied);
  void forgetOldChanges();
  void leaveAhead();
  void beginAt(const Checkpoint& point);
  void arriveAtPresent();
  Present presentHere();
  void takeTimeline(Timeline timeline);
  void sortEvents(std::vector<Timeline::Place>& events, std::vector<Timeline::Place>& looks,
                  const Timeline& timeline) const;
  void addLine(LineId id, Line line);
  Located locate(std::int64_t bad_step);
  void configureInPlace(const ParameterSet& parameters);
  void restore(const Checkpoint& point);
  ParameterSet withTracked(ParameterSet base, const ParameterSet& from) const;
  void goBackTo(std::int64_t step, std::size_t common_events);
  void arrive();
  bool arriveSoon();
  bool observes(const std::string& tool) const;
  void placeObservers();
  void advanceTo(std::int64_t step);
  std::int64_t nextStop(std::int64_t step) const;
  bool finite();
  bool agreed(bool here) const;

  std::unique_ptr<Simulation> simulation_;
  ParameterSet base_;  // what the user asked for; tracks differ from it
  Timeline timeline_;
  std::vector<Timeline::Place> events_;     // of the timeline, in order, those of observing tools aside
  std::size_t next_event_ = 0;              // the first that has not happened yet
  std::int64_t tracked_at_ = -1;            // the step at which the tracks were applied last
  std::vector<Timeline::Place> looks_;      // of observing tools, in order
  std::size_t next_look_ = 0;               // the first that has not happened yet
  Observers first_observers_;               // that the run began with
  std::optional<std::size_t> open_stroke_;  // that the next event of the mouse belongs to
  std::deque<Checkpoint> kept_;             // to go back to, oldest first
  Checkpoint origin_;                       // a reset; of a loaded state the first of kept_ is the origin
  bool from_reset_ = true;                  // and all changes since then are known
  bool keeps_origin_ = false;               // the first of kept_ is one
  std::optional<Present> present_;          // in the past: what lies ahead ends there
  std::vector<std::pair<LineId, Line>> lines_;
  std::shared_ptr<KeptState> spare_;  // memory for the next copy
  std::optional<std::size_t> past_bytes_;
  std::chrono::steady_clock::time_point past_at_{};  // when the last copy on the way was made, and what it took
  std::chrono::steady_clock::duration past_took_{};
  mutable std::size_t room_ = 0;  // on the device for copies and all else, as of then
  mutable std::optional<std::chrono::steady_clock::time_point> room_at_;
  std::optional<Replay> replay_;
  std::optional<ParameterSet> deferred_;  // live changes that wait for the end of the way
  Checkpoint last_good_;                  // where the watch replays from
  std::optional<State> rescue_;           // a copy of it in host memory
  std::vector<Change> changes_;           // since the origin, oldest first
  std::size_t next_change_ = 0;           // in a replay or in the past; otherwise all are made
  std::int64_t checked_steps_ = 0;
  bool watched_ = true;  // false once the state has turned out to be larger than kWatchedBytes
  std::chrono::steady_clock::time_point kept_at_;
  std::chrono::steady_clock::duration keeping_took_{};
  std::vector<double> values_;
  bool values_fresh_ = false;
};

}  // namespace simscope
