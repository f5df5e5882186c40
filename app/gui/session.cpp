#include "app/gui/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace simscope::gui {

namespace {

constexpr double kInfoSeconds = 8;
constexpr std::size_t kMostMessages = 4;

// What of a figure's options means the same for every simulation.
render::FigureOptions lookOf(const render::FigureOptions& figure) {
  render::FigureOptions look;
  look.width = figure.width;
  look.height = figure.height;
  look.scale = figure.scale;
  look.theme = figure.theme;
  return look;
}

}  // namespace

Session::Session(const Options& options) : scene(options.scene), threads_(options.threads) {
  if (!scene.description) throw UsageError("gui: the scene names no simulation");
  devices = compute::Device::available();
  pace.steps_per_frame = std::max(1, scene.steps_per_frame);
  runner_ = std::make_unique<Runner>(*scene.description, scene.parameters, scene.seed, options.device, options.threads);
  runner_->setPace(pace);
  history.restart(scene.description->diagnostics.size());
  status = runner_->status();
  for (const std::string& note : options.notes) say(Message::Level::Warning, note);
  if (options.play) runner_->play();
}

bool Session::poll(double now) {
  now_ = now;
  const bool was_playing = status.playing;
  const std::uint64_t old_sequence = frame ? frame->sequence : 0;
  status = runner_->status();
  refreshFrame();
  if (frame && frame->sequence != status.frame) {
    // Published between the two looks. Of another simulation it would not fit the description at hand.
    RunnerStatus later = runner_->status();
    if (later.description != status.description) frame = nullptr;
    status = std::move(later);
  }
  bool changed = status.playing != was_playing || (frame ? frame->sequence : 0) != old_sequence;
  if (status.message_count != seen_messages_) {
    seen_messages_ = status.message_count;
    if (!status.message.empty()) say(Message::Level::Error, status.message);
    follow_run_ = true;
    changed = true;
  }
  if (follow_run_ && status.description) follow();
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
    history.add(status.time, status.diagnostics);
    changed = true;
  }
  return changed;
}

void Session::follow() {
  if (status.description != scene.description) {
    scene.description = status.description;
    scene.preset.clear();
    scene.figure = lookOf(scene.figure);
  }
  scene.parameters = status.parameters;
  scene.seed = status.seed;
}

const Frame* Session::refreshFrame() {
  return frame = runner_->newestFrame();
}

void Session::togglePlay() {
  if (recording()) return;
  if (runner_->status().playing) {
    runner_->pause();
  } else {
    runner_->play();
  }
}

void Session::step() {
  if (recording()) return;
  runner_->pause();
  runner_->stepOnce();
}

void Session::reset() {
  if (recording()) return;
  follow_run_ = false;
  runner_->reset();
}

void Session::setSeed(std::uint64_t seed) {
  scene.seed = seed;
  follow_run_ = false;
  runner_->reset(seed);
}

void Session::setPace(const Pace& wanted) {
  pace = wanted;
  scene.steps_per_frame = pace.steps_per_frame;
  runner_->setPace(pace);
}

void Session::setDevice(const std::string& id) {
  runner_->setDevice(id, threads_);
}

void Session::setParameter(std::size_t index, const Value& value) {
  ParameterSet wanted = scene.parameters;
  wanted.set(index, value);
  follow_run_ = false;
  scene.parameters = wanted;
  runner_->setParameters(std::move(wanted));
}

void Session::poke(Brush brush) {
  if (recording()) return;
  ++pokes;
  poked_epoch_ = status.epoch;
  runner_->poke(std::move(brush));
}

std::string Session::pokedNote() const {
  if (pokes == 0 || poked_epoch_ != status.epoch) return "";
  return ". What the mouse did to the run is not in its scene: rendered from it, the pictures will differ.";
}

void Session::select() {
  const bool was_playing = status.playing;
  follow_run_ = false;
  runner_->select(*scene.description, scene.parameters, scene.seed);
  setPace({pace.mode, std::max(1, scene.steps_per_frame), pace.frames_per_second, pace.budget_ms});
  if (was_playing) runner_->play();
}

void Session::selectPreset(const std::string& key) {
  Scene chosen = Scene::fromPreset(*scene.description, key);
  chosen.seed = scene.seed;
  chosen.fps = scene.fps;
  chosen.figure = scene.figure;
  chosen.figure.x.reset();
  chosen.figure.y.reset();
  scene = std::move(chosen);
  select();
}

void Session::selectSimulation(const Description& description) {
  const render::FigureOptions look = lookOf(scene.figure);
  scene = Scene::fromPreset(description, description.presets.empty() ? "" : description.presets.front().key);
  scene.figure = look;
  select();
}

void Session::open(const std::filesystem::path& file) {
  if (recording()) throw UsageError("a recording is under way: cancel it, or wait for its end, before opening a scene");
  std::vector<std::string> ignored;
  scene = readScene(file, &ignored);
  select();
  for (const std::string& each : ignored) say(Message::Level::Warning, fmt::format("{}: {}", file.string(), each));
}

void Session::startRecording(const RecordSettings& settings) {
  if (recording()) return;
  recording_ = std::make_unique<Recording>(*this, settings);
}

void Session::advanceRecording(double budget_seconds) {
  if (!recording_) return;
  recording_->advance(budget_seconds);
  if (recording_->active()) return;
  if (recording_->error().empty()) {
    last_file = std::filesystem::absolute(recording_->settings().file).string();
    say(Message::Level::Info, fmt::format("Wrote {} ({} frames, {} kB){}", last_file, recording_->settings().frames,
                                          (recording_->progress().bytes + 500) / 1000, pokedNote()));
  } else {
    say(Message::Level::Error, "The recording failed: " + recording_->error());
  }
  recording_.reset();
}

void Session::cancelRecording() {
  if (!recording_) return;
  const std::string file = recording_->settings().file.string();
  recording_.reset();
  say(Message::Level::Info, fmt::format("Recording cancelled; {} was not written", file));
}

void Session::say(Message::Level level, const std::string& text) {
  if (!messages.empty() && messages.back().text == text) messages.pop_back();
  messages.push_back({level, text, level == Message::Level::Info ? now_ + kInfoSeconds : 0});
  if (messages.size() > kMostMessages) messages.erase(messages.begin());
}

void Session::dismiss(std::size_t index) {
  if (index < messages.size()) messages.erase(messages.begin() + static_cast<std::ptrdiff_t>(index));
}

}  // namespace simscope::gui
