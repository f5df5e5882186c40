// EGL, OpenGL, the display, and a drawn frame.
#include <fmt/format.h>

#include <cstdlib>
#include <stdexcept>

#include "app/doctor/lines.h"
#include "app/doctor/step_simulation.h"
#include "app/doctor/tried_display.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/device_several.h"
#include "sims/compute/fault.h"
#include "sims/core/timeline/stepper.h"
#include "sims/foreign/words.h"

namespace simscope::doctor {
namespace {

const char* const kInstallEgl =
    "install libegl1 and libgl1-mesa-dri (software rendering works everywhere), or the full NVIDIA driver with its EGL "
    "library";
const char* const kInstallGl =
    "install a newer driver, or install libgl1-mesa-dri and set LIBGL_ALWAYS_SOFTWARE=1; unset "
    "MESA_GL_VERSION_OVERRIDE";

std::string oneLine(std::string text) {
  for (char& each : text) {
    if (each == '\n') each = ' ';
  }
  return foreign::harmless(text);
}

}  // namespace

Line eglLine() {
  Line line{"egl", "EGL", Health::Ok, ""};
  try {
    const render::EglInfo found = render::eglInfo();
    line.found = fmt::format("{} ({}), by {}", found.version, found.vendor, found.display);
  } catch (const std::exception& error) {
    line = {line.key, line.title, Health::Wrong, oneLine(error.what()), kInstallEgl};
  }
  return line;
}

Line openGlLine() {
  Line line{"opengl", "OpenGL", Health::Ok, ""};
  try {
    const render::HeadlessContext context;
    const render::GlInfo found = render::glInfo();
    line.found = fmt::format("{}, {}{}", found.version, found.renderer,
                             render::glIsSoftware() ? ": drawn by the processor" : "");
  } catch (const std::exception& error) {
    line = {line.key, line.title, Health::Wrong, oneLine(error.what()), kInstallGl};
  }
  return line;
}

Line displayLine() {
  Line line{"display", "Display", Health::Ok, ""};
  const auto set = [](const char* variable) {
    const char* const value = std::getenv(variable);
    return value && *value;
  };
  if (!set("DISPLAY") && !set("WAYLAND_DISPLAY")) {
    return {line.key, line.title, Health::Missing, "neither DISPLAY nor WAYLAND_DISPLAY is set",
            "only the window needs a display; render, run, sweep, and all other commands work without one"};
  }
  const TriedDisplay tried = triedDisplay();
  line.found = oneLine(tried.found);
  if (!tried.works) {
    line.health = Health::Wrong;
    line.cure = "check that DISPLAY names a running display that you may use, and that its driver has OpenGL 4.5";
  }
  return line;
}

Line drawingLine(const std::string& device) {
  constexpr int kFirst = 37, kSecond = 700'000;  // steps, of many bits
  const bool cuda = device != "cpu";
  Line line{"drawing_" + device, cuda ? "Interop, " + device : "Drawing, " + device, Health::Ok, ""};
  try {
    const compute::DevicePtr opened = compute::Device::open(compute::firstOfSeveral(device), 0);
    opened->run([&] {
      const render::HeadlessContext context;
      render::Figure figure;
      Stepper stepper(stepDescription(), opened, stepDescription().defaults(), 1);
      Frame frame;
      std::int64_t shown = 0;
      for (const int steps : {kFirst, kSecond}) {
        stepper.step(steps);
        frame.sequence += 1;
        stepper.present(frame);
        if (steps == kSecond && compute::faultAt(compute::FaultPlace::Picture)) break;
        figure.draw(stepDescription(), frame.parameters, frame, {});
        shown = shownStep(figure);
      }
      if (shown != frame.steps) {
        throw std::runtime_error(fmt::format("the picture of step {} shows step {}", frame.steps, shown));
      }
      const render::TransferReport& transfer = figure.transfer();
      line.found = fmt::format("the picture of step {} is correct; {}", frame.steps, transfer.text);
      if (cuda && transfer.path != render::TransferPath::DeviceToDevice) {
        line.health = Health::Missing;
        line.cure =
            "pictures are copied through the host's memory, which costs time: OpenGL must run on the same GPU (its "
            "driver's EGL library; in the window: the display on that GPU)";
      }
    });
  } catch (const std::exception& error) {
    line.health = Health::Wrong;
    line.found = oneLine(error.what());
    line.cure = cuda ? "see EGL and OpenGL above; --device cpu works without interop; please report this with --json"
                     : "see EGL and OpenGL above; if both are ok, please report this with --json";
  }
  return line;
}

Line fontLine(std::span<const unsigned char> file, const std::string& face) {
  // A TrueType file begins with the version 1.0 of its format.
  const bool whole = file.size() > 10'000 && file[0] == 0 && file[1] == 1 && file[2] == 0 && file[3] == 0;
  if (whole) return {"fonts", "Fonts", Health::Ok, face + ", built in"};
  return {"fonts", "Fonts", Health::Wrong, face + " is not built into the program",
          "install fonts-dejavu-core and build again (./dev build)"};
}

}  // namespace simscope::doctor
