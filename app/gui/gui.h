// The window: the live figure with simulations, parameters, transport, time plots, and the recorder around it.
//
// Thread: run() owns GLFW, the OpenGL context, and Dear ImGui; call it on the main thread, one at a time. The
// simulation runs on the Runner's own thread, the encoding on the Encoder's.
// Errors: simscope::Error where no display or no OpenGL 4.5 answers (the message names what works without one).
// What fails later (a bad value, no memory, a full disk) is shown in the window, and the run goes on.
#pragma once

#include <functional>
#include <string>

#include "app/gui/window/start_meter.h"
#include "app/session/session_options.h"

namespace simscope {
class Session;
}

namespace simscope::gui {

struct Ui;

struct Options : SessionOptions {
  std::string state_file = {};  // for tests: what the window shows, as JSON, renewed up to twenty times a second
  bool gallery = false;         // opens on the gallery, the scene behind it
  // Where it is given, the window closes once it has moved, and this gets the times (bench).
  std::function<void(const StartTimes&)> started = {};
  // Called in each turn of the loop: for what feeds the run from outside (session/live_follower.h).
  std::function<void(Session&)> follow = {};
  // For tests in this process: called in each turn of the loop, between two pictures, with the context current; knows
  // where the controls of the last picture lie (Ui::probes).
  std::function<void(Session&, const Ui&)> turn = {};
  std::function<bool()> stop = {};  // asked a few times a second; true closes the window (a signal came)
};

// Opens the window and returns when it is closed: the exit status, 0.
// The environment variable SIMSCOPE_SCALE (0.5 to 4) overrides the monitor's content scale and the
// one that was chosen last, SIMSCOPE_STATE_DIR the folder of what is remembered (settings, recent scenes, the last
// session).
int run(const Options& options);

}  // namespace simscope::gui
