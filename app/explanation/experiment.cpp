#include "app/explanation/experiment.h"

#include "sims/compute/error.h"

namespace simscope {

std::vector<std::string> commandWords(const std::string& command) {
  std::vector<std::string> words;
  bool within = false;
  char quote = 0;
  for (const char c : command) {
    if (c == quote) {
      quote = 0;
    } else if (quote == 0 && (c == '"' || c == '\'')) {
      quote = c;
      if (!within) words.emplace_back();
      within = true;
    } else if (quote == 0 && c == ' ') {
      within = false;
    } else {
      if (!within) words.emplace_back();
      within = true;
      words.back() += c;
    }
  }
  return words;
}

Scene sceneOf(const Experiment& experiment, const Description& description) {
  const std::vector<std::string> words = commandWords(experiment.command);
  const auto refuse = [&](const std::string& why) {
    throw UsageError("experiment '" + experiment.title + "' of " + description.id + ": " + why);
  };
  if (words.size() < 3 || words[0] != "simscope" || words[1] != "gui" || words[2] != description.id) {
    refuse("its command must begin with: simscope gui " + description.id);
  }
  if (words.size() % 2 == 0) refuse("an option of its command has no value");
  std::string preset = description.presets.empty() ? std::string() : description.presets.front().key, view;
  std::vector<std::string> changes;
  for (std::size_t i = 3; i + 1 < words.size(); i += 2) {
    if (words[i] == "--preset") {
      preset = words[i + 1];
    } else if (words[i] == "--view") {
      view = words[i + 1];
    } else if (words[i] == "--set") {
      changes.push_back(words[i + 1]);
    } else {
      refuse("the option " + words[i] + " is not one of --preset, --set, and --view");
    }
  }
  Scene scene = Scene::fromPreset(description, preset);
  for (const std::string& change : changes) {
    const std::size_t equals = change.find('=');
    if (equals == std::string::npos) refuse("--set " + change + " has no '='");
    const std::string key = change.substr(0, equals);
    scene.parameters.setText(key, change.substr(equals + 1));
    // A value that is given takes the place of keyframes, as on the command line.
    std::erase_if(scene.timeline.tracks, [&](const Track& track) { return track.key == key; });
  }
  if (!view.empty()) scene.figure.view = description.view(view).key;
  return scene;
}

}  // namespace simscope
