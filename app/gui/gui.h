// The window: the live figure with simulations, parameters, transport, time plots, and the recorder around it.
//
// Thread: run() owns GLFW, the OpenGL context, and Dear ImGui; call it on the main thread, one at a time. The
// simulation runs on the Runner's own thread, the encoding on the Encoder's.
// Errors: simscope::Error if there is no display or no OpenGL 4.5 (the message names what works without one). Later
// errors (an invalid value, no memory, a full disk) are shown in the window, and the run goes on.
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
  std::string state_file = {};  // for tests: the window's content as JSON, renewed up to twenty times a second
  bool gallery = false;         // opens on the gallery, with the scene behind it
  // If set, the window closes after its first motion, and this receives the times (bench).
  std::function<void(const StartTimes&)> started = {};
  // Called in each turn of the loop: for external input to the run (session/live_follower.h).
  std::function<void(Session&)> follow = {};
  // For tests in this process: called in each turn of the loop, between two pictures, with the context current; it has
  // the positions of the last picture's controls (Ui::probes).
  std::function<void(Session&, const Ui&)> turn = {};
  std::function<bool()> stop = {};  // called a few times a second; true closes the window (a signal came)
};

// Opens the window and returns the exit status when it is closed: 0.
// Environment variables: SIMSCOPE_SCALE (0.5 to 4) overrides the monitor's content scale and the user's last choice;
// SIMSCOPE_STATE_DIR overrides the folder of settings, recent scenes, and the last session.
int run(const Options& options);

}  // namespace simscope::gui
