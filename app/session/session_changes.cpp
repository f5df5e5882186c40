// The user's choices and their undo: simulations, presets, strokes and keyframes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/session/recording.h"
#include "app/session/session.h"
#include "app/session/tool_views.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

// The options of a figure that are independent of the simulation, with the view that was chosen. The size of recordings
// is the scene's.
render::FigureOptions lookOf(const render::FigureOptions& figure, const render::FigureOptions& chosen = {}) {
  render::FigureOptions look;
  look.view = chosen.view;
  look.camera = chosen.camera;
  look.scale = figure.scale;
  look.theme = figure.theme;
  return look;
}

// Without tracks their interval has no meaning.
bool same(const Timeline& a, const Timeline& b) {
  return a.strokes == b.strokes && a.tracks == b.tracks && (a.tracks.empty() || a.track_interval == b.track_interval);
}

}  // namespace

void Session::select(Scene wanted) {
  const bool was_playing = status.playing;
  forgetPast();
  branching_ = 0;
  follow_run_ = false;
  refusals.clear();
  waiting_.clear();
  Selection selection{.before = std::move(scene), .origin = origin_};
  scene = std::move(wanted);
  scene.timeline.track_interval = std::max(1, scene.steps_per_frame);
  strokes_changed_ = true;
  awaitStroke();
  if (awaits_stroke_) runner_->pause();  // before it begins, so that it makes no step
  selection.command = timeline_command_ =
      runner_->select(*scene.description, scene.parameters, scene.seed, scene.timeline);
  selecting_.push_back(std::move(selection));
  sent_end_.reset();  // the run forgets it
  keepPast();
  shown_of_ = nullptr;
  loop_strokes_ = false;
  sendEnd();
  usePace(scene.steps_per_frame);
  if (was_playing && !awaits_stroke_) runner_->play();
}

// Of a scene that has just been chosen.
void Session::awaitStroke() {
  awaits_stroke_ = false;
  tool_in_hand_.reset();
  if (scene.preset.empty() || !scene.timeline.strokes.empty() || origin_.start) return;
  const std::string& tool = scene.description->presetInfo(scene.preset).tool;
  if (tool.empty()) return;
  awaits_stroke_ = true;
  tool_in_hand_ = tool;
}

void Session::setAtEnd(AtEnd wanted) {
  at_end_ = wanted;
  loop_strokes_ = wanted == AtEnd::Loop && !scene.timeline.strokes.empty();
  sendEnd();
}

std::optional<RunEnd> Session::runEnd() const {
  const Description& description = *scene.description;
  if (!hasPast()) return std::nullopt;
  const bool own = scene.preset.empty();
  if (at_end_ == AtEnd::GoOn || (at_end_ == AtEnd::AsPreset && own) || description.presets.empty()) return std::nullopt;
  const Preset& preset = own ? description.presets.front() : description.presetInfo(scene.preset);
  RunEnd end{.step = std::int64_t{preset.frames} * preset.steps_per_frame,
             .ending = preset.ending,
             .with_strokes = loop_strokes_};
  if (at_end_ != AtEnd::AsPreset) end.ending = at_end_ == AtEnd::Loop ? Ending::Loop : Ending::Pause;
  const double usual = description.timeStep(description.preset(preset.key));
  const double now = description.timeStep(scene.parameters);
  if (usual > 0 && now > 0 && now != usual) {
    const double steps = std::ceil(static_cast<double>(end.step) * usual / now);
    end.step = static_cast<std::int64_t>(std::clamp(steps, 1.0, 1e15));
  }
  return end;
}

void Session::sendEnd() {
  const std::optional<RunEnd> wanted = runEnd();
  if (wanted == sent_end_) return;
  sent_end_ = wanted;
  runner_->setEnd(wanted);
}

void Session::selectPreset(const std::string& key) {
  forgetPast();
  commitEdits(false);
  const Description& description = *scene.description;
  Scene chosen = Scene::fromPreset(description, key);
  const auto viewOf = [&](const std::string& preset) {
    return description.view(preset.empty() ? "" : description.presetInfo(preset).view).key;
  };
  // A view that the user chose stays, unless the new preset names its own.
  const bool own_choice = description.view(scene.figure.view).key != viewOf(scene.preset);
  const std::string named = description.presetInfo(key).view;
  const std::string view = named.empty() && own_choice ? scene.figure.view : named;
  chosen.seed = scene.seed;
  chosen.fps = scene.fps;
  chosen.figure = scene.figure;
  chosen.marks = scene.marks;
  if (view != scene.figure.view) chosen.figure.range.reset();
  chosen.figure.view = view;
  chosen.figure.x.reset();
  chosen.figure.y.reset();
  chosen.figure.camera = description.presetInfo(key).camera;
  chosen.figure.follow = -1;
  select(std::move(chosen));
  beginAtStepZero();
}

void Session::selectSimulation(const Description& description) {
  start(description, description.presets.empty() ? "" : description.presets.front().key);
}

void Session::start(const Description& description, const std::string& preset) {
  forgetPast();
  commitEdits(false);
  Scene chosen = Scene::fromPreset(description, preset);
  chosen.figure = lookOf(scene.figure, chosen.figure);
  select(std::move(chosen));
  origin_ = {};
}

void Session::setUp(Scene wanted, const std::string& what) {
  if (recording()) return;
  commitEdits(false);
  wanted.figure = lookOf(scene.figure, wanted.figure);
  wanted.fps = scene.fps;
  const bool other = wanted.description != scene.description;
  select(std::move(wanted));
  if (other) {
    origin_ = {};
  } else {
    beginAtStepZero();
  }
  change_ = what;
  awaits_stroke_ = false;
  runner_->play();
}

bool Session::windowMoves() const {
  const std::vector<std::string>& keys = scene.description->window_parameters;
  return std::all_of(keys.begin(), keys.end(), [&](const auto& key) { return takes(scene.parameters.find(key)); });
}

bool Session::navigate(const Navigation& way) {
  const auto move = scene.description->navigate;
  if (!move || !windowMoves()) return false;
  const std::optional<ParameterSet> wanted = move(recording_ ? recording_->parameters() : scene.parameters, way);
  if (!wanted) return false;
  moveWindow(*wanted);
  return true;
}

void Session::fitWindow() {
  const Description& description = *scene.description;
  const View* view = mainView(description, scene.figure.view);
  if (!windowMoves() || !view || !description.navigate) return;
  if (!description.navigate(scene.parameters, {.view = view->key})) return;
  const ParameterSet usual = scene.preset.empty() ? description.defaults() : description.preset(scene.preset);
  ParameterSet wanted = recording_ ? recording_->parameters() : scene.parameters;
  for (const std::string& key : description.window_parameters) wanted.set(key, usual.get(key));
  moveWindow(wanted);
}

void Session::moveWindow(const ParameterSet& wanted) {
  std::vector<std::size_t> changed = wanted.changed(recording_ ? recording_->parameters() : scene.parameters);
  if (changed.empty()) return;
  if (recording_) return recording_->change(wanted, changed);
  navigated_at_ = now_;
  change_ = "Zoom and pan";
  setParameters(wanted, std::move(changed));
}

std::optional<Camera> Session::usualCamera() const {
  if (scene.preset.empty()) return std::nullopt;
  return scene.description->presetInfo(scene.preset).camera;
}

void Session::follow() {
  if (status.parameters.infos().data() != status.description->parameters->data()) return;
  const bool other = status.description != scene.description;
  if (other) {
    scene.description = status.description;
    scene.preset.clear();
    scene.figure = lookOf(scene.figure);
    scene.timeline = {};
    refusals.clear();
  }
  if (!other && status.base == scene.parameters && status.seed == scene.seed) return;
  scene.parameters = status.base;
  scene.seed = status.seed;
  undo_->rebase(scene, origin_);
}

void Session::sendTimeline(Timeline timeline) {
  timeline.track_interval = std::max(1, scene.steps_per_frame);
  scene.timeline = timeline;
  strokes_changed_ = true;
  timeline_command_ = runner_->setTimeline(std::move(timeline));
}

void Session::setTimeline(Timeline timeline, const std::string& what) {
  if (recording()) return;
  timeline.check(*scene.description);
  if (past_) {
    // Strokes that lie ahead are left with the rest.
    const std::int64_t step = pastStep(), last = status.past.last;
    leavePast(what);
    for (Stroke& stroke : timeline.strokes) {
      std::erase_if(stroke.events, [&](const Stroke::Event& each) { return each.step > step && each.step <= last; });
    }
    std::erase_if(timeline.strokes, [](const Stroke& each) { return each.events.empty(); });
  }
  change_ = what;
  follow_run_ = false;
  sendTimeline(std::move(timeline));
}

void Session::clearStrokes() {
  Timeline left = scene.timeline;
  left.strokes.clear();
  setTimeline(std::move(left), "All strokes");
}

// The strokes that the run has had since. What is still on its way to the run counts more than what it has.
void Session::hearTimeline() {
  if (!status.timeline || !selecting_.empty() || status.description != scene.description) return;
  if (!timelineAnswered() || status.replay) return;
  for (Brush& brush : std::exchange(waiting_, {})) runner_->poke(std::move(brush));
  if (status.timeline == heard_timeline_) return;
  heard_timeline_ = status.timeline;
  scene.timeline = *status.timeline;
  if (scene.timeline.tracks.empty()) scene.timeline.track_interval = std::max(1, scene.steps_per_frame);
  strokes_changed_ = true;
}

void Session::recordUndo() {
  if (!past_ && branching_ == 0)
    undo_->record(scene, origin_, std::exchange(strokes_changed_, false), std::exchange(change_, {}));
  if (origin_.saved_state == 0) origin_.saved_state = undo_->state();
}

void Session::commitEdits(bool in_hand) {
  if (!in_hand && answered() && !past_ && branching_ == 0) recordUndo();
}

void Session::undo() {
  if (recording()) return;
  if (past_) return returnToPresent();
  branching_ = 0;
  recordUndo();
  if (auto former = undo_->undo(scene, origin_)) restore(std::move(*former));
}

void Session::redo() {
  if (recording()) return;
  if (past_) return returnToPresent();
  recordUndo();
  if (auto former = undo_->redo(scene, origin_)) restore(std::move(*former));
}

// The scene's run, from the state that it began with.
void Session::begin(Scene wanted, const Origin& origin) {
  select(std::move(wanted));
  if (origin.start) load_command_ = runner_->load(origin.start);
  if (origin.lost) {
    say(Message::Level::Warning, fmt::format("The state of {} was too large to keep: the run begins at step 0. Open "
                                             "the file again to go on from its state.",
                                             foreign::shownFile(origin.file.filename())));
  }
}

// Asks the run for no more than what differs: where it goes on, it goes on from where it is.
void Session::restore(Undo::Restored restored) {
  Scene& wanted = restored.scene;
  waiting_.clear();
  if (wanted.description != scene.description || wanted.preset != scene.preset || !restored.origin.sameStart(origin_)) {
    begin(std::move(wanted), restored.origin);
  } else {
    const Scene former = std::exchange(scene, std::move(wanted));
    if (resumeLine(restored, former)) {
      origin_ = std::move(restored.origin);
      return;
    }
    if (auto changed = scene.parameters.changed(former.parameters); !changed.empty()) {
      setParameters(scene.parameters, std::move(changed));
    }
    if (scene.seed != former.seed) setSeed(scene.seed);
    if (!same(scene.timeline, former.timeline)) sendTimeline(scene.timeline);
    if (scene.steps_per_frame != pace.steps_per_frame) {
      Pace as_before = pace;
      as_before.steps_per_frame = std::max(1, scene.steps_per_frame);
      setPace(as_before);
    }
  }
  origin_ = std::move(restored.origin);
}

}  // namespace simscope
