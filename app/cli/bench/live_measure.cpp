#include "app/cli/bench/live_measure.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "app/cli/bench/batches.h"
#include "app/cli/process/interrupt.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/core/run/runner.h"

namespace simscope::cli {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kWarmUp = 1.0, kMeasured = 3.0, kLongestStart = 120.0;  // s
constexpr int kWidth = 1280, kHeight = 800;
constexpr auto kPause = std::chrono::milliseconds(1);  // how soon a new frame is seen

class Player {
 public:
  Player(const Scene& scene, const std::string& device, int threads)
      : scene_(scene), runner_(*scene.description, scene.parameters, scene.seed, device, threads) {
    runner_.setPace({.mode = Pace::Mode::StepsPerFrame, .steps_per_frame = scene.steps_per_frame});
    if (const Timeline timeline = timelineOf(scene); !timeline.empty()) runner_.setTimeline(timeline);
    options_ = scene.figure;
    options_.width = kWidth;
    options_.height = kHeight;
    options_.scale = render::suitableScale(kWidth, kHeight);
    options_.supersampling = 1;
    runner_.showChannels(render::neededChannels(*scene_.description, options_));  // as the window asks
  }

  LiveMeasurement play() {
    runner_.play();
    // Until the first pictures are there: plans are made, kernels and shaders compiled.
    playFor(kWarmUp, 2, nullptr);
    LiveMeasurement result;
    const std::int64_t before = runner_.status().steps;
    std::vector<double> step_us, picture_ms;
    const Clock::time_point start = Clock::now();
    playFor(kMeasured, 5, [&](const RunnerStatus& status, double milliseconds) {
      step_us.push_back(status.step_us);
      picture_ms.push_back(milliseconds);
    });
    const double seconds = Seconds(Clock::now() - start).count();
    const RunnerStatus status = runner_.status();
    result.steps = status.steps - before;
    result.step_us = median(step_us);
    result.picture_ms = median(picture_ms);
    result.pictures_per_second = static_cast<double>(picture_ms.size()) / seconds;
    result.diagnostics_ms = status.diagnostics_ms;
    result.watch_ms = status.watch_ms;
    return result;
  }

 private:
  // At least so many seconds and pictures.
  template <class Drawn>
  void playFor(double seconds, int pictures, Drawn&& drawn) {
    const Clock::time_point start = Clock::now();
    for (int made = 0; made < pictures || Seconds(Clock::now() - start).count() < seconds;) {
      throwIfStopped();
      const Frame* frame = runner_.newestFrame();
      if (!frame || frame->sequence == shown_) {
        const RunnerStatus status = runner_.status();
        if (status.stopped || (!status.playing && !status.message.empty())) throw Error(status.message);
        if (!status.refused.empty()) throw Error(status.refused.front().error);
        if (Seconds(Clock::now() - start).count() > kLongestStart) break;
        std::this_thread::sleep_for(kPause);
        continue;
      }
      shown_ = frame->sequence;
      const Clock::time_point begun = Clock::now();
      figure_.draw(*scene_.description, frame->parameters, *frame, options_);
      render::finishDrawing();
      const double milliseconds = Seconds(Clock::now() - begun).count() * 1e3;
      ++made;
      if constexpr (!std::is_null_pointer_v<std::remove_cvref_t<Drawn>>) drawn(runner_.status(), milliseconds);
    }
  }

  const Scene& scene_;
  render::HeadlessContext context_;
  render::Figure figure_;
  render::FigureOptions options_;
  Runner runner_;
  std::uint64_t shown_ = 0;
};

}  // namespace

LiveMeasurement measureLive(const Scene& scene, const std::string& device, int threads) {
  return Player(scene, device, threads).play();
}

}  // namespace simscope::cli
