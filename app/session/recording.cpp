#include "app/session/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "app/export/files.h"
#include "app/export/gif/gif_plan.h"
#include "app/session/session.h"
#include "sims/core/words.h"

namespace simscope {

namespace {

using Extent = RecordSettings::Extent;

OutputRequest requestOf(const RecordSettings& settings) {
  OutputRequest request;
  request.files = {settings.file};
  request.numbered = true;
  request.scene_file = settings.scene_file;
  request.overwrite = settings.overwrite;
  request.open_ended = settings.extent == Extent::UntilStopped;
  return request;
}

}  // namespace

render::FigureOptions recordedFigure(const render::FigureOptions& figure, const RecordSettings& settings) {
  render::FigureOptions recorded = figure;
  recorded.width = settings.width;
  recorded.height = settings.height;
  recorded.scale = settings.scale;
  recorded.supersampling = settings.supersampling;
  recorded.theme = settings.theme;
  recorded.marker_x.reset();
  recorded.marker_y.reset();
  recorded.marker_panel = 0;
  return recorded;
}

Scene recordedScene(const Scene& scene, const RecordSettings& settings) {
  Scene recorded = scene;
  recorded.figure = recordedFigure(scene.figure, settings);
  recorded.first_step = settings.first_step;
  recorded.first_frame = settings.first_frame;
  recorded.frames = settings.frames;
  recorded.steps_per_frame = settings.steps_per_frame;
  recorded.fps = settings.fps;
  recorded.loop = settings.loop;
  recorded.max_bytes = settings.max_bytes;
  if (settings.extent != Extent::FromStart) recorded.view_changes.clear();  // it has its own
  return recorded;
}

Recording::Recording(Session& session, const RecordSettings& settings)
    : session_(session), settings_(settings), theme_(session.scene.figure.theme) {
  session_.observe();
  for (const Track& each : session_.scene.timeline.tracks) followed_.push_back(each.key);
  makeJob();
  begin();
}

// Of the run as the session knows it.
void Recording::makeJob() {
  const RunnerStatus& run = session_.status;
  Scene scene = recordedScene(session_.scene, settings_);
  if (run.timeline) scene.timeline.strokes = run.timeline->strokes;
  if (settings_.extent != Extent::FromStart) {
    const auto& tracks = scene.timeline.tracks;
    if (run.timeline && !tracks.empty() && run.timeline->track_interval != scene.steps_per_frame) {
      throw UsageError(fmt::format(
          "the keyframes of this run take effect every {}: record from now with {} per frame, or from the start",
          run.timeline->track_interval == 1 ? "step" : counted(run.timeline->track_interval, "step"),
          counted(run.timeline->track_interval, "step")));
    }
    scene.beginAt(run.steps);
    scene.max_bytes = 0;  // the steps before cannot be made again in another size
  }
  job_.reset();  // its files are removed before the next one looks for them
  job_ = std::make_unique<RecordingJob>(std::move(scene), requestOf(settings_));
}

Recording::~Recording() {
  endLockstep();
  if (job_) job_->cancel();
}

void Recording::begin() {
  figure_ = std::make_unique<render::Figure>();
  reads_.clear();
  recorded_ = 0;
  last_sequence_ = 0;
  stage_ = Stage::Preparing;
  Runner& runner = session_.runner();
  start_epoch_ = runner.status().epoch;
  if (settings_.now && canGoBackTo(*settings_.now)) {
    runner.goTo(*settings_.now);  // at rest
  } else {
    runner.pause();
  }
  if (settings_.extent == Extent::FromStart) {
    const auto& present = session_.status.timeline;
    Timeline wanted = timelineOf(job_->scene());
    if (!present || *present != wanted) runner.setTimeline(std::move(wanted));
    runner.reset();
  }
}

// Soon: the run has a copy of its state near there.
bool Recording::canGoBackTo(std::int64_t step) const {
  const RunnerStatus& run = session_.status;
  const std::int64_t near = 100 * std::int64_t{settings_.steps_per_frame};
  if (!live() || step < run.past.first) return false;
  return std::any_of(run.past.steps.begin(), run.past.steps.end(),
                     [&](std::int64_t kept) { return kept <= step && step - kept <= near; });
}

void Recording::endLockstep() noexcept {
  if (!std::exchange(lockstep_, false)) return;
  try {
    Runner& runner = session_.runner();
    runner.pause();
    runner.setLockstep(std::nullopt);
  } catch (const std::exception&) {
    // No memory for a command, in a destructor: the run keeps waiting for its frame to be taken.
  }
}

void Recording::advance(double budget_seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(budget_seconds);
  try {
    while (stage_ == Stage::Preparing || stage_ == Stage::Drawing) {
      progress_ = job_->progress();
      if (lastDrawn()) {
        finish();
      } else if (!job_->hasRoom() || !drawNext()) {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      if (std::chrono::steady_clock::now() >= end) break;
    }
    if (stage_ == Stage::Finishing) checkFinished();
  } catch (const std::exception& failure) {
    error_ = failure.what();
    endLockstep();
    stage_ = Stage::Ended;
  }
}

bool Recording::lastDrawn() const {
  return stage_ == Stage::Drawing && (next_ > job_->lastFrame() || (stopping_ && recorded_ > 0));
}

void Recording::finish() {
  endLockstep();
  while (!reads_.empty()) takePicture();
  if (live()) job_->amend(timeline_, view_changes_);
  stage_ = Stage::Finishing;
  finished_ = std::async(std::launch::async, [job = job_.get(), frames = recorded_] { return job->finish(frames); });
}

Recorded Recording::recorded() const {
  const OutputKind kind = outputKind(settings_.file, true);
  Recorded done;
  done.file = exporting::shownName(settings_.file);
  const bool again = session_.hasPast();  // whether a scene makes it again
  if (kind == OutputKind::Pictures) {
    done.scene = existingFile(done.file, kind);
  } else if (again && hasScene(kind)) {
    done.scene = done.file;
  } else if (again && settings_.scene_file && isVideo(kind)) {
    done.scene = sceneFileOf(done.file);
  }
  done.summary = fmt::format("{}, {}", counted(settings_.frames, "frame"), exporting::byteText(progress_.bytes));
  if (!fitted().empty()) done.summary += "; " + fitted();
  return done;
}

void Recording::checkFinished() {
  progress_ = job_->progress();
  if (finished_.wait_for(std::chrono::seconds(0)) != std::future_status::ready) return;
  if (!finished_.get()) {
    job_->startNextPass();
    return begin();
  }
  progress_ = job_->progress();
  settings_.frames = recorded_;
  stage_ = Stage::Ended;
}

// Late frames are not made up for.
bool Recording::isDue() {
  if (!openEnded()) return true;
  const auto now = std::chrono::steady_clock::now();
  if (now < due_) return false;
  const auto pace =
      std::chrono::duration_cast<std::chrono::steady_clock::duration>(std::chrono::duration<double>(1 / settings_.fps));
  due_ = std::max(due_ + pace, now);
  return true;
}

bool Recording::drawNext() {
  Runner& runner = session_.runner();
  const Frame* frame = session_.refreshFrame();
  session_.observe();
  const RunnerStatus& status = session_.status;
  if (status.stopped) throw Error(status.message.empty() ? "the run has stopped" : status.message);
  if (lockstep_ && !status.playing && status.message_count != messages_) {
    stopWhereRunDid();
    return true;
  }
  if (!frame || frame->sequence != status.frame) return false;
  if (stage_ == Stage::Preparing) return startDrawing(*frame);
  if (frame->sequence == last_sequence_) return false;
  if (frame->steps == expected_steps_ && !isDue()) return false;
  last_sequence_ = frame->sequence;
  if (frame->steps == expected_steps_) {
    if (frame->steps >= first_step_) record(*frame);
    const int steps = job_->scene().stepsToNextFrame(frame->steps);
    expected_steps_ += steps;
    if (lastDrawn()) return true;  // the run stops at this frame
    tell(*frame, expected_steps_);
    if (steps == frame_steps_) {
      runner.frameTaken();
    } else {
      runner.setLockstep(frame_steps_ = steps);
    }
    return true;
  }
  // The run publishes the state once more when it pauses or plays: nothing new to draw.
  if (frame->steps + frame_steps_ == expected_steps_) {
    runner.frameTaken();
    return false;
  }
  throw Error(fmt::format("the run is at step {}, but frame {} is at step {}: record again", frame->steps, next_,
                          expected_steps_));
}

// Once the run rests where the recording begins.
bool Recording::startDrawing(const Frame& frame) {
  Runner& runner = session_.runner();
  const RunnerStatus& status = session_.status;
  const bool from_start = settings_.extent == Extent::FromStart;
  if (status.playing || status.busy || status.replay || (from_start && status.epoch == start_epoch_)) return false;
  // Until it paused it may have made more steps, or been given a stroke.
  const Scene& known = job_->scene();
  if (!from_start && (known.beginsAt() != frame.steps || known.timeline.strokes != status.timeline->strokes)) makeJob();
  const Scene& scene = job_->scene();
  first_step_ = from_start ? scene.first_step : frame.steps;
  next_ = from_start ? 0 : scene.first_frame;
  last_sequence_ = frame.sequence;
  frame_steps_ = scene.stepsToNextFrame(frame.steps);
  expected_steps_ = frame.steps + frame_steps_;
  stage_ = Stage::Drawing;
  messages_ = status.message_count;
  if (live()) {
    timeline_ = *status.timeline;
    if (timeline_.tracks.empty()) timeline_.track_interval = scene.steps_per_frame;
    view_changes_.clear();
    shown_ = scene.figure;
  }
  if (frame.steps >= first_step_) record(frame);
  if (next_ <= job_->lastFrame()) {
    tell(frame, expected_steps_);
    runner.setLockstep(frame_steps_);
    lockstep_ = true;
    runner.play();
  }
  return true;
}

// The run waits meanwhile: in lockstep, or paused.
void Recording::record(const Frame& frame) {
  const Scene& scene = job_->scene();
  if (job_->wantsArray(next_)) {
    frame.ready.wait();
    job_->array(next_, frame);
  }
  if (job_->wantsRow(next_)) job_->row(frame.steps, frame.time, session_.status.diagnostics);
  if (job_->wantsPicture(next_)) {
    if (figure_->readsInFlight() == render::Figure::kReadsInFlight) takePicture();
    if (live()) follow(frame);
    figure_->draw(*scene.description, frame.parameters, frame, live() ? shown_ : scene.figureAt(frame.steps));
    figure_->startRead();
    reads_.push_back(next_);
  }
  if (next_ >= scene.first_frame) ++recorded_;
  ++next_;
}

void Recording::takePicture() {
  const int index = reads_.front();
  reads_.pop_front();
  job_->picture(index, figure_->take());
}

}  // namespace simscope
