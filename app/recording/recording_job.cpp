#include "app/recording/recording_job.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace simscope {

namespace {

constexpr std::size_t kProbeBytes = 128u << 20;
constexpr int kProbes = 3;  // at the start, in the middle, and at the end
constexpr int kShortestProbe = 2, kLongestProbe = 8;
constexpr int kMostAttempts = 5;
constexpr double kCorrection = 1.2;  // a recording turned out larger than planned: the next plan asks for so much less
constexpr double kLegibleScale = 0.75;  // a smaller picture keeps its letters above this

}  // namespace

RecordingJob::RecordingJob(Scene scene, OutputRequest request)
    : wanted_(std::move(scene)), scene_(wanted_), request_(std::move(request)) {
  files_ = std::make_shared<OutputFiles>(scene_, request_);
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

RecordingJob::Probe* RecordingJob::probeOf(int frame) {
  for (Probe& each : probes_) {
    if (frame >= each.first && frame < each.first + each.count) return &each;
  }
  return nullptr;
}

int RecordingJob::lastFrame() const {
  return files_ ? files_->lastFrame() : probes_.back().first + probes_.back().count - 1;
}

bool RecordingJob::hasPictures() const {
  return !files_ || files_->hasPictures();
}

bool RecordingJob::wantsPicture(int frame) const {
  if (files_) return files_->wantsPicture(frame);
  return const_cast<RecordingJob*>(this)->probeOf(frame) != nullptr;
}

void RecordingJob::picture(int frame, std::vector<std::uint8_t> rgb) {
  if (attempts_ == 0) {
    if (Probe* probe = probeOf(frame)) probe->pictures.push_back(rgb);
  }
  if (!files_) return;
  try {
    files_->picture(frame, std::move(rgb));
  } catch (const exporting::GifTooLarge&) {
    tooLarge();
  }
}

void RecordingJob::tooLarge() {
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
      tooLarge();
    }
  }
  plan();
  return false;
}

bool RecordingJob::again() {
  const std::lock_guard lock(mutex_);
  scene_ = std::move(next_->scene);
  fitted_ = std::move(next_->fitted);
  files_ = std::move(next_->files);
  next_.reset();
  return true;
}

// The next pass: from the pictures of the first one, and asking for less each time that a plan was too hopeful.
void RecordingJob::plan() {
  exporting::GifOptions options = gifOptions(wanted_, request_.overwrite);
  exporting::GifPlanner planner(options);
  for (const Probe& each : probes_) planner.add(each.pictures);
  const double correction = std::pow(kCorrection, attempts_);
  if (++attempts_ > kMostAttempts) throw Error("max-bytes: no size was found that fits; allow more, or record less");
  const exporting::GifPlan plan = planner.plan(wanted_.max_bytes, correction);

  if (wanted_.steps_per_frame > kMostStepsPerFrame / plan.frame_step) {
    throw UsageError("max-bytes: frames are too many steps apart to leave any out; record fewer");
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
