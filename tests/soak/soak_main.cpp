// soak_window --minutes M --seed S --folder FOLDER [--hung SECONDS]: the window under random use; needs a display of
// its own.
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <random>
#include <string>

#include "app/gui/gui.h"
#include "sims/core/registry.h"
#include "tests/soak/soak.h"

int main(int argc, char** argv) try {
  std::map<std::string, std::string> given{{"--minutes", "2"}, {"--folder", "."}, {"--hung", "90"}};
  for (int i = 1; i + 1 < argc; i += 2) given[argv[i]] = argv[i + 1];
  simscope::soak::Settings settings;
  settings.minutes = std::stod(given["--minutes"]);
  settings.folder = given["--folder"];
  settings.hung_seconds = std::stod(given["--hung"]);
  settings.seed = given.contains("--seed") ? std::stoull(given["--seed"]) : std::random_device()();
  std::printf("soak: seed %llu\n", static_cast<unsigned long long>(settings.seed));
  std::fflush(stdout);

  simscope::soak::Soak soak(settings);
  simscope::gui::Options options;
  const simscope::Description& first = *simscope::simulations().front();
  options.scene = simscope::Scene::fromPreset(first, first.presets.front().key);
  options.device = "cpu";
  options.play = true;
  options.turn = [&](simscope::Session& session, const simscope::gui::Ui& ui) { soak.turn(session, ui); };
  options.stop = [&] { return soak.over(); };
  simscope::gui::run(options);
  std::printf("soak: %s\n", soak.summary().c_str());
  if (soak.failure().empty() && soak.over()) return 0;
  std::printf("soak: FAILED: %s\n", soak.failure().empty() ? "the window has closed itself" : soak.failure().c_str());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stdout, "soak: FAILED: the window's loop ended: %s\n", error.what());
  return 1;
}
