#include "app/sweep/job.h"

#include <algorithm>
#include <utility>

#include "app/sweep/outputs.h"

namespace simscope::sweep {

namespace {

constexpr std::int64_t kMostLivePictures = 400;  // if no film is written

bool isFilm(const std::filesystem::path& file) {
  return file.extension() == ".gif";
}

}  // namespace

Job::Job(Order order) : order_(std::move(order)), thread_([this] { main(); }) {}

Job::~Job() {
  cancel();
  thread_.join();
}

void Job::cancel() {
  {
    const std::lock_guard lock(mutex_);
    cancelled_ = true;
  }
  wake_.notify_all();
}

bool Job::finished() const {
  const std::lock_guard lock(mutex_);
  return finished_;
}

Progress Job::progress() const {
  const std::lock_guard lock(mutex_);
  return progress_;
}

double Job::seconds() const {
  const std::lock_guard lock(mutex_);
  return std::chrono::duration<double>((finished_ ? ended_ : Clock::now()) - began_).count();
}

void Job::report(const Progress& progress) {
  const std::lock_guard lock(mutex_);
  progress_ = progress;
  if (cancelled_) throw Cancelled();
}

void Job::main() {
  try {
    report({0, order_.plan.runs(), 0});
    const compute::DevicePtr device = compute::Device::open(order_.device, order_.threads);
    if (order_.figures) {
      makeFigures(device);
    } else {
      result_ = makeRuns(order_.plan, device, [this](const Progress& progress) { report(progress); });
    }
    report({order_.plan.runs(), order_.plan.runs(), 1});
  } catch (const Cancelled&) {
    result_.reset();
  } catch (const std::exception& error) {
    result_.reset();
    failure_ = error.what();
  }
  const std::lock_guard lock(mutex_);
  finished_ = true;
  ended_ = Clock::now();
}

void Job::makeFigures(const compute::DevicePtr& device) {
  const Between between = [this](const Progress& progress) { report(progress); };
  const Plan& plan = order_.plan;
  std::optional<Outputs> outputs;
  if (!order_.files.empty()) outputs.emplace(plan, OutputOptions{order_.files, true, order_.overwrite});
  Multiples multiples(plan, device, plan.scene.figure, between);
  const bool film = std::any_of(order_.files.begin(), order_.files.end(), isFilm);
  const std::int64_t frame = plan.scene.steps_per_frame;
  // A single picture shows the end. Figures that are only shown need no more than kMostLivePictures.
  const std::int64_t each = film      ? frame
                            : outputs ? plan.steps
                                      : std::max(frame, (plan.steps + kMostLivePictures - 1) / kMostLivePictures);
  const auto show = [&](bool kept) {
    awaitPicture(multiples);
    if (outputs && kept) outputs->addFrame(partial_);
  };
  show(film);
  for (std::int64_t done = 0; done < plan.steps; done += each) {
    multiples.step(std::min(each, plan.steps - done), between);
    show(true);
  }
  Result result = multiples.result();
  requireAnyRun(plan, result);
  if (outputs) {
    outputs->finish(result);
    wrote_ = outputs->summary();
  }
  result_ = std::move(result);
}

void Job::awaitPicture(Multiples& multiples) {
  multiples.present();
  std::unique_lock lock(mutex_);
  partial_.clear();
  drawn_ = 0;
  waiting_ = &multiples;
  wake_.wait(lock, [this] { return cancelled_ || !waiting_; });
  waiting_ = nullptr;
  if (cancelled_) throw Cancelled();
  // None of the runs could begin.
  const render::FigureOptions& figure = order_.plan.scene.figure;
  partial_.resize(static_cast<std::size_t>(figure.width) * 3 * static_cast<std::size_t>(figure.height));
}

bool Job::draw(render::Figure& figure, double seconds) {
  const std::lock_guard lock(mutex_);
  if (!waiting_ || cancelled_) return false;
  const Clock::time_point begun = Clock::now();
  do {
    try {
      waiting_->drawFigure(figure, drawn_, partial_);
    } catch (const std::exception& error) {
      failure_ = error.what();  // the thread waits, and ends without another message
      cancelled_ = true;
      wake_.notify_all();
      return false;
    }
    if (++drawn_ == order_.plan.runs()) {
      waiting_ = nullptr;
      picture_ = partial_;
      ++pictures_;
      wake_.notify_all();
      return true;
    }
  } while (std::chrono::duration<double>(Clock::now() - begun).count() < seconds);
  return false;
}

}  // namespace simscope::sweep
