// The user's navigation in the run's past: back, forward, and playing on from there.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/session/session.h"
#include "sims/core/words.h"
#include "sims/live/live.h"

namespace simscope {

namespace {

constexpr std::int64_t kPresent = Timeline::kLastStep;

}  // namespace

void Session::setPastMemory(std::size_t bytes) {
  past_memory_ = bytes;
  keepPast();
}

// What a script has computed cannot be computed again here.
bool Session::hasPast() const noexcept {
  return !live::isLive(*scene.description);
}

void Session::keepPast() {
  runner_->keepPast(hasPast() ? std::optional(past_memory_) : std::nullopt);
}

void Session::enterPast(std::int64_t step, CommandId command) {
  if (!past_) past_ = Past{.present = scene.parameters};
  past_->step = step;
  past_->command = command;
}

void Session::scrub(std::int64_t step, bool glance) {
  if (!hasPast() || recording() || (status.replay && !status.replay->travels)) return;
  if (!past_) commitEdits(false);
  enterPast(step, runner_->goTo(step, glance));
}

void Session::stepBack() {
  if (!hasPast() || recording() || (status.replay && !status.replay->travels)) return;
  if (!past_) commitEdits(false);
  enterPast(-1, runner_->stepBack());
}

void Session::returnToPresent() {
  if (past_) scrub(kPresent, false);
}

std::int64_t Session::pastStep() const noexcept {
  if (past_ && past_->step >= 0 && (status.handled < past_->command || status.replay)) {
    return std::clamp(past_->step, status.past.first, status.past.last);
  }
  return status.replay && status.replay->travels ? status.replay->to : status.steps;
}

// The scene has the parameters of what is seen.
void Session::followPast() {
  if (!past_ && branching_ == 0) return;
  if (runSpeaksOfScene() && changesAnswered()) scene.parameters = status.base;
  const bool answered = status.handled >= (past_ ? past_->command : branching_) && !status.replay;
  if (!answered) return;
  if (past_ && !status.past.inside) past_.reset();
  if (branching_ > 0) branching_ = 0;
}

// The present's scene again, for what takes the run's place.
void Session::forgetPast() {
  if (!past_) return;
  scene.parameters = past_->present;
  past_.reset();
  runner_->goTo(kPresent);
}

// The run goes on otherwise than it did.
void Session::leavePast(const std::string& label) {
  if (!past_) return;
  // Not yet there, or back in the present by itself.
  if (status.handled >= past_->command && !status.past.inside && !status.replay) {
    past_.reset();
    return;
  }
  const std::int64_t step = pastStep(), last = status.past.last;
  past_.reset();
  constexpr std::size_t kMostHistories = 16;
  if (histories_.size() >= kMostHistories) histories_.erase(histories_.begin());
  histories_[origin_.line] = history;
  history.cut(status.time);
  branching_ = timeline_command_ = runner_->branch(origin_.line);
  origin_.line = ++newest_line_;
  change_ = label.empty() ? fmt::format("Going on from step {}", step) : label;
  strokes_changed_ = true;
  say(Message::Level::Info,
      fmt::format("The run goes on from step {}. Ctrl+Z restores the former run up to step {}.", step, last));
}

// True where the run still knows the way that the undo leads to.
bool Session::resumeLine(const Undo::Restored& restored, const Scene& former) {
  const std::uint64_t line = restored.origin.line;
  if (line == origin_.line ||
      std::find(status.past.lines.begin(), status.past.lines.end(), line) == status.past.lines.end())
    return false;
  if (scene.seed != former.seed || scene.parameters.needsReset(former.parameters)) return false;
  histories_[origin_.line] = std::move(history);
  history = std::move(histories_[line]);
  histories_.erase(line);
  if (history.diagnostics() != scene.description->diagnostics.size())
    history.restart(scene.description->diagnostics.size());
  timeline_command_ = runner_->resume(line, origin_.line);
  strokes_changed_ = true;
  runner_->setParameters(scene.parameters);
  return true;
}

}  // namespace simscope
