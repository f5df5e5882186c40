// What a run can go back to: copies of its state, changes of its parameters, lines that were left, and the memory that
// all of it may take. The Stepper fills it, and goes there.
//
// Copies: before strokes and, if keepAlong() asks for it, along the whole run: as many as their memory allows, at gaps
// that grow with the distance from the present step.
//
// Owner: the Stepper. Thread: the simulation's. `run` is the simulation that the copies are of, at its present step.
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "sims/core/simulation.h"
#include "sims/core/timeline/findings_log.h"
#include "sims/core/timeline/timeline.h"

namespace simscope {

struct Past {
  static constexpr std::size_t kMostKeptBytes = 1u << 30;  // of all copies, by default
  static constexpr std::size_t kMostKept = 512;            // copies
  static constexpr std::size_t kMostLines = 16;
  using LineId = std::uint64_t;

  // What the user changed while the run went on.
  struct Change {
    std::int64_t step = 0;
    std::size_t next_event = 0;  // in the timeline's order: earlier ones happened before the change
    ParameterSet base, applied;
    bool as_tracked = false;  // applied: the base, with the tracks' values at that time
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
  // Where the run was before it went into its past or to another line. The copy may be missing.
  struct Present {
    std::int64_t steps = 0;
    std::size_t next_event = 0, next_change = 0;
    std::optional<Checkpoint> copy;
  };
  struct Line {
    Timeline timeline;
    std::vector<Change> changes;
    Present end;
    std::deque<Checkpoint> kept;  // except what it shares with the line that replaced it
    FindingsLog met;
  };

  std::deque<Checkpoint> kept;     // oldest first
  Checkpoint origin;               // a reset; after a loaded state the first of `kept` is the origin
  bool from_reset = true;          // and all changes since then are known
  bool keeps_origin = false;       // the first of `kept` is one
  std::vector<Change> changes;     // since the origin, oldest first
  std::size_t next_change = 0;     // in a replay or in the past; otherwise all have been made
  std::optional<Present> present;  // in the past: where the later steps end
  std::vector<std::pair<LineId, Line>> lines;

  // Nothing of what was before can be returned to; the origin is the caller's.
  void clear();
  std::int64_t firstStep(const Simulation& run) const noexcept;
  std::int64_t lastStep(const Simulation& run) const noexcept;
  std::vector<std::int64_t> keptSteps() const;
  std::vector<LineId> lineIds() const;
  // A line of this name, and the oldest beyond kMostLines, are dropped.
  void addLine(LineId id, Line line);

  // Bytes that all copies may take; 0: an eighth of the device's free memory, kMostKeptBytes at most. Nothing: copies
  // are kept before strokes only.
  void keepAlong(std::optional<std::size_t> bytes, const Simulation& run);
  bool keepsAlong() const noexcept { return limit_.has_value(); }
  std::size_t budget(const Simulation& run) const;
  std::size_t bytes() const noexcept;  // of all copies, those of lines included
  // Whether so much more is within the budget. Drops copies for it.
  bool makeRoom(std::size_t more, const Simulation& run);
  // In its place by steps, where it is within the budget.
  void keep(Checkpoint point, const Simulation& run);
  // The memory of one copy waits for the next, which takes it.
  void recycle(Checkpoint point);
  std::shared_ptr<KeptState> takeMemory();
  // The device has less memory than was thought.
  void forgetMemory();
  // Drops all copies that are kept for speed only.
  void forgetCopies();

 private:
  bool dropFromLines();

  std::shared_ptr<KeptState> spare_;
  std::optional<std::size_t> limit_;
  mutable std::size_t room_ = 0;  // on the device for copies and all else, as of then
  mutable std::optional<std::chrono::steady_clock::time_point> room_at_;
};

}  // namespace simscope
