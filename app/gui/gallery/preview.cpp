#include "app/gui/gallery/preview.h"

#include <algorithm>
#include <utility>

namespace simscope::gallery {

Preview::~Preview() {
  close();
}

void Preview::close() {
  frame_ = nullptr;
  arrived_ = false;
  drawn_frames_ = drawn_sequence_ = 0;
  drawn_options_.reset();
  channels_.clear();
  subject_ = {};
  failure_.clear();
  std::erase_if(ending_, [](const std::future<void>& each) {
    return each.wait_for(std::chrono::seconds(0)) == std::future_status::ready;
  });
  if (!runner_) return;
  runner_->pause();
  // It may be in the midst of a long step.
  ending_.push_back(
      std::async(std::launch::async, [old = std::shared_ptr<Runner>(std::move(runner_))]() mutable { old.reset(); }));
}

void Preview::show(const Subject& subject, const Resolved& resolved, double frames_per_second) {
  if (showing(subject)) return;
  scene_ = resolved.scene;
  subject_ = subject;
  frame_ = nullptr;
  arrived_ = false;
  drawn_frames_ = drawn_sequence_ = 0;
  drawn_options_.reset();
  channels_.clear();
  failure_.clear();
  const Timeline timeline = timelineOf(scene_);
  if (runner_) {
    former_epoch_ = runner_->status().epoch;
    first_command_ = command_ = runner_->select(*scene_.description, scene_.parameters, scene_.seed, timeline);
  } else {
    former_epoch_ = 0;
    first_command_ = command_ = 0;
    runner_ = std::make_unique<Runner>(*scene_.description, scene_.parameters, scene_.seed, device_, threads_);
    if (!timeline.empty()) command_ = runner_->setTimeline(timeline);
  }
  if (resolved.state) command_ = runner_->load(std::make_shared<const State>(*resolved.state));
  const int per_frame = std::max(1, scene_.steps_per_frame);
  runner_->setPace(
      {.mode = Pace::Mode::StepsPerFrame, .steps_per_frame = per_frame, .frames_per_second = frames_per_second});
  if (!resolved.state) {
    runner_->setEnd(RunEnd{.step = std::max<std::int64_t>(1, std::int64_t{scene_.frames} * per_frame),
                           .ending = Ending::Loop,
                           .with_strokes = true});
  }
  still_ = false;
  runner_->play();
}

void Preview::hold(bool still) {
  if (!runner_ || still == still_) return;
  still_ = still;
  if (still) {
    runner_->pause();
  } else {
    runner_->play();
  }
}

bool Preview::poll() {
  if (!runner_) return false;
  const RunnerStatus status = runner_->status();
  if (failure_.empty()) {
    for (const RefusedCommand& each : status.refused) {
      if (each.id >= first_command_) failure_ = each.error;  // not those of what was shown before
    }
    if (failure_.empty() && status.handled >= command_ && (status.stopped || status.frame == 0)) {
      failure_ = status.message;
    }
    runner_->acknowledge(status.refused.size());
    if (!failure_.empty()) {
      runner_->pause();
      return true;
    }
  }
  if (!failure_.empty()) return false;
  if (!arrived_) {
    if (status.handled < command_) {
      former_epoch_ = status.epoch;
      return false;
    }
    if (status.frame == 0 || status.epoch == former_epoch_ || status.description != scene_.description) return false;
    arrived_ = true;
  }
  frame_ = runner_->newestFrame();
  return frame_ && frame_->sequence != drawn_sequence_;
}

bool Preview::draw(const render::FigureOptions& options) {
  if (!runner_ || !frame_ || !arrived_) return false;
  if (drawn_sequence_ == frame_->sequence && drawn_options_ == options) return false;
  try {
    const std::vector<std::string> needed = render::neededChannels(*scene_.description, options);
    if (needed != channels_) {
      channels_ = needed;
      runner_->showChannels(needed);
    }
    if (!std::all_of(needed.begin(), needed.end(), [&](const std::string& key) { return frame_->wants(key); })) {
      return false;
    }
    if (!figure_) figure_ = std::make_unique<render::Figure>();
    figure_->draw(*scene_.description, frame_->parameters, *frame_, options);
    if (drawn_sequence_ != frame_->sequence) ++drawn_frames_;
    drawn_sequence_ = frame_->sequence;
    drawn_options_ = options;
    return true;
  } catch (const std::exception& error) {
    failure_ = error.what();
    runner_->pause();
    return false;
  }
}

}  // namespace simscope::gallery
