// What a frame costs by stage, in milliseconds of wall time and (in brackets) of processor time of all threads: the
// simulation's steps, its arrays, drawing them, reading the picture back, and encoding it as a GIF, one after another.
// `simscope render` overlaps them: `time simscope render ...` tells how well. Usage:
// frame_bench [FRAMES] [WIDTHxHEIGHT] [SIMULATION[:PRESET[:VIEW]] ...]; LIBGL_ALWAYS_SOFTWARE=1 for software OpenGL.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cctype>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "app/export/encoder.h"
#include "app/render/figure/exact_colours.h"
#include "app/render/figure/figure.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "app/render/gl/gl_objects.h"
#include "sims/core/registry.h"
#include "sims/core/timeline/stepper.h"

namespace {

using namespace simscope;

struct Times {
  double wall = 0, work = 0;  // milliseconds
};

Times now() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto ms = [](const timeval& time) {
    return 1e3 * static_cast<double>(time.tv_sec) + 1e-3 * static_cast<double>(time.tv_usec);
  };
  const auto wall = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch());
  return {wall.count(), ms(usage.ru_utime) + ms(usage.ru_stime)};
}

class Stage {
 public:
  template <class Work>
  void operator()(const Work& work) {
    const Times before = now();
    work();
    const Times after = now();
    wall_ += after.wall - before.wall;
    work_ += after.work - before.work;
  }
  std::string text(int frames) const { return fmt::format("{:6.2f} ({:5.2f})", wall_ / frames, work_ / frames); }
  double wall() const { return wall_; }

 private:
  double wall_ = 0, work_ = 0;
};

void measure(const std::string& what, int frames, int width, int height) {
  const std::size_t colon = what.find(':'), second = what.find(':', colon == what.npos ? colon : colon + 1);
  const Description& description = simulationById(what.substr(0, colon));
  std::string preset = colon == what.npos ? "" : what.substr(colon + 1, second - colon - 1);
  if (preset.empty()) preset = description.presets.front().key;
  const Preset& info = description.presetInfo(preset);
  render::FigureOptions options;
  options.width = width;
  options.height = height;
  options.view = second == what.npos ? info.view : what.substr(second + 1);
  options.camera = info.camera;
  const ParameterSet parameters = description.preset(preset);

  const compute::DevicePtr device = compute::Device::open("cpu");
  device->run([&] {
    Stepper stepper(description, device, parameters, 1);
    render::Figure figure;
    exporting::GifOptions gif;
    gif.width = width;
    gif.height = height;
    gif.overwrite = true;
    gif.exact_colours = render::exactColours(description, options);
    const auto target = std::filesystem::temp_directory_path() / fmt::format("frame_bench_{}.gif", ::getpid());
    exporting::Encoder encoder(target, gif);
    std::vector<std::vector<std::uint8_t>> pictures;
    Frame frame;
    Stage step, present, draw, read, encode;
    for (int i = -1; i < frames; ++i) {
      Stage warming;
      const bool counted = i >= 0;
      frame.sequence = static_cast<std::uint64_t>(i + 2);
      (counted ? step : warming)([&] { stepper.step(info.steps_per_frame); });
      (counted ? present : warming)([&] { stepper.present(frame); });
      (counted ? draw : warming)([&] {
        figure.draw(description, frame.parameters, frame, options);
        glFinish();
      });
      (counted ? read : warming)([&] {
        std::vector<std::uint8_t> picture = figure.read();
        if (counted) pictures.push_back(std::move(picture));
      });
    }
    encode([&] {
      for (auto& picture : pictures) encoder.add(std::move(picture));
      encoder.finish();
    });
    std::filesystem::remove(target);
    fmt::print("{:36} {}   {}   {}   {}   {}\n", what, step.text(frames), present.text(frames), draw.text(frames),
               read.text(frames), encode.text(frames));
  });
}

}  // namespace

int main(int argc, char** argv) {
  int frames = 40, width = 960, height = 540, next = 1;
  if (next < argc && std::isdigit(*argv[next])) frames = std::atoi(argv[next++]);
  if (next < argc && std::isdigit(*argv[next])) std::sscanf(argv[next++], "%dx%d", &width, &height);
  std::vector<std::string> all(argv + next, argv + argc);
  if (all.empty()) {
    all = {"tunneling", "heat", "heat:random_insulated", "nbody", "diffraction", "schrodinger2d"};
  }
  const render::HeadlessContext context;
  fmt::print("{} frames of {}x{}, {}\nmilliseconds a frame, in brackets of processor time\n", frames, width, height,
             render::glInfo().renderer);
  fmt::print("{:36} {:14}   {:14}   {:14}   {:14}   {:14}\n", "", "steps", "arrays", "drawing", "reading", "GIF");
  for (const std::string& each : all) measure(each, frames, width, height);
}
