// render: an animation or a picture, without a display.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "app/animation.h"
#include "app/cli/commands.h"
#include "app/cli/interrupt.h"
#include "app/cli/output.h"
#include "app/cli/report.h"
#include "app/export/files.h"
#include "app/export/recorder.h"
#include "app/render/gl_context.h"

namespace simscope::cli {

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

enum class Format { Gif, Png };

Format formatOf(const std::string& out) {
  std::string extension = std::filesystem::path(out).extension().string();
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (extension == ".gif") return Format::Gif;
  if (extension == ".png") return Format::Png;
  throw UsageError(fmt::format("--out: '{}' is neither a .gif (the animation) nor a .png (its last frame)", out));
}

Scene sceneOfRender(const RenderArguments& arguments, std::vector<std::string>& notes) {
  Scene scene = sceneOf(arguments, notes);
  applyFigure(arguments, scene);
  if (arguments.frames) scene.frames = static_cast<int>(readInteger("--frames", *arguments.frames, 1, kMostFrames));
  if (arguments.steps_per_frame) {
    scene.steps_per_frame =
        static_cast<int>(readInteger("--steps-per-frame", *arguments.steps_per_frame, 1, kMostStepsPerFrame));
  }
  if (arguments.fps) scene.fps = readReal("--fps", *arguments.fps, 0.01, 1000);
  return scene;
}

// A line that is drawn over itself; silent where standard error is not a terminal.
class ProgressBar {
 public:
  ProgressBar(int total, std::string unit)
      : total_(total), unit_(std::move(unit)), shown_(isatty(STDERR_FILENO) == 1) {}
  ~ProgressBar() { clear(); }
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;

  void show(int done, double bytes) {
    if (!shown_ || (done < total_ && Clock::now() < next_)) return;
    next_ = Clock::now() + std::chrono::milliseconds(100);
    const double elapsed = Seconds(Clock::now() - start_).count();
    const double rate = elapsed > 0 ? done / elapsed : 0;
    constexpr int kCells = 30;
    const int filled = static_cast<int>(static_cast<double>(done) / total_ * kCells);
    std::string line = fmt::format("\r[{}{}] {}/{} {}", std::string(static_cast<std::size_t>(filled), '#'),
                                   std::string(static_cast<std::size_t>(kCells - filled), '.'), done, total_, unit_);
    if (bytes > 0) line += ", " + bytesText(bytes);
    if (rate > 0) line += fmt::format(", {:.3g}/s, {} left", rate, secondsText((total_ - done) / rate));
    note(line + "\x1b[K");
    drawn_ = true;
  }

  void clear() noexcept {
    if (drawn_) note("\r\x1b[K");
    drawn_ = false;
  }

 private:
  int total_;
  std::string unit_;
  bool shown_, drawn_ = false;
  Clock::time_point start_ = Clock::now(), next_ = start_;
};

void renderGif(Stepper& stepper, render::Figure& figure, const Scene& scene, exporting::Recorder& recorder) {
  ProgressBar bar(scene.frames, "frames");
  animate(stepper, figure, scene, 0,
          {.picture = [&](std::vector<std::uint8_t> rgb) { recorder.add(std::move(rgb)); },
           .progress = [&](int done) { bar.show(done, static_cast<double>(recorder.progress().bytes)); },
           .between = throwIfStopped});
  // The encoder has up to Recorder::kQueueBytes to go, and finish() cannot be broken off from here.
  const ExitAtOnce guard;
  recorder.finish();
}

void renderPng(Stepper& stepper, render::Figure& figure, const Scene& scene, const RenderArguments& arguments) {
  ProgressBar bar(scene.frames, "frames");
  std::vector<std::uint8_t> rgb;
  animate(stepper, figure, scene, scene.frames - 1,
          {.picture = [&](std::vector<std::uint8_t> picture) { rgb = std::move(picture); },
           .progress = [&](int done) { bar.show(done, 0); },
           .between = throwIfStopped});
  const ExitAtOnce guard;
  exporting::writePng(arguments.out, scene.figure.width, scene.figure.height, rgb, toJson(scene), arguments.force);
}

}  // namespace

void render(const RenderArguments& arguments) {
  const Clock::time_point start = Clock::now();
  const Format format = formatOf(arguments.out);
  std::vector<std::string> notes;
  const Scene scene = sceneOfRender(arguments, notes);
  if (format == Format::Gif) exporting::gifDelay(scene.fps);
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);

  std::unique_ptr<exporting::Recorder> recorder;
  if (format == Format::Gif) {
    recorder = std::make_unique<exporting::Recorder>(arguments.out, gifOptions(scene, arguments.force));
  } else {
    requireWritable(arguments.out, arguments.force);
  }
  for (const std::string& each : notes) note("simscope: note: " + each + "\n");

  const compute::DevicePtr device = openDevice(choice);
  std::vector<Finding> findings;
  device->run([&] {
    Stepper stepper(*scene.description, device, scene.parameters, scene.seed);
    throwIfStopped();
    const render::HeadlessContext context;
    render::Figure figure;
    if (recorder) {
      renderGif(stepper, figure, scene, *recorder);
    } else {
      renderPng(stepper, figure, scene, arguments);
    }
    findings = stepper.findings();
  });

  note(text(findings));
  std::error_code failed;
  const std::uintmax_t bytes = std::filesystem::file_size(arguments.out, failed);
  const std::string frames =
      recorder ? fmt::format("{} frames at {:.4g} a second", scene.frames, 100.0 / exporting::gifDelay(scene.fps))
               : fmt::format("frame {} of {}", scene.frames, scene.frames);
  note(fmt::format("{}: {}, {}x{}, {}, in {}\n", arguments.out, frames, scene.figure.width, scene.figure.height,
                   bytesText(failed ? 0 : static_cast<double>(bytes)),
                   secondsText(Seconds(Clock::now() - start).count())));
}

}  // namespace simscope::cli
