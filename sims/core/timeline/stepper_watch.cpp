// The watch over a run: keeps the last good state, and finds the step from which on it is not finite any more.
#include <algorithm>
#include <new>
#include <utility>

#include "sims/compute/ranks/slab.h"
#include "sims/core/timeline/stepper.h"

namespace simscope {
namespace {

using Clock = std::chrono::steady_clock;

// The state is copied to the host no more often than this, and never for more than a fiftieth of the time.
constexpr Clock::duration kKeepInterval = std::chrono::seconds(2);
constexpr int kKeepShare = 50;

const char* const kWhatHappened = "The state is not finite (NaN or Inf)";

}  // namespace

// What a search for the first bad step found. The simulation stands at the step before, if `exact`.
struct Stepper::Located {
  bool exact = false;
  std::int64_t step = 0;
};

bool Stepper::finite() {
  bool finite = false;
  simulation_->device()->run([&] { finite = simulation_->finite(); });
  return finite;
}

// Ranks that make the run together keep the same copies, whatever their clocks and memories say.
bool Stepper::agreed(bool here) const {
  return compute::trueOnAll(*simulation_->device(), here);
}

void Stepper::keepLastGood() {
  const Clock::time_point start = Clock::now();
  Checkpoint here;
  watched_ = simulation_->stateBytes() <= kWatchedBytes;
  const auto same = std::find_if(past_.kept.begin(), past_.kept.end(), [&](const Checkpoint& each) {
    return each.steps == simulation_->steps() && each.next_event == schedule_.next_event &&
           each.next_change == past_.next_change;
  });
  try {
    if (watched_) {
      here = same == past_.kept.end() ? checkpoint() : *same;
      if (!simulation_->device()->ranks()) rescue_ = save();
    }
  } catch (const OutOfMemory&) {
    watched_ = false;
  } catch (const std::bad_alloc&) {
    watched_ = false;
  }
  watched_ = agreed(watched_);
  last_good_ = watched_ ? std::move(here) : Checkpoint();
  if (!watched_) rescue_.reset();
  kept_at_ = Clock::now();
  keeping_took_ = kept_at_ - start;
}

void Stepper::verify() {
  if (finite()) {
    checked_steps_ = simulation_->steps();
    keepOnTheWay();
    const Clock::duration due = std::max(kKeepInterval, kKeepShare * keeping_took_);
    if (watched_ && agreed(Clock::now() - kept_at_ > due)) keepLastGood();
    return;
  }
  values_fresh_ = false;
  const std::int64_t bad_step = simulation_->steps();
  const std::string cause = simulation_->likelyCauseOfNaN();
  const Located located = locate(bad_step);
  std::string message = kWhatHappened;
  if (located.exact) {
    message += " from step " + std::to_string(located.step) + " on. ";
  } else if (checked_steps_ + 1 < bad_step) {
    message += "; last finite at step " + std::to_string(checked_steps_) + ", not finite at step " +
               std::to_string(bad_step) + ". ";
  } else {
    message += " at step " + std::to_string(bad_step) + ". ";
  }
  throw NotFinite(message + cause, located.step);
}

Stepper::Located Stepper::locate(std::int64_t bad_step) {
  const Located unknown{.exact = false, .step = bad_step};
  if (!watched_) return unknown;
  const ParameterSet wanted = base_;
  // What came later has led nowhere.
  const auto continueFrom = [&](const Checkpoint& good) {
    const ParameterSet before = good.base;
    base_ = wanted;
    configureInPlace(withTracked(wanted, good.parameters));
    past_.present.reset();
    met_.forgetAfter(good.steps);
    while (!past_.kept.empty() && past_.kept.back().steps > good.steps) past_.kept.pop_back();
    past_.changes.resize(good.next_change);
    past_.next_change = past_.changes.size();
    beginAt(good);
    if (!(before == wanted)) recordChange(simulation_->parameters());
  };
  try {
    // The first replay may start from a reset, before the size of the state is known.
    if (!last_good_.copy && simulation_->stateBytes() > kWatchedBytes) {
      watched_ = false;
      return unknown;
    }
    restore(last_good_);
    if (!finite()) {
      const std::int64_t first = simulation_->steps();
      continueFrom(Checkpoint(last_good_));
      return {.exact = true, .step = first};
    }
    Checkpoint good = checkpoint();
    std::int64_t bad = bad_step;
    // Invariant: the run is finite at the step of `good`, before what happens there, and is not at `bad`.
    while (bad - good.steps > 1) {
      const std::int64_t middle = good.steps + (bad - good.steps) / 2;
      advanceTo(middle, false);
      if (finite()) {
        good = checkpoint();
      } else {
        bad = middle;
        restore(good);
      }
    }
    // A stroke or a change at the last step can be the culprit, too: then the replay up to there is finite.
    advanceTo(bad, false);
    if (finite()) good = checkpoint();
    restore(good);
    continueFrom(good);
    return {.exact = true, .step = bad};
  } catch (const std::exception&) {
    if (simulation_->device()->ranks()) throw;  // the others go on with the search
    // No memory for the copies, or the device gave up: the interval must do.
    base_ = wanted;
    past_.next_change = past_.changes.size();
    return unknown;
  }
}

}  // namespace simscope
