#include "app/cli/show_command.h"

#include "app/cli/process/division.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/window_command.h"
#include "app/gui/gui.h"
#include "app/live/receiver.h"
#include "app/session/live_follower.h"
#include "app/session/stored/settings.h"
#include "app/session/stored/state_folder.h"

namespace simscope::cli {

namespace {

constexpr std::int64_t kLargestDescriptor = 1 << 20;

}  // namespace

void show(const ShowArguments& arguments) {
  const auto socket = static_cast<int>(readInteger("--socket", *arguments.socket, 3, kLargestDescriptor));
  const DeviceChoice choice = deviceOf(arguments.device, arguments.threads);
  requireOneDevice(choice.spec, "simscope show");
  requireDisplay("Showing an array needs a display.");
  live::Receiver receiver(socket);
  LiveFollower follower(receiver);
  gui::Options options;
  options.scene = Scene::fromPreset(follower.description(), "");
  options.scene.figure.theme = SettingsFile(stateFolder()).read().theme;
  FigureArguments figure;
  figure.theme = arguments.theme;
  applyFigure(figure, options.scene);
  options.device = choice.spec;
  options.threads = choice.threads;
  options.state_file = arguments.state_file;
  options.play = true;
  options.stop = stopRequested;
  options.follow = [&](Session& session) { follower.follow(session); };
  gui::run(options);
  if (const int number = stopSignal()) throw Interrupted(number, "closed by a signal");
}

}  // namespace simscope::cli
