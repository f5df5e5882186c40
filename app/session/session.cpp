#include "app/session/session.h"
#include "app/session/recording.h"
#include "sims/foreign/words.h"
#include "sims/live/live.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "app/export/files.h"
#include "sims/core/divided.h"
#include "sims/core/words.h"

namespace simscope {

namespace {

constexpr double kInfoSeconds = 8;
constexpr double kSoon = 0.25;  // seconds: shorter replays are not announced
constexpr std::size_t kMostMessages = 4;
constexpr std::size_t kMostLines = 8;  // of one of them

// All CUDA devices together, and those of the processor's ranks that the user has asked for.
std::vector<compute::DeviceInfo> severalOf(const std::vector<compute::DeviceInfo>& devices, const std::string& asked) {
  std::vector<compute::DeviceInfo> several;
  compute::DeviceInfo all;
  for (const compute::DeviceInfo& each : devices) {
    if (each.backend != compute::Backend::Cuda) continue;
    all.id += all.members.empty() ? each.id : fmt::format("+{}", each.index);
    all.name += all.members.empty() ? each.name : each.name == all.members.front().name ? "" : ", " + each.name;
    all.backend = each.backend;
    all.memory += each.memory;
    all.threads += each.threads;
    all.members.push_back(each);
  }
  if (all.members.size() > 1) {
    if (all.name == all.members.front().name) all.name = fmt::format("{} × {}", all.members.size(), all.name);
    several.push_back(all);
  }
  if (asked.find('+') == std::string::npos || asked == all.id) return several;
  compute::DeviceInfo same = devices.front();
  same.id = asked;
  if (asked.rfind("cuda", 0) == 0 && !all.members.empty()) same.backend = all.backend, same.name = all.members[0].name;
  same.members.assign(static_cast<std::size_t>(std::count(asked.begin(), asked.end(), '+')) + 1, same);
  several.push_back(std::move(same));
  return several;
}

}  // namespace

Session::Session(const SessionOptions& options)
    : scene(options.scene),
      threads_(options.threads),
      origin_{.file = options.file.empty() ? options.file : exporting::shownName(options.file),
              .saved_state = 1,
              .start = options.state ? std::make_shared<const State>(*options.state) : nullptr} {
  if (!scene.description) throw UsageError("gui: the scene names no simulation");
  devices = compute::Device::available();
  several_ = severalOf(devices, options.device);
  runner_ = std::make_unique<Runner>(*scene.description, scene.parameters, scene.seed, options.device, options.threads);
  keepPast();
  pace.mode = Pace::Mode::Speed;
  usePace(scene.steps_per_frame);
  undo_.emplace(scene, origin_);
  if (!scene.timeline.empty()) sendTimeline(scene.timeline);
  if (origin_.start) load_command_ = runner_->load(origin_.start);
  history.restart(scene.description->diagnostics.size());
  sendEnd();
  status = runner_->status();
  warn(options.notes);
  awaitStroke();
  if (options.play) {
    awaits_stroke_ = false;
    runner_->play();
  }
}

Session::~Session() = default;

bool Session::poll(double now) {
  now_ = now;
  const bool was_playing = status.playing, was_at_end = status.at_end;
  const auto was_replaying = status.replay;
  const std::uint64_t old_sequence = frame ? frame->sequence : 0;
  status = runner_->status();
  refreshFrame();
  if (frame && frame->sequence != status.frame) {
    // Published between the two looks. Of another simulation it would not fit the description at hand.
    RunnerStatus later = runner_->status();
    if (later.description != status.description) frame = nullptr;
    status = std::move(later);
  }
  if (!status.replay) replaying_since_ = now;
  bool changed =
      status.playing != was_playing || status.replay != was_replaying || (frame ? frame->sequence : 0) != old_sequence;
  changed = takeAnswers() || changed;
  if (status.message_count != seen_messages_) {
    seen_messages_ = status.message_count;
    follow_run_ = true;
    if (!status.message.empty()) say(Message::Level::Error, status.message);
    changed = true;
  }
  followPast();
  if (follow_run_ && answered() && status.description) follow();
  hearTimeline();
  sendEnd();
  if (status.at_end && !was_at_end) say(Message::Level::Info, "End of the preset. Play goes on, Reset starts again.");
  changed = takeMail() || changed;
  // What takes long is told ten times a second.
  const auto tenths = static_cast<std::int64_t>(status.work.seconds * 10);
  changed = changed || (tenths != seen_work_ && std::max(tenths, seen_work_) > 3);
  seen_work_ = tenths;
  changed = plotNewest() || changed;
  const auto gone = std::remove_if(messages.begin(), messages.end(),
                                   [now](const Message& m) { return m.until > 0 && now > m.until; });
  changed = changed || gone != messages.end();
  messages.erase(gone, messages.end());
  if (now - rate_since_ > 0.5) {
    frames_per_second = static_cast<double>(frames_drawn - rate_frames_) / (now - rate_since_);
    rate_since_ = now;
    rate_frames_ = frames_drawn;
  }
  return changed;
}

// Between a selection and its answer the run has the parameters of another simulation.
bool Session::runSpeaksOfScene() const {
  return status.parameters.infos().data() == scene.parameters.infos().data();
}

// True where the run refused something.
bool Session::takeAnswers() {
  const std::vector<RefusedCommand> refused = std::exchange(status.refused, {});
  runner_->acknowledge(refused.size());
  for (const RefusedCommand& each : refused) hearRefusal(each);
  std::erase_if(selecting_, [&](const Selection& each) {
    return each.command <= status.handled && (&each != &selecting_.back() || status.description == scene.description);
  });
  return !refused.empty();
}

void Session::hearRefusal(const RefusedCommand& refused) {
  follow_run_ = true;
  if (!refused.changed.empty()) return hearRefusedChange(refused);
  takeBackSelection(refused.id);
  if (refused.id == seed_command_) restoreStart();
  if (refused.id == load_command_) beginAtStepZero();
  say(Message::Level::Error, refused.error);
}

// What the user has not set otherwise since is what the run has.
void Session::hearRefusedChange(const RefusedCommand& refused) {
  const ParameterSet& wanted = refused.wanted;
  const bool left = !selecting_.empty() && selecting_.back().command > refused.id;
  if (left || wanted.infos().data() != scene.parameters.infos().data()) return;  // another scene is chosen
  std::vector<std::size_t> changed = refused.changed;
  std::erase_if(changed, [&](std::size_t index) { return scene.parameters[index] != wanted[index]; });
  if (changed.empty()) return;
  refuse(refused.parameter, refused.error, wanted, changed);
  for (const std::size_t index : changed) scene.parameters.set(index, status.base[index]);
  if (!scene.parameters.needsReset(status.base)) restoreStart();
}

// Kept beside the parameter that the reason belongs to, of those that were changed together; else beside the first.
void Session::refuse(const std::string& key, const std::string& why, const ParameterSet& wanted,
                     const std::vector<std::size_t>& changed) {
  const auto named =
      std::find_if(changed.begin(), changed.end(), [&](std::size_t index) { return wanted.infos()[index].key == key; });
  const std::size_t index = named != changed.end() ? *named : changed.front();
  refusals[index] = {wanted[index], why};
}

// For the next selection, the run's state is then what was there before.
void Session::takeBackSelection(CommandId command) {
  const auto refused = std::find_if(selecting_.begin(), selecting_.end(),
                                    [&](const Selection& each) { return each.command == command; });
  if (refused == selecting_.end()) return;
  Selection former = std::move(*refused);
  const auto next = selecting_.erase(refused);
  if (next != selecting_.end()) {
    next->before = std::move(former.before);
    next->origin = std::move(former.origin);
    return;
  }
  if (status.frame == 0) return;  // there is no run yet: the scene is what it shall be
  origin_ = std::move(former.origin);
  scene = std::move(former.before);
  change_.clear();
  load_command_ = 0;  // of the selection, if at all
  usePace(scene.steps_per_frame);
}

// As of the last step of undo.
void Session::restoreStart() {
  origin_.start = undo_->origin().start;
  origin_.lost = undo_->origin().lost;
}

void Session::observe() {
  status = runner_->status();
  plotNewest();
}

// True where there was something new.
bool Session::plotNewest() {
  bool changed = false;
  if (status.epoch != seen_epoch_ || history.diagnostics() != status.diagnostics.size()) {
    seen_epoch_ = status.epoch;
    history.restart(status.diagnostics.size());
    changed = true;
  }
  if (status.frame != seen_frame_) {
    seen_frame_ = status.frame;
    history.add(status.diagnostics_time, status.diagnostics);
    changed = true;
  }
  return changed;
}

const Frame* Session::refreshFrame() {
  return frame = runner_->newestFrame();
}

void Session::showChannels(const std::vector<std::string>& needed) {
  std::optional<std::vector<std::string>> wanted;
  if (!recording()) wanted = needed;  // the recording's figure may need other channels
  if (shown_of_ == scene.description && wanted == shown_channels_) return;
  shown_of_ = scene.description;
  shown_channels_ = wanted;
  runner_->showChannels(std::move(wanted));
}

bool Session::takesInput() const noexcept {
  return !recording_ || recording_->takesInput();
}

bool Session::takes(std::size_t parameter) const {
  return !recording_ || recording_->takes(parameter);
}

void Session::togglePlay() {
  if (recording()) return;
  awaits_stroke_ = false;
  if (runner_->status().playing) {
    runner_->pause();
  } else {
    leavePast();
    runner_->play();
  }
}

void Session::step() {
  if (recording()) return;
  awaits_stroke_ = false;
  runner_->pause();
  const CommandId command = runner_->stepOnce();
  if (past_) enterPast(-1, command);
}

void Session::finishStroke() {
  if (recording() || !std::exchange(awaits_stroke_, false)) return;
  leavePast();
  runner_->play();
}

void Session::reset() {
  if (recording()) return;
  follow_run_ = false;
  forgetPast();
  waiting_.clear();
  runner_->reset();
}

const RunnerStatus::Replay* Session::replaying() const noexcept {
  return status.replay && !status.replay->travels && now_ - replaying_since_ > kSoon ? &*status.replay : nullptr;
}

// What is seen from now on has not gone on from a snapshot.
void Session::beginAtStepZero() noexcept {
  origin_.start.reset();
  origin_.lost = false;
}

void Session::endReplay() {
  runner_->endReplay();
}

void Session::refuseWhileReplaying(const std::string& what) const {
  if (status.replay)
    throw UsageError("the run is being replayed: wait until it finishes, or stop the replay, before " + what);
}

void Session::setSeed(std::uint64_t seed) {
  if (recording()) return;
  forgetPast();
  scene.seed = seed;
  beginAtStepZero();
  follow_run_ = false;
  seed_command_ = runner_->reset(seed);
}

void Session::setPace(const Pace& wanted) {
  pace = wanted;
  scene.steps_per_frame = pace.steps_per_frame;
  runner_->setPace(pace);
  if (!scene.timeline.tracks.empty() && scene.timeline.track_interval != scene.steps_per_frame) {
    sendTimeline(scene.timeline);
  }
}

std::vector<compute::DeviceInfo> Session::offeredDevices() const {
  std::vector<compute::DeviceInfo> offered = devices;
  if (!status.description) return offered;
  for (const compute::DeviceInfo& each : several_) {
    const int count = static_cast<int>(each.members.size());
    const bool divided = whyNotDivided(*status.description, status.parameters, count, each.backend).empty();
    if (divided || each.id == status.device.id) offered.push_back(each);
  }
  return offered;
}

void Session::setDevice(const std::string& id) {
  runner_->setDevice(id, threads_);
}

void Session::setParameter(std::size_t index, const Value& value) {
  ParameterSet wanted = scene.parameters;
  std::vector<std::size_t> changed{index};
  // What was refused for want of this one comes along: an aperture that had no picture yet.
  for (const auto& [other, refusal] : refusals) {
    ParameterSet wished = wanted;
    wished.set(other, refusal.value);
    if (other == index || wanted.matters(index) || !wished.matters(index)) continue;
    wanted = std::move(wished);
    changed.push_back(other);
  }
  wanted.set(index, value);
  setParameters(std::move(wanted), std::move(changed));
}

void Session::setTogether(const ParameterSet& wanted) {
  std::vector<std::size_t> changed = wanted.changed(scene.parameters);
  if (!changed.empty()) setParameters(wanted, std::move(changed));
}

void Session::setParameters(ParameterSet wanted, std::vector<std::size_t> changed) {
  try {
    scene.description->requireValid(wanted);
  } catch (const ParameterError& error) {
    return refuse(error.key(), error.what(), wanted, changed);
  }
  // What was refused under the former values may be allowed now. A text stays for the user to mend.
  std::erase_if(refusals, [&](const auto& refused) {
    const bool is_set = std::find(changed.begin(), changed.end(), refused.first) != changed.end();
    return is_set || wanted.infos()[refused.first].kind != Kind::Text;
  });
  if (recording_) return recording_->change(wanted, changed);
  follow_run_ = false;
  if (wanted.needsReset(scene.parameters)) {
    beginAtStepZero();
    past_.reset();  // the run begins anew
  }
  leavePast(scene.parameters.infos()[changed.front()].title);
  const ParameterSet before = std::exchange(scene.parameters, wanted);
  change_command_ = runner_->change(std::move(wanted), std::move(changed));
  keepSpeed(before);
}

void Session::poke(Brush brush) {
  if (recording_) {
    if (!recording_->takesInput()) return;
    ++pokes;
    return recording_->poke(std::move(brush));
  }
  leavePast();
  ++pokes;
  if (!timelineAnswered() || status.replay) {
    waiting_.push_back(std::move(brush));
  } else {
    runner_->poke(std::move(brush));
  }
}

void Session::startRecording(const RecordSettings& settings) {
  if (recording()) return;
  if (settings.extent != RecordSettings::Extent::FromStart) {
    refuseWhileReplaying("recording from now");
    leavePast();
  } else {
    forgetPast();
  }
  runner_->showChannels(std::nullopt);  // its figure and its arrays may need others than the window's
  shown_of_ = nullptr;
  recording_ = std::make_unique<Recording>(*this, settings);
}

void Session::advanceRecording(double budget_seconds) {
  if (!recording_) return;
  recording_->advance(budget_seconds);
  if (recording_->active()) return;
  if (recording_->error().empty()) {
    recorded_ = recording_->recorded();
    last_file = recorded_->file.string();
  } else {
    say(Message::Level::Error, "The recording failed: " + recording_->error());
  }
  recording_.reset();
}

void Session::cancelRecording() {
  if (!recording_) return;
  const std::string file = foreign::shownFile(recording_->settings().file);
  recording_.reset();
  say(Message::Level::Info, fmt::format("Recording cancelled; {} was not written", file));
}

void Session::say(Message::Level level, const std::string& words) {
  const std::string text = foreign::harmless(words);
  if (!messages.empty() && messages.back().text == text) messages.pop_back();
  messages.push_back({level, text, level == Message::Level::Info ? now_ + kInfoSeconds : 0});
  if (messages.size() > kMostMessages) messages.erase(messages.begin());
}

void Session::warn(const std::vector<std::string>& lines) {
  if (lines.empty()) return;
  const auto shown = static_cast<std::ptrdiff_t>(std::min(lines.size(), kMostLines));
  std::string text = fmt::format("{}", fmt::join(lines.begin(), lines.begin() + shown, "\n"));
  if (lines.size() > kMostLines) text += fmt::format("\n... and {} more", lines.size() - kMostLines);
  say(Message::Level::Warning, text);
}

void Session::dismiss(std::size_t index) {
  if (index < messages.size()) messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace simscope
