// The run's way through its past, and the pace of a film.
#include <algorithm>
#include <cmath>

#include "sims/core/run/runner_loop.h"

namespace simscope {
namespace {

// On the way to another step: about a display's rate.
constexpr auto kTravelInterval = std::chrono::milliseconds(30);
constexpr double kLongestDebt = 0.25;  // s, after a pause of the machine: no steps in a rush to catch up

}  // namespace

void Runner::Loop::carryOut(const GoTo& way) {
  if (!stepper_) return;
  carryOut(Pause{});
  pauseHere();
  const std::int64_t before = stepper_->simulation().steps();
  stepper_->goTo(way.step);
  glancing_ = way.glance;
  if (stepper_->simulation().steps() != before || !way.glance) dirty_ = true;
  if (motion_ == Motion::AtEnd) motion_ = Motion::Paused;
  if (motion_ == Motion::Stopped && stepper_->simulation().steps() < before) {
    motion_ = Motion::Paused;
    say({});
  }
}

void Runner::Loop::carryOut(const StepBack&) {
  if (!stepper_) return;
  const auto& way = stepper_->replay();
  const std::int64_t from = way && way->travels ? way->to : stepper_->simulation().steps();
  carryOut(GoTo{from - stepsByHand()});
}

void Runner::Loop::carryOut(const Branch& branch) {
  if (!stepper_ || !stepper_->inPast()) return;
  stepper_->branch(branch.keep_as);
  timeline_.reset();
  glancing_ = false;
  dirty_ = dirty_ || !recording();
}

void Runner::Loop::carryOut(const Resume& resume) {
  if (!stepper_) return;
  carryOut(Pause{});
  pauseHere();
  if (!stepper_->resume(resume.line, resume.keep_as)) throw UsageError("that part of the run is no longer kept");
  timeline_.reset();
  waiting_.reset();
  glancing_ = false;
  motion_ = Motion::Paused;
  dirty_ = true;
  say({});
}

void Runner::Loop::carryOut(const KeepPast& past) {
  past_bytes_ = past.bytes;
  if (!stepper_) return;
  stepper_->keepPast(past.bytes);
  dirty_ = dirty_ || !recording();
}

// With mutex_ held, or on the runner's thread. A slider that is dragged gives no rest between two commands.
bool Runner::Loop::pictureIsDue(Clock::time_point now) const {
  return stepper_ && glancing_ && (dirty_ || replaying()) && now - shown_at_ > kTravelInterval;
}

void Runner::Loop::tellPast(RunnerStatus& status) const {
  if (!stepper_) return;
  status.past = {.inside = stepper_->inPast(),
                 .first = stepper_->firstStep(),
                 .last = stepper_->lastStep(),
                 .states = stepper_->keptStates(),
                 .bytes = stepper_->keptBytes(),
                 .steps = stepper_->keptSteps(),
                 .budget = stepper_->keptBudget(),
                 .lines = stepper_->lines()};
}

void Runner::Loop::beginWork(RunnerStatus::Work::Kind kind, int steps) {
  const std::lock_guard lock(mutex_);
  work_ = {kind, steps};
  work_since_ = Clock::now();
}

int Runner::Loop::stepsByHand() const {
  if (pace_.mode != Pace::Mode::Budget) return std::max(1, pace_.steps_per_frame);
  return std::max(1, last_frame_steps_);
}

// As many as the clock has gone on since, in simulated time, but no more than fit; none yet where steps are long.
int Runner::Loop::stepsForSpeed() {
  constexpr int kMost = 1 << 24;
  const double time_step = stepper_->simulation().timeStep();
  if (!(time_step > 0) || !(pace_.speed > 0)) return pace_.steps_per_frame;
  const Clock::time_point now = Clock::now();
  const double seconds = std::chrono::duration<double>(now - owed_at_).count();
  const double rate = pace_.speed / time_step;
  owed_at_ = now;
  owed_ += rate * std::min(seconds, kLongestDebt);
  const int fitting = meter_.fitting(pace_.budget_ms, std::min(kMost, 4 * std::min(last_frame_steps_, kMost / 4) + 1));
  behind_ = owed_ > fitting + 1.0;
  const int steps = static_cast<int>(std::min(std::floor(owed_), static_cast<double>(fitting)));
  owed_ = behind_ ? 0 : owed_ - steps;
  if (steps == 0) {
    const std::chrono::duration<double> rest(std::min((1 - owed_) / rate, kLongestDebt));
    next_frame_ = std::max(next_frame_, now + std::chrono::duration_cast<Clock::duration>(rest));
  }
  return steps;
}

}  // namespace simscope
