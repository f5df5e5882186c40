#include "app/gui/recording.h"

#include <fmt/format.h>

#include <chrono>
#include <thread>
#include <utility>

#include "app/animation.h"
#include "app/gui/session.h"

namespace simscope::gui {

Recording::Recording(Session& session, const RecordSettings& settings)
    : session_(session), settings_(settings), scene_(session.scene) {
  scene_.figure.width = settings_.width;
  scene_.figure.height = settings_.height;
  scene_.figure.marker_x.reset();
  scene_.figure.marker_y.reset();
  scene_.frames = settings_.frames;
  scene_.steps_per_frame = settings_.steps_per_frame;
  scene_.fps = settings_.fps;

  recorder_ = std::make_unique<exporting::Recorder>(settings_.file, gifOptions(scene_, settings_.overwrite));
  figure_ = std::make_unique<render::Figure>();
  progress_.expected = settings_.frames;

  Runner& runner = session_.runner();
  start_epoch_ = runner.status().epoch;
  runner.pause();
  if (settings_.from_start) runner.reset();
}

Recording::~Recording() {
  release();
  if (recorder_) {
    try {
      recorder_->cancel();
    } catch (const std::exception&) {
      // The recorder's own destructor removes the file.
    }
  }
}

void Recording::release() noexcept {
  if (!std::exchange(lockstep_, false)) return;
  try {
    Runner& runner = session_.runner();
    runner.pause();
    runner.setLockstep(std::nullopt);
  } catch (const std::exception&) {
    // No memory for a command, in a destructor: the run stays as it is, waiting for a frame to be taken.
  }
}

void Recording::advance(double budget_seconds) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(budget_seconds);
  try {
    const std::size_t picture =
        static_cast<std::size_t>(settings_.width) * static_cast<std::size_t>(settings_.height) * 3;
    while (stage_ == Stage::Preparing || stage_ == Stage::Drawing) {
      progress_ = recorder_->progress();
      // Half of the recorder's queue: add() never waits.
      const auto waiting = static_cast<std::size_t>(handed_over_ - progress_.frames);
      const bool room = waiting < 2 || (waiting + 1) * picture < exporting::Recorder::kQueueBytes / 2;
      if (room && drawNext()) {
        if (drawn_ == settings_.frames) {
          release();
          stage_ = Stage::Encoding;
        }
      } else {
        std::this_thread::sleep_for(std::chrono::microseconds(200));
      }
      if (std::chrono::steady_clock::now() >= end) break;
    }
    if (stage_ == Stage::Encoding) {
      while (figure_->readsInFlight() > 0) takeRead();
      progress_ = recorder_->progress();
      if (progress_.frames >= settings_.frames) {
        recorder_->finish();
        progress_ = recorder_->progress();
        recorder_.reset();
        stage_ = Stage::Ended;
      }
    }
  } catch (const std::exception& failure) {
    error_ = failure.what();
    release();
    stage_ = Stage::Ended;
  }
}

bool Recording::drawNext() {
  Runner& runner = session_.runner();
  session_.observe();
  const RunnerStatus& status = session_.status;
  if (status.stopped) throw Error(status.message.empty() ? "the run stopped" : status.message);
  const Frame* frame = session_.refreshFrame();
  if (!frame) return false;
  if (stage_ == Stage::Preparing) {
    const bool settled = !status.playing && (!settings_.from_start || status.epoch != start_epoch_);
    if (!settled || frame->sequence != status.frame) return false;
    drawFrame();
    expected_steps_ = frame->steps + settings_.steps_per_frame;
    last_sequence_ = frame->sequence;
    stage_ = Stage::Drawing;
    if (settings_.frames > 1) {
      runner.setLockstep(settings_.steps_per_frame);
      lockstep_ = true;
      runner.play();
    }
    return true;
  }
  if (frame->sequence == last_sequence_) return false;
  last_sequence_ = frame->sequence;
  if (frame->steps == expected_steps_) {
    drawFrame();
    expected_steps_ += settings_.steps_per_frame;
    runner.frameTaken();
    return true;
  }
  // The run publishes the state once more where it is told to pause or to play: nothing new to draw.
  if (frame->steps + settings_.steps_per_frame == expected_steps_) {
    runner.frameTaken();
    return false;
  }
  throw Error(fmt::format("the run is at step {} where frame {} needs step {}; record again", frame->steps, drawn_,
                          expected_steps_));
}

void Recording::drawFrame() {
  if (figure_->readsInFlight() == render::Figure::kReadsInFlight) takeRead();
  figure_->draw(*scene_.description, scene_.parameters, *session_.frame, scene_.figure);
  figure_->startRead();
  ++drawn_;
}

void Recording::takeRead() {
  recorder_->add(figure_->take());
  ++handed_over_;
}

}  // namespace simscope::gui
