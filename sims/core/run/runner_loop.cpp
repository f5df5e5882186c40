#include "sims/core/run/runner_loop.h"
#include "sims/compute/device_lost.h"
#include "sims/compute/fault.h"
#include "sims/compute/library_missing.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <system_error>
#include <utility>

namespace simscope {
namespace {

using Seconds = std::chrono::duration<double>;

// A frame that takes longer is made in batches of about this, so that commands need not wait for it.
constexpr double kPatienceMs = 100;
// On CUDA a measured batch waits for the device; this often is enough for the status line.
constexpr auto kMeasureInterval = std::chrono::milliseconds(20);
// Of a replay: between two checks of the state, and between two pictures.
constexpr auto kUncheckedTime = std::chrono::milliseconds(20), kShowInterval = std::chrono::milliseconds(150);
constexpr double kSmoothing = 0.5;           // s, of steps per second
constexpr double kFirstRate = 0.1;           // s, the least that the first of them is of: a batch alone is no rate
constexpr double kSlowestFrame = 24 * 3600;  // s: keeps clock arithmetic in range

}  // namespace

Runner::Loop::Loop(Publisher& publisher, const Description& description, const ParameterSet& parameters,
                   std::uint64_t seed, std::string device, int threads)
    : publisher_(publisher),
      description_(&description),
      parameters_(parameters),
      seed_(seed),
      device_spec_(std::move(device)),
      threads_(threads) {
  status_.description = description_;
  status_.parameters = status_.base = parameters_;
  status_.seed = seed_;
  try {
    thread_ = std::thread([this] { main(); });
  } catch (const std::system_error& error) {
    say(std::string("the simulation's thread cannot be started: ") + error.what());
  }
}

Runner::Loop::~Loop() {
  {
    const std::lock_guard lock(mutex_);
    quit_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

CommandId Runner::Loop::give(Command command) {
  const auto replaced_by = [](const Command& former, const Command& next) {
    const Change* const change = std::get_if<Change>(&former);
    const Change* const later = std::get_if<Change>(&next);
    if (change && later) return change->indices == later->indices;
    return std::holds_alternative<GoTo>(former) && std::holds_alternative<GoTo>(next);
  };
  CommandId id = 0;
  {
    const std::lock_guard lock(mutex_);
    if (!queue_.empty() && replaced_by(queue_.back().command, command)) {
      id = queue_.back().id;
      queue_.back().command.swap(command);  // destroyed without the lock
    } else {
      id = newest_ + 1;
      queue_.push_back({id, std::move(command)});
      newest_ = id;
    }
  }
  wake_.notify_all();
  return id;
}

void Runner::Loop::acknowledge(std::size_t refusals) {
  const std::lock_guard lock(mutex_);
  std::vector<RefusedCommand>& all = status_.refused;
  all.erase(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(std::min(refusals, all.size())));
}

void Runner::Loop::frameTaken() {
  {
    const std::lock_guard lock(mutex_);
    awaiting_ = false;
  }
  wake_.notify_all();
}

// Whether the run plays after it, where that is certain.
std::optional<bool> Runner::Loop::grantedBy(const Command& command) {
  if (std::holds_alternative<Play>(command)) return true;
  if (std::holds_alternative<Pause>(command) || std::holds_alternative<GoTo>(command)) return false;
  return std::nullopt;
}

RunnerStatus Runner::Loop::statusNow() const {
  const std::lock_guard lock(mutex_);
  RunnerStatus copy = status_;
  copy.busy = busy_ || !queue_.empty();
  copy.work = work_;
  if (work_.kind != RunnerStatus::Work::None) copy.work.seconds = Seconds(Clock::now() - work_since_).count();
  // Whoever asked for play or pause sees it granted, even while a long step is under way.
  copy.playing = granted_.value_or(copy.playing);
  for (const Given& each : queue_) copy.playing = grantedBy(each.command).value_or(copy.playing);
  return copy;
}

void Runner::Loop::waitUntilIdle() {
  if (!thread_.joinable()) return;
  std::unique_lock lock(mutex_);
  idle_.wait(lock, [this] { return queue_.empty() && !busy_; });
}

// The thread.

void Runner::Loop::main() {
  guarded([this] { build(); });
  guarded([this] { showState(); });
  while (!guarded([this] { run(); })) {
    // No memory for a copy of the status, say: the next command or step may have more luck.
  }
  stepper_.reset();
}

void Runner::Loop::run() {
  std::unique_lock lock(mutex_);
  while (!quit_) {
    // A single frame comes before what was asked for after it, but a long one only with its first batch.
    const bool frame_first = single_frames_ > 0 && left_ == 0 && mayAdvance();
    if (!queue_.empty() && !frame_first && !pictureIsDue(Clock::now())) {
      carryOutNext(lock);
      continue;
    }
    const bool advancing = mayAdvance();
    // Single frames belong to the command that asked for them, unless they wait for frameTaken.
    if (busy_ && queue_.empty() && !dirty_ && !replaying() && !(advancing && single_frames_ > 0)) {
      busy_ = false;
      idle_.notify_all();
    }
    if (replaying()) {
      lock.unlock();
      advanceReplay();
      lock.lock();
    } else if (dirty_) {
      lock.unlock();
      publish();
      lock.lock();
    } else if (advancing && frameIsDue(Clock::now())) {
      lock.unlock();
      advance();
      lock.lock();
    } else if (advancing) {
      wake_.wait_until(lock, next_frame_);
    } else {
      wake_.wait(lock);
    }
  }
}

void Runner::Loop::carryOutNext(std::unique_lock<std::mutex>& lock) {
  {
    const Given given = std::move(queue_.front());  // and destroyed, with what it holds, before the lock is back
    queue_.pop_front();
    busy_ = true;
    granted_ = grantedBy(given.command);
    work_.kind = RunnerStatus::Work::Command;
    work_since_ = Clock::now();
    lock.unlock();
    carried_ = given.id;
    answer(given);
    carryOutWaiting();
    showState();
  }
  lock.lock();
  granted_.reset();
  work_.kind = RunnerStatus::Work::None;
}

// With mutex_ held.
bool Runner::Loop::mayAdvance() const {
  return stepper_ && motion_ != Motion::Stopped && !awaiting_ && !replaying() && (playing() || single_frames_ > 0);
}

bool Runner::Loop::frameIsDue(Clock::time_point now) const {
  if (left_ > 0 || lockstep_ || single_frames_ > 0 || now >= next_frame_) return true;
  return !frameInterval() && pace_.mode != Pace::Mode::Speed;
}

std::optional<Runner::Loop::Clock::duration> Runner::Loop::frameInterval() const {
  if (!(pace_.frames_per_second > 0)) return std::nullopt;
  return std::chrono::duration_cast<Clock::duration>(Seconds(std::min(1 / pace_.frames_per_second, kSlowestFrame)));
}

bool Runner::Loop::guarded(const std::function<void()>& work) {
  try {
    work();
    return true;
  } catch (const compute::DeviceLost& error) {
    if (goOnElsewhere(error.what())) return true;
  } catch (const compute::LibraryMissing& error) {
    if (canGoElsewhere() && goOnElsewhere(error.what())) return true;
    say(error.what());
  } catch (const OutOfMemory& error) {
    if (canGoElsewhere() && goOnElsewhere(error.what())) return true;
    say(error.what());
  } catch (const std::exception& error) {
    if (deviceIsLost() && goOnElsewhere(error.what())) return true;
    say(error.what());
  } catch (...) {
    say("an unknown error; the run is unchanged");
  }
  return false;
}

void Runner::Loop::say(std::string_view message) noexcept {
  const std::lock_guard lock(mutex_);
  if (!message.empty()) ++status_.message_count;
  try {
    status_.message = message;
  } catch (const std::bad_alloc&) {
    status_.message.clear();  // no memory even for the message; its count has grown
  }
}

void Runner::Loop::answer(const Given& given) {
  try {
    std::visit([this](const auto& command) { carryOut(command); }, given.command);
  } catch (const ParameterError& error) {
    refuse(given, error.what(), error.key());
  } catch (const compute::DeviceLost& error) {
    refuse(given, error.what());
    goOnElsewhere(error.what());
  } catch (const std::exception& error) {
    refuse(given, error.what());
  } catch (...) {
    refuse(given, "an unknown error; the run is unchanged");
  }
}

// Told with the next showState().
void Runner::Loop::refuse(const Given& given, std::string_view error, std::string_view parameter) noexcept {
  try {
    const Change* const change = std::get_if<Change>(&given.command);
    refused_.push_back({given.id, std::string(error), std::string(parameter), change ? change->wanted : ParameterSet(),
                        change ? change->indices : std::vector<std::size_t>()});
  } catch (const std::bad_alloc&) {
    say("out of memory; a command was not carried out");
  }
}

// The parameters that waited for the end of the replay.
void Runner::Loop::carryOutWaiting() {
  if (replaying()) return;
  if (const auto given = std::exchange(waiting_, std::nullopt)) answer(*given);
}

void Runner::Loop::leaveWay() {
  stepper_->endReplay();
  carryOutWaiting();
}

// What a command changes at once, and its answer; the rest of the status follows with the next frame.
void Runner::Loop::showState() {
  const std::lock_guard lock(mutex_);
  status_.refused.reserve(status_.refused.size() + refused_.size());
  std::move(refused_.begin(), refused_.end(), std::back_inserter(status_.refused));
  refused_.clear();
  status_.handled = carried_;
  status_.playing = playing();
  status_.stopped = motion_ == Motion::Stopped;
  status_.at_end = motion_ == Motion::AtEnd;
  if (stepper_) status_.timeline = sharedTimeline();
  tellReplay(status_);
  if (!playing()) status_.steps_per_second = 0;
  if (device_ && status_.device.id != device_->info().id) {  // what was measured is the other's
    status_.step_us = status_.launches_per_frame = 0;
    status_.method.clear();
    status_.memory.members.clear();
  }
  if (device_) status_.device = device_->info();
  status_.limit = limit_;
  status_.parameters = stepper_ ? stepper_->simulation().parameters() : parameters_;
  status_.seed = stepper_ ? stepper_->simulation().seed() : seed_;
}

void Runner::Loop::tellReplay(RunnerStatus& status) const {
  status.replay.reset();
  status.base = asked();
  status.changes_wait = waiting_.has_value();
  if (!stepper_) return;
  if (const auto& way = stepper_->replay()) {
    status.replay = {.from = way->from,
                     .step = stepper_->simulation().steps(),
                     .to = way->to,
                     .strokes_left = stepper_->eventsDue(),
                     .travels = way->travels};
  }
  tellPast(status);
}

const std::shared_ptr<const Timeline>& Runner::Loop::sharedTimeline() {
  if (!timeline_) timeline_ = std::make_shared<const Timeline>(stepper_->timeline());
  return timeline_;
}

// Single steps and recordings are not delayed.
bool Runner::Loop::endCounts() const {
  return end_ && playing() && !lockstep_ && single_frames_ == 0;
}

std::int64_t Runner::Loop::stepsToEnd() const {
  return end_->step - stepper_->simulation().steps();
}

bool Runner::Loop::startsAgain() const {
  const bool loops = endCounts() && end_->ending == Ending::Loop && stepsToEnd() == 0 && !loaded_;
  return loops && (end_->with_strokes || stepper_->timeline().strokes.empty());
}

void Runner::Loop::pauseHere() {
  if (playing()) motion_ = Motion::Paused;
  single_frames_ = left_ = 0;
}

void Runner::Loop::advance() {
  const bool done = guarded([this] {
    if (left_ == 0) {
      const Clock::time_point now = Clock::now();
      if (const auto interval = frameInterval()) {
        if (now - next_frame_ > *interval) next_frame_ = now;  // late: no frames in a rush to catch up
        next_frame_ += *interval;
      }
      if (startsAgain()) return carryOut(Reset{});
      stepper_->catchUp();
      if (replaying()) return;  // strokes of a way that was left
      const int steps = stepsPerFrame();
      if (steps == 0) return;
      left_ = last_frame_steps_ = steps;
    }
    // A recording of the run shall be the same whenever, and by whomever, it is made.
    int batch = lockstep_ ? std::min(stepper_->batch(), left_) : meter_.fitting(kPatienceMs, left_);
    const bool ends = endCounts() && stepsToEnd() > 0 && stepsToEnd() <= batch;
    if (ends) left_ = batch = static_cast<int>(stepsToEnd());
    measuredStep(batch);
    left_ -= batch;
    verify();
    if (ends && playing() && end_->ending == Ending::Pause) motion_ = Motion::AtEnd;
    if (left_ == 0) {
      single_frames_ = std::max(0, single_frames_ - 1);
      const bool seen = playing() && !lockstep_ && whole_ && stepper_->simulation().stands();
      if (!seen) publish();
    }
  });
  if (!done) {
    pauseHere();
    beginWork(RunnerStatus::Work::None, 0);
  }
  if (!playing()) showState();
}

// A playing run is searched for NaN as often as the watch's share of the time permits, any other after each batch; and
// at its end, which it may leave for the beginning.
void Runner::Loop::verify() {
  const bool ends = endCounts() && stepsToEnd() == 0;
  if (playing() && !lockstep_ && !replaying() && !ends && !watch_ration_.due(Clock::now())) return;
  try {
    const double milliseconds = timed(&compute::Device::timed, [this] { stepper_->verify(); });
    watch_ration_.spent(Clock::now(), milliseconds);
  } catch (const NotFinite& error) {
    say(error.what());
    pauseHere();
    motion_ = Motion::Stopped;
  }
}

// Some batches of the replay: they may be of a step each, and the check waits for the device. What fails ends it
// where the run stands.
void Runner::Loop::advanceReplay() {
  const bool done = guarded([this] {
    const Clock::time_point start = Clock::now();
    const std::int64_t enough = stepper_->simulation().steps() + stepper_->batch();
    while (stepper_->advanceReplay() && stepper_->simulation().steps() < enough &&
           Clock::now() - start < kUncheckedTime) {
    }
    verify();
  });
  if (!done || motion_ == Motion::Stopped) guarded([this] { stepper_->endReplay(); });
  carryOutWaiting();
  if (!replaying()) {
    dirty_ = true;
  } else if (pictureIsDue(Clock::now()) || Clock::now() - shown_at_ > kShowInterval) {
    publish();
  }
  showState();
}

int Runner::Loop::stepsPerFrame() {
  if (lockstep_) return *lockstep_;
  if (pace_.mode == Pace::Mode::StepsPerFrame) return pace_.steps_per_frame;
  if (pace_.mode == Pace::Mode::Speed) return single_frames_ > 0 ? pace_.steps_per_frame : stepsForSpeed();
  // The guess is deliberately too high, so the first frames have few steps.
  constexpr int kMost = 1 << 24;
  return meter_.fitting(pace_.budget_ms, std::min(kMost, 4 * std::min(last_frame_steps_, kMost / 4) + 1));
}

double Runner::Loop::timed(Timer by_device, const std::function<void()>& work) {
  const Simulation& simulation = stepper_->simulation();
  if (!simulation.waits()) return ((*simulation.device()).*by_device)(work);
  const Clock::time_point start = Clock::now();
  work();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count();
}

void Runner::Loop::measuredStep(int n) {
  compute::Device& device = *stepper_->simulation().device();
  if (compute::faultAt(compute::FaultPlace::Device)) throw compute::DeviceLost("the device was taken away, for a test");
  if (compute::faultAt(compute::FaultPlace::Memory)) throw OutOfMemory("no memory, for a test", 0);
  const Clock::time_point now = Clock::now();
  if (device.isCuda() && n == left_ && now - measured_at_ < kMeasureInterval) {
    stepper_->step(n);
    return;
  }
  measured_at_ = now;
  beginWork(RunnerStatus::Work::Steps, n);
  const double milliseconds = timed(&compute::Device::timedWork, [&] { stepper_->step(n); });
  beginWork(RunnerStatus::Work::None, 0);
  meter_.add(n, milliseconds);
}

void Runner::Loop::publish() {
  dirty_ = false;
  shown_at_ = Clock::now();
  const bool done = guarded([this] {
    Simulation& simulation = stepper_->simulation();
    Frame& frame = publisher_.writing();
    if (frame.sequence < first_of_selection_) frame.channels.clear();
    frame.wanted = shown_channels_;
    stepper_->present(frame);

    RunnerStatus next;
    next.description = &simulation.description();
    next.device = simulation.device()->info();
    next.method = simulation.method();
    next.parameters = simulation.parameters();
    next.seed = simulation.seed();
    next.steps = simulation.steps();
    next.time = simulation.time();
    next.time_step = simulation.timeStep();
    next.playing = playing();
    next.stopped = motion_ == Motion::Stopped;
    next.at_end = motion_ == Motion::AtEnd;
    measureDiagnostics();
    whole_ = diagnostics_steps_ == next.steps;
    next.diagnostics = diagnostics_;
    next.diagnostics_steps = diagnostics_steps_;
    next.diagnostics_time = diagnostics_time_;
    next.diagnostics_ms = diagnostics_ration_.milliseconds();
    next.watch_ms = watch_ration_.milliseconds();
    next.findings = stepper_->findings(diagnostics_);
    // It looks at every picture: notes of a run that has just begun would stay.
    std::erase_if(next.findings, [&](const Finding& each) {
      return each.level == Finding::Level::Note && each.last_step < next.steps;
    });
    next.timeline = sharedTimeline();
    next.behind = behind_ && playing() && pace_.mode == Pace::Mode::Speed;
    next.step_us = meter_.smoothedUs();
    next.epoch = epoch_;
    tellReplay(next);
    measureRate(next);
    measureMemory(frame, next);
    next.throughput = simulation.throughput();
    next.limit = limit_;
    next.frame = ++published_;

    const std::lock_guard lock(mutex_);
    next.message = std::move(status_.message);
    next.message_count = status_.message_count;
    next.handled = status_.handled;
    next.refused = std::move(status_.refused);
    awaiting_ = lockstep_ && !replaying();  // before the reader can take it
    publisher_.publish();
    status_ = std::move(next);
  });
  if (!done) {
    pauseHere();
    showState();
  }
}

// Those of a playing run may be of an earlier step, where they are costly; all others are of the frame's.
void Runner::Loop::measureDiagnostics() {
  const bool rationed = (playing() || glancing_) && !lockstep_ && diagnostics_epoch_ == epoch_;
  if (rationed && !diagnostics_ration_.due(Clock::now())) return;
  const double milliseconds = timed(&compute::Device::timed, [this] { diagnostics_ = stepper_->diagnostics(); });
  diagnostics_ration_.spent(Clock::now(), milliseconds);
  diagnostics_steps_ = stepper_->simulation().steps();
  diagnostics_time_ = stepper_->simulation().time();
  diagnostics_epoch_ = epoch_;
}

void Runner::Loop::measureRate(RunnerStatus& next) {
  const Clock::time_point now = Clock::now();
  const double seconds = Seconds(now - rate_at_).count();
  const std::int64_t steps = next.steps - rate_steps_;
  const bool counts = playing() && steps >= 0;
  if (!counts) {
    rate_ = 0;
  } else if (rate_ > 0) {
    rate_ += (1 - std::exp(-seconds / kSmoothing)) * (static_cast<double>(steps) / seconds - rate_);
  } else if (seconds >= kFirstRate) {
    rate_ = static_cast<double>(steps) / seconds;
  }
  if (!counts || rate_ > 0) {
    rate_at_ = now;
    rate_steps_ = next.steps;
  }
  next.steps_per_second = rate_;

  const std::uint64_t bytes = device_->counters().bytes_to_device + device_->counters().bytes_to_host;
  const double moved = static_cast<double>(bytes - bus_bytes_);
  bus_bytes_ = bytes;
  bus_per_frame_ = bus_per_frame_ ? *bus_per_frame_ + 0.1 * (moved - *bus_per_frame_) : moved;
  next.host_bytes_per_frame = *bus_per_frame_;

  const auto launches = static_cast<double>(device_->counters().launches - launches_);
  launches_ = device_->counters().launches;
  launches_per_frame_ = launches_per_frame_ ? *launches_per_frame_ + 0.1 * (launches - *launches_per_frame_) : launches;
  next.launches_per_frame = *launches_per_frame_;
}

}  // namespace simscope
