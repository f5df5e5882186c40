// The window: `simscope`, `simscope SCENE`, `simscope gui SIM`.
#include "app/cli/window_command.h"

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/gui/gui.h"
#include "app/session/stored/settings.h"
#include "app/session/stored/state_folder.h"
#include "sims/core/registry.h"

namespace simscope::cli {

namespace {

bool hasDisplay() {
  for (const char* variable : {"DISPLAY", "WAYLAND_DISPLAY"}) {
    if (const char* value = std::getenv(variable); value && *value) return true;
  }
  return false;
}

// The simulation that was open when the program ended last.
std::string openedLast(const Settings& settings) {
  for (const Description* each : simulations()) {
    if (each->id == settings.simulation) return each->id;
  }
  return simulations().front()->id;
}

}  // namespace

void requireDisplay(const std::string& otherwise) {
  if (hasDisplay()) return;
  throw Error("there is no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set). " + otherwise);
}

void window(const WindowArguments& arguments) {
  gui::Options options;
  SceneArguments what = arguments;
  options.gallery = what.what.empty() && !what.preset && what.set.empty() && !what.seed && !arguments.play;
  const Settings settings = SettingsFile(stateFolder()).read();
  if (what.what.empty()) what.what = openedLast(settings);
  options.scene = sceneOf(what, options.notes, &options.state);
  if (looksLikeFile(what.what)) {
    options.file = what.what;
  } else {
    options.scene.figure.theme = settings.theme;  // unless --theme says another
  }
  applyFigure(arguments, options.scene);
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  const std::string& id = options.scene.description->id;
  requireDisplay("Without a display, simscope render " + id + " --out " + id +
                 ".gif makes the animation, and simscope run " + id + " --steps 1000 computes the numbers.");
  options.device = choice.spec;
  options.threads = choice.threads;
  options.state_file = arguments.state_file;
  options.play = arguments.play;
  options.stop = stopRequested;
  if (arguments.start_times) {
    options.started = [](const gui::StartTimes& times) {
      print(Json{{"window_ns", times.window_ns},
                 {"picture_ns", times.picture_ns},
                 {"moving_ns", times.moving_ns},
                 {"renderer", times.renderer},
                 {"software", times.software}}
                .dump() +
            "\n");
    };
  }
  gui::run(options);
  if (const int number = stopSignal()) throw Interrupted(number, "closed by a signal");
}

}  // namespace simscope::cli
