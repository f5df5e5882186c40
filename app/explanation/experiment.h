// The scene of an experiment's command. Any thread.
#pragma once

#include <string>
#include <vector>

#include "app/explanation/page.h"
#include "app/scene/scene.h"

namespace simscope {

// The words of a command, split like a shell does: quotes keep spaces.
std::vector<std::string> commandWords(const std::string& command);

// `simscope gui ID [--preset KEY] [--set KEY=VALUE …] [--view KEY]`: the scene that this opens. UsageError, with the
// fault, for any other command, and if the simulation has no such preset, parameter, value, or view.
Scene sceneOf(const Experiment& experiment, const Description& description);

}  // namespace simscope
