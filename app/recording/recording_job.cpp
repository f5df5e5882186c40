#include "app/recording/recording_job.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/export/gif/gif_plan.h"
#include "app/recording/array_file.h"
#include "app/recording/output_files.h"
#include "app/render/figure/figure.h"

namespace simscope {

namespace {

constexpr std::size_t kProbeBytes = 128u << 20;
constexpr int kProbes = 3;  // at the start, in the middle, and at the end
constexpr int kShortestProbe = 2, kLongestProbe = 8;
constexpr int kMostPlans = 5;
constexpr double kCorrection = 1.2;  // a recording turned out larger than planned: the next plan asks for so much less
constexpr double kLegibleScale = 0.75;  // a smaller picture keeps its letters above this

}  // namespace

RecordingJob::RecordingJob(Scene scene, OutputRequest request)
    : wanted_(std::move(scene)),
      request_(std::move(request)),
      scene_(wanted_),
      files_(std::make_shared<OutputFiles>(wanted_, request_)) {
  if (bounded()) chooseProbes();
}

bool RecordingJob::bounded() const {
  return scene_.max_bytes > 0 && !request_.open_ended &&
         std::any_of(request_.files.begin(), request_.files.end(),
                     [&](const auto& file) { return outputKind(file, request_.numbered) == OutputKind::Gif; });
}

void RecordingJob::chooseProbes() {
  const std::size_t picture = static_cast<std::size_t>(scene_.figure.width) * scene_.figure.height * 3;
  const int length = std::clamp(static_cast<int>(kProbeBytes / kProbes / picture), kShortestProbe, kLongestProbe);
  const int first = scene_.first_frame, frames = scene_.frames;
  if (frames <= kProbes * length) {
    probes_ = {{first, frames, {}}};
  } else {
    probes_ = {{first, length, {}}, {first + (frames - length) / 2, length, {}}, {first + frames - length, length, {}}};
  }
}

int RecordingJob::lastFrame() const {
  return files_ ? files_->lastFrame() : probes_.back().first + probes_.back().count - 1;
}

bool RecordingJob::hasPictures() const {
  return !files_ || files_->hasPictures();
}

std::vector<std::string> RecordingJob::neededChannels(std::int64_t step) const {
  std::vector<std::string> keys = render::neededChannels(*scene_.description, scene_.figureAt(step));
  keys.push_back(savedChannel(scene_, request_.channel));
  return keys;
}

bool RecordingJob::wantsPicture(int frame) const {
  if (files_) return files_->wantsPicture(frame);
  return std::any_of(probes_.begin(), probes_.end(), [&](const Probe& each) { return each.contains(frame); });
}

bool RecordingJob::wantsArray(int frame) const {
  return files_ && files_->wantsArray(frame);
}

bool RecordingJob::wantsRow(int frame) const {
  return files_ && files_->wantsRow(frame);
}

bool RecordingJob::hasRoom() const {
  return !files_ || files_->hasRoom();
}

void RecordingJob::picture(int frame, std::vector<std::uint8_t> rgb) {
  if (plans_ == 0) {
    for (Probe& each : probes_) {
      if (each.contains(frame)) each.pictures.push_back(rgb);
    }
  }
  if (!files_) return;
  try {
    files_->picture(frame, std::move(rgb));
  } catch (const exporting::GifTooLarge&) {
    dropFiles();
  }
}

void RecordingJob::array(int frame, const Frame& data) {
  files_->array(frame, data);
}

void RecordingJob::row(std::int64_t steps, double time, std::span<const double> diagnostics) {
  files_->row(steps, time, diagnostics);
}

void RecordingJob::amend(Timeline timeline, std::vector<ViewChange> view_changes) {
  files_->amend(std::move(timeline), std::move(view_changes));
}

// They would be too large.
void RecordingJob::dropFiles() {
  const std::lock_guard lock(mutex_);
  files_.reset();
}

bool RecordingJob::finish(int frames) {
  std::shared_ptr<OutputFiles> files;
  {
    const std::lock_guard lock(mutex_);
    files = files_;
  }
  if (files) {
    try {
      files->finish(frames);
      return true;
    } catch (const exporting::GifTooLarge&) {
      files.reset();
      dropFiles();
    }
  }
  planNextPass();
  return false;
}

void RecordingJob::startNextPass() {
  const std::lock_guard lock(mutex_);
  scene_ = std::move(next_->scene);
  fitted_ = std::move(next_->fitted);
  files_ = std::move(next_->files);
  next_.reset();
}

// From the pictures of the first pass, and asking for less each time that a plan was too hopeful.
void RecordingJob::planNextPass() {
  exporting::GifPlanner planner(gifOptions(wanted_, request_.overwrite));
  for (const Probe& each : probes_) planner.add(each.pictures);
  const double correction = std::pow(kCorrection, plans_);
  if (++plans_ > kMostPlans)
    throw Error("max-bytes: no size was found that fits: allow more bytes, or record fewer frames");
  const exporting::GifPlan plan = planner.plan(wanted_.max_bytes, correction);

  if (wanted_.steps_per_frame > kMostStepsPerFrame / plan.frame_step) {
    throw UsageError(
        "max-bytes: no frames can be left out, because they are too many steps apart: record fewer frames");
  }
  Pass next{wanted_, toText(plan), nullptr};
  Scene& scene = next.scene;
  render::FigureOptions& figure = scene.figure;
  const double shrunk = figure.scale * plan.width / figure.width;
  figure.scale = std::max(std::min(figure.scale, kLegibleScale), shrunk);
  figure.width = plan.width;
  figure.height = plan.height;
  scene.frames = static_cast<int>(plan.frames);
  scene.steps_per_frame *= plan.frame_step;
  if (scene.first_step == 0) scene.beginAt(wanted_.beginsAt());
  scene.fps = plan.fps;
  next.files = std::make_shared<OutputFiles>(scene, request_);
  const std::lock_guard lock(mutex_);
  if (cancelled_) throw Error("the recording was cancelled");
  next_ = std::move(next);
}

void RecordingJob::cancel() noexcept {
  const std::lock_guard lock(mutex_);
  cancelled_ = true;
  if (files_) files_->cancel();
  if (next_) next_->files->cancel();
}

exporting::EncodingProgress RecordingJob::progress() const {
  const std::lock_guard lock(mutex_);
  if (files_) return files_->progress();
  exporting::EncodingProgress none;
  none.expected = scene_.frames;
  return none;
}

std::vector<std::string> RecordingJob::summary() const {
  return files_->summary();
}

}  // namespace simscope
