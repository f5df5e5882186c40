// gui, show: the window with a simulation, or with an array that another program computes.
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/gui/gui.h"
#include "app/live/receiver.h"
#include "app/session/live_follower.h"
#include "app/session/stored/settings.h"
#include "app/session/stored/state_folder.h"
#include "sims/core/registry.h"

namespace simscope::cli {

namespace {

constexpr std::int64_t kLargestDescriptor = 1 << 20;

struct WindowRequest : SceneRequest {
  Look look;
  bool play = false;
  std::string state_file;
  bool start_times = false;  // prints the window's start times to standard output and closes it
};

struct ShowRequest {
  int socket = 0;
  Look look;
  std::string state_file;
};

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

// Error without a display; `otherwise` ends the message: what is possible without one.
void requireDisplay(const std::string& otherwise) {
  if (hasDisplay()) return;
  throw Error("there is no display for the window (neither DISPLAY nor WAYLAND_DISPLAY is set). " + otherwise);
}

// What both commands give the window, which then runs until it is closed.
void runWindow(gui::Options& options, const std::string& state_file, const Program& program) {
  options.device = program.device.spec;
  options.threads = program.device.threads;
  options.state_file = state_file;
  options.stop = stopRequested;
  gui::run(options);
  if (const int number = stopSignal()) throw Interrupted(number, "closed by a signal");
}

void window(const WindowRequest& request, Program& program) {
  const Patient guard;
  gui::Options options;
  SceneRequest what = request;
  options.gallery = what.what.empty() && !what.preset && what.set.empty() && !what.seed && !request.play;
  const Settings settings = SettingsFile(stateFolder()).read();
  if (what.what.empty()) what.what = openedLast(settings);
  options.scene = sceneOf(what, options.notes, &options.state);
  if (looksLikeFile(what.what)) {
    options.file = what.what;
  } else {
    options.scene.figure.theme = settings.theme;  // unless --theme says another
  }
  applyLook(request.look, options.scene);
  const std::string& id = options.scene.description->id;
  requireDisplay("Without a display, simscope render " + id + " --out " + id +
                 ".gif makes the animation, and simscope run " + id + " --steps 1000 computes the numbers.");
  options.play = request.play;
  if (request.start_times) {
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
  runWindow(options, request.state_file, program);
}

// This process owns the socket from now on.
void show(const ShowRequest& request, Program& program) {
  const Patient guard;
  requireOneDevice(program.device.spec, "simscope show");
  requireDisplay("Showing an array needs a display.");
  live::Receiver receiver(request.socket);
  LiveFollower follower(receiver);
  gui::Options options;
  options.scene = Scene::fromPreset(follower.description(), "");
  options.scene.figure.theme = SettingsFile(stateFolder()).read().theme;
  applyLook(request.look, options.scene);
  options.play = true;
  options.follow = [&](Session& session) { follower.follow(session); };
  runWindow(options, request.state_file, program);
}

}  // namespace

void addGui(Program& program) {
  auto [options, request] = program.add("gui", "Opens the window", window);
  options.word("SIM", request.what, "A simulation (simscope list), a scene file, or a snapshot");
  options.scene(request);
  options.device();
  options.look(request.look);
  options.flag("--play", request.play, "Starts playing");
  options.hidden("--state-file", request.state_file);    // for tests of the window
  options.hidden("--start-times", request.start_times);  // for bench --start
}

void addShow(Program& program) {
  auto [options, request] = program.add("show", "Shows an array that another program computes, live", show);
  options
      .value("--socket", "N", request.socket, whole<int>(3, kLargestDescriptor),
             "Descriptor of the socket that announces the arrays")
      ->required();
  options.device();
  options.look("--theme", request.look, "dark, light, slides, or print [as last used in the window]");
  options.hidden("--state-file", request.state_file);
  options.app.footer(
      R"(simscope.show(array) in Python opens the socket and starts this command. The socket has no name, so no other
program can connect to it. The arrays are in shared memory.)");
}

}  // namespace simscope::cli
