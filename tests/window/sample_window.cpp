// The window around the sample simulation: sample_window [--view KEY] [--preset KEY] --state-file FILE.
#include <cstdio>
#include <exception>
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
  return simscope::gui::run(options);
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
