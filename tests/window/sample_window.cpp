// The window around the sample simulation: sample_window [--view KEY] [--preset KEY] [--fail FILE]
// [--monitor-scale FILE] --state-file FILE.
// Once the file of --fail is there, the main loop meets an error. When a number stands in that of --monitor-scale, the
// window has come to a monitor of that scale: GLFW's callback is called as its Wayland and macOS sides do, for under
// X11 all monitors have one.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "app/gui/gui.h"
#include "tests/window/sample_simulation.h"

namespace {

// Of the file, where it says another scale than the last time.
void followMonitor(const std::string& file, float& last) {
  float scale = 0;
  if (!(std::ifstream(file) >> scale) || scale == last) return;
  last = scale;
  GLFWwindow* const window = glfwGetCurrentContext();
  const GLFWwindowcontentscalefun told = glfwSetWindowContentScaleCallback(window, nullptr);
  glfwSetWindowContentScaleCallback(window, told);
  if (told) told(window, scale, scale);
}

}  // namespace

int main(int argc, char** argv) try {
  std::map<std::string, std::string> given{{"--preset", "usual"}};
  for (int i = 1; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  simscope::gui::Options options;
  options.scene = simscope::Scene::fromPreset(simscope::gui::sampleSimulation(), given["--preset"]);
  if (!given["--view"].empty()) options.scene.figure.view = given["--view"];
  options.device = "cpu";
  options.state_file = given["--state-file"];
  if (const std::string& file = given["--fail"]; !file.empty()) {
    options.stop = [&file] {
      if (std::filesystem::exists(file)) throw simscope::Error("the window's loop fails");
      return false;
    };
  }
  float monitor_scale = 0;
  if (const std::string& file = given["--monitor-scale"]; !file.empty()) {
    options.turn = [&](const auto&, const auto&) { followMonitor(file, monitor_scale); };
  }
  return simscope::gui::run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
