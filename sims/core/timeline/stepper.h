// Advances a simulation by its timeline, watches it for NaN and Inf, and goes back in its past. The one engine beneath
// the window's runner, `simscope run`, and `simscope render`. Schedule has the timeline in order, Past what the run can
// go back to, FindingsLog what it has met. How a replay works: docs/design/timeline.md.
//
// Thread: one at a time; every member enters Device::run itself.
// Errors: UsageError where a simulation would not fit the device's memory (sims/core/memory.h), before any is taken.
//
// The watch costs one reduction a check and, now and then, a copy of the state to the host (states up to
// kWatchedBytes). The first bad step is found by bisection from that copy: the steps since then are made again, with
// the changes and strokes between them. For larger states only the interval is reported.
//
// The timeline: its events of a step happen as soon as the run has made that many steps, those of step 0 right after
// the reset; the state that is shown at a step has all of its strokes. Parameters with a track follow it: a value from
// configure() holds until the track's next interval.
//
// Replay: where the timeline changes before the run's present step, the run restores its newest checkpoint before the
// change, or else is reset, and makes the steps from there again, batch by batch. Observers (ToolInfo::observes) need
// no replay: they move at once to where the new timeline puts them. During a replay changes of live parameters and
// strokes are refused, and a timeline that changes again, a reset, or a loaded state begins another replay, or none. A
// timeline may hold thousands of strokes at one step, each as much work as a step. A reset, a new simulation, and a new
// timeline make the strokes of the present step for at most kPatience; the rest becomes a replay, too.
//
// The past: live changes of parameters belong to their step, as strokes do. In the past the later steps remain part of
// the run, and a run that steps on repeats them to the same bits. A change of the run there (configure, poke) removes
// the later changes of parameters for good; branch() keeps them.
//
// Ranks (compute::Device::ranks) that make a run together have a Stepper each and make the same calls of it. They keep
// no copies for undo and none in host memory for a lost device; they keep the watch's copies at the same steps.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/core/timeline/past.h"
#include "sims/core/timeline/schedule.h"

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
  static constexpr std::size_t kMostChanges = 4096;  // of parameters, that a run can undo

  struct Replay {
    std::int64_t from = 0, to = 0;  // steps; equal where only strokes remain to be made
    bool travels = false;           // goTo(): the timeline is the same
    bool operator==(const Replay&) const = default;
  };

  // Makes the simulation and resets it.
  Stepper(const Description& description, compute::DevicePtr device, const ParameterSet& parameters,
          std::uint64_t seed);

  Simulation& simulation() noexcept { return *simulation_; }
  const Simulation& simulation() const noexcept { return *simulation_; }

  void reset(std::uint64_t seed);
  // Applies live changes; a change that needs a reset makes a new simulation (the old one is dropped only once the new
  // one exists) and resets it with the present seed. UsageError: live changes during a replay.
  void configure(const ParameterSet& parameters);
  // Moves the run to another device, continuing from the same state.
  void moveTo(compute::DevicePtr device);
  // Takes over the state's parameters, too (a new simulation where they need one).
  void load(const State& state);
  // Simulation::poke, remembered as part of the timeline. UsageError where that already holds Timeline::kMostEvents.
  bool poke(const Brush& brush);
  State save();
  State saveOwn();  // Simulation::saveOwn

  // What happens from here on, and again after a reset. Where the run has passed a step at which the two timelines
  // differ, it goes back to that step, with the present parameters and in the batches of a recording, and carries out
  // the new one from there. UsageError (Timeline::check): the former timeline stays.
  void setTimeline(Timeline timeline);
  // The same, without making the steps of a replay. If a replay is under way and the change lies beyond the step that
  // it has reached, the replay goes on from there; it then ends at the earlier of the two ends.
  void changeTimeline(Timeline timeline);
  const std::optional<Replay>& replay() const noexcept { return replay_; }
  // Makes a batch of the replay. False: it has ended, or there is none.
  bool advanceReplay();
  // The run stays at the step that it has reached, which is a step of the new timeline's run.
  void endReplay();
  // Events of the mouse that the present step still waits for; above 0 only during a replay or after one that was ended
  // early.
  std::size_t eventsDue() const { return schedule_.eventsDue(simulation_->steps()); }
  // Makes them, as changeTimeline() does: for kPatience at most, and the rest as a replay.
  void catchUp();
  const Timeline& timeline() const noexcept { return schedule_.timeline; }

  // Past::keepAlong: verify() then keeps copies along the run.
  void keepPast(std::optional<std::size_t> bytes) { past_.keepAlong(bytes, *simulation_); }
  // Frees all copies that are kept for speed only. goTo() still reaches every step, slowly, except those before a
  // loaded state.
  void forgetCopies() { past_.forgetCopies(); }
  // The nearest step of those that the run has made since it began, or since it was loaded: restores the nearest copy
  // and, where that is of another step, begins a replay. UsageError while the run is replayed for another reason.
  void goTo(std::int64_t step);
  bool inPast() const noexcept { return past_.present.has_value(); }
  std::int64_t firstStep() const noexcept { return past_.firstStep(*simulation_); }  // that goTo() can reach
  std::int64_t lastStep() const noexcept { return past_.lastStep(*simulation_); }    // the present
  const ParameterSet& base() const noexcept { return base_; }  // what the user asked for, at the run's step
  const ParameterSet& asked() const noexcept;                  // and last of all, where a replay leads

  // In the past: cuts off what follows the step that the run is at, or goes to, and keeps it as the line `keep_as`.
  using LineId = Past::LineId;
  void branch(LineId keep_as);
  // Returns to the end of a kept line; the present one is kept as `keep_as`. False where the line is not known: a
  // reset, another size, or a loaded state ends all lines, and there are Past::kMostLines at most.
  bool resume(LineId line, LineId keep_as);
  std::vector<LineId> lines() const { return past_.lineIds(); }

  // The most steps that a caller makes between two checks of the state: a fraction of a second of work on either
  // backend. Depends on the simulation and the backend alone, never on time, so that a run can be repeated bit for bit.
  int batch() const;

  // Enqueues n steps, with the timeline's events before and between them.
  void step(int n);
  // Throws NotFinite where the state is no longer finite; the simulation is then at the last good state, if that is
  // known.
  void verify();
  // All diagnostics, and the findings that follow from them.
  const std::vector<double>& diagnostics();
  // After those of the present step come those that were found on the way and no longer hold
  // (Finding::last_step). The run is looked at with each call, where a keyframe is passed, and where a stroke of the
  // timeline ends.
  std::vector<Finding> findings() { return findings(diagnostics()); }
  std::vector<Finding> findings(const std::vector<double>& values);  // from diagnostics of this run, which may be older
  void present(Frame& frame);

  // The newest state that was copied to the host, for a run whose device is lost; null: there is none, and only a reset
  // with base() is possible.
  const State* lastGood() const noexcept { return rescue_ ? &*rescue_ : nullptr; }
  // The copies of the state that the run can go back to, and the bytes that they may take together.
  std::size_t keptStates() const noexcept { return past_.kept.size(); }
  std::vector<std::int64_t> keptSteps() const { return past_.keptSteps(); }
  std::size_t keptBytes() const noexcept { return past_.bytes(); }
  std::size_t keptBudget() const { return past_.budget(*simulation_); }

 private:
  using Checkpoint = Past::Checkpoint;
  // The observers at a step where the timeline's events alone may not explain them: that of a loaded state.
  struct Observers {
    std::int64_t step = -1;
    std::vector<double> placed = {};
  };
  struct Located;

  std::unique_ptr<Simulation> make(compute::DevicePtr device, const ParameterSet& parameters, std::uint64_t seed);
  void forgetPast();
  void beginFromReset();
  Checkpoint checkpoint();
  std::optional<Checkpoint> checkpointIfRoom();
  void keepLastGood();
  void keepForUndo();
  void keepOnTheWay();
  void recordChange(const ParameterSet& applied);
  void forgetOldChanges();
  void leaveAhead();
  void beginAt(const Checkpoint& point);
  void arriveAtPresent();
  Past::Present presentHere();
  Located locate(std::int64_t bad_step);
  void configureInPlace(const ParameterSet& parameters);
  void restore(const Checkpoint& point);
  ParameterSet withTracked(ParameterSet base, const ParameterSet& from) const;
  void goBackTo(std::int64_t step, std::size_t common_events);
  void arrive();
  bool arriveSoon();
  void placeObservers();
  void advanceTo(std::int64_t step, bool looks = true);
  void look();
  bool keyframePassed() const;
  std::int64_t nextStop(std::int64_t step) const;
  bool finite();
  bool agreed(bool here) const;

  std::unique_ptr<Simulation> simulation_;
  ParameterSet base_;  // what the user asked for; tracks differ from it
  Schedule schedule_;
  std::int64_t tracked_at_ = -1;  // the step at which the tracks were applied last
  Observers first_observers_;     // that the run began with
  Past past_;
  std::chrono::steady_clock::time_point past_at_{};  // when the last copy along the run was made, and what it took
  std::chrono::steady_clock::duration past_took_{};
  std::optional<Replay> replay_;
  Checkpoint last_good_;         // where the watch's bisection begins
  std::optional<State> rescue_;  // a copy of it in host memory
  std::int64_t checked_steps_ = 0;
  bool watched_ = true;  // false once the state is known to be larger than kWatchedBytes
  std::chrono::steady_clock::time_point kept_at_;
  std::chrono::steady_clock::duration keeping_took_{};
  std::vector<double> values_;
  bool values_fresh_ = false;
  FindingsLog met_;
  double keyframes_until_ = -HUGE_VAL;  // the time up to which they were looked at
  bool look_due_ = false;
  bool finds_ = true;  // false in the search for the first bad step
};

}  // namespace simscope
