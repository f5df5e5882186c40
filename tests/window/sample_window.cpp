// The window around the sample simulation: sample_window [--view KEY] [--preset KEY] [--fail FILE] --state-file FILE.
// Once the file is there, the main loop meets an error.
#include <cstdio>
#include <exception>
#include <filesystem>
#include <map>
#include <string>

#include "app/gui/gui.h"
#include "tests/window/sample_simulation.h"

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
  return simscope::gui::run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
