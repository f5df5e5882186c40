#include "app/gui/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/gui/dropped_file.h"
#include "app/gui/shown.h"

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
  hearAnswers();
  if (status.message_count != seen_messages_) {
    seen_messages_ = status.message_count;
    takeRefusal();
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

// Between a selection and its first frame the status tells the parameters of one simulation and the name of another.
bool Session::runSpeaksOfScene() const {
  return status.parameters.infos().data() == scene.parameters.infos().data();
}

void Session::hearAnswers() {
  if (!runSpeaksOfScene()) return;
  if (const std::vector<std::size_t> taken = wishes_.settle(scene.parameters, status.parameters); !taken.empty()) {
    // What was refused under the former values may be allowed now. A text stays for the user to mend.
    for (const std::size_t index : taken) refusals.erase(index);
    std::erase_if(refusals, [&](const auto& each) { return scene.parameters.infos()[each.first].kind != Kind::Text; });
  }
  const bool arrived = selecting_ && status.description == scene.description && status.epoch != selecting_->epoch;
  if (arrived && status.parameters == scene.parameters) selecting_.reset();
}

// The run has told something: why it stopped, or why it does not do what it was asked for.
void Session::takeRefusal() {
  follow_run_ = true;
  if (selecting_ && !status.stopped && frame) {
    scene = std::exchange(selecting_, std::nullopt)->before;
    setPace({pace.mode, std::max(1, scene.steps_per_frame), pace.frames_per_second, pace.budget_ms});
  } else if (!wishes_.empty() && !status.stopped && !status.message.empty() && runSpeaksOfScene()) {
    ParameterSet left = scene.parameters;
    if (const auto index = wishes_.takeBack(status.message, left, status.parameters)) {
      refusals[*index] = {scene.parameters[*index], status.message};
      scene.parameters = left;
      if (left == status.parameters) return;
      follow_run_ = false;
      runner_->setParameters(std::move(left));
      return;
    }
  }
  if (!status.message.empty()) say(Message::Level::Error, status.message);
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
  if (status.parameters.infos().data() != status.description->parameters->data()) return;
  if (status.description != scene.description) {
    scene.description = status.description;
    scene.preset.clear();
    scene.figure = lookOf(scene.figure);
    refusals.clear();
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
  setParameters(std::move(wanted), {index});
}

void Session::setParameters(ParameterSet wanted, std::vector<std::size_t> changed) {
  follow_run_ = false;
  wishes_.ask(std::move(changed));
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

void Session::select(Scene wanted) {
  const bool was_playing = status.playing;
  follow_run_ = false;
  wishes_.clear();
  refusals.clear();
  // Of two selections in a row, the run may still be at the one before both.
  if (!selecting_) selecting_ = Selection{scene, status.epoch};
  scene = std::move(wanted);
  runner_->select(*scene.description, scene.parameters, scene.seed);
  setPace({pace.mode, std::max(1, scene.steps_per_frame), pace.frames_per_second, pace.budget_ms});
  if (was_playing) runner_->play();
}

void Session::selectPreset(const std::string& key) {
  const Description& description = *scene.description;
  Scene chosen = Scene::fromPreset(description, key);
  const auto viewOf = [&](const std::string& preset) {
    return shownOf(description, preset.empty() ? "" : description.presetInfo(preset).view).key();
  };
  // A view that the user chose stays, unless the new preset names its own.
  const bool own_choice = shownOf(description, scene.figure.view).key() != viewOf(scene.preset);
  const std::string named = description.presetInfo(key).view;
  const std::string view = named.empty() && own_choice ? scene.figure.view : named;
  chosen.seed = scene.seed;
  chosen.fps = scene.fps;
  chosen.figure = scene.figure;
  if (view != scene.figure.view) chosen.figure.range.reset();
  chosen.figure.view = view;
  chosen.figure.x.reset();
  chosen.figure.y.reset();
  chosen.figure.camera = description.presetInfo(key).camera;
  chosen.figure.follow = -1;
  select(std::move(chosen));
}

void Session::selectSimulation(const Description& description) {
  Scene chosen = Scene::fromPreset(description, description.presets.empty() ? "" : description.presets.front().key);
  render::FigureOptions look = lookOf(scene.figure);
  look.view = chosen.figure.view;
  look.camera = chosen.figure.camera;
  chosen.figure = std::move(look);
  select(std::move(chosen));
}

std::optional<Camera> Session::usualCamera() const {
  if (scene.preset.empty()) return std::nullopt;
  return scene.description->presetInfo(scene.preset).camera;
}

void Session::open(const std::filesystem::path& file) {
  if (recording()) throw UsageError("a recording is under way: cancel it, or wait for its end, before opening a scene");
  std::vector<std::string> ignored;
  select(readScene(file, &ignored));
  for (const std::string& each : ignored) say(Message::Level::Warning, fmt::format("{}: {}", file.string(), each));
}

void Session::drop(const std::filesystem::path& file) {
  const std::optional<std::size_t> taker = imageParameter(scene.parameters);
  if (!taker || !isPicture(file) || carriesScene(file)) {
    open(file);
    return;
  }
  if (recording()) throw UsageError("a recording is under way: cancel it, or wait for its end, before another image");
  ParameterSet wanted = scene.parameters;
  std::vector<std::size_t> changed{*taker};
  wanted.set(*taker, file.string());
  if (const auto choice = imageChoice(wanted)) {
    wanted.set(*choice, std::string("image"));
    changed.push_back(*choice);
  }
  setParameters(std::move(wanted), std::move(changed));
  say(Message::Level::Info, fmt::format("The image is {}", file.string()));
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
