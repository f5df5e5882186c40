// What the command of an experiment asks for, as a scene. Any thread.
#pragma once

#include <string>
#include <vector>

#include "app/explanation/page.h"
#include "app/scene/scene.h"

namespace simscope {

// The words of a command, as a shell would take them: quotes keep spaces.
std::vector<std::string> commandWords(const std::string& command);

// `simscope gui ID [--preset KEY] [--set KEY=VALUE …] [--view KEY]`: the scene that this opens. UsageError, with what
// is wrong, for any other command, and where the simulation knows no such preset, parameter, value, or view.
Scene sceneOf(const Experiment& experiment, const Description& description);

}  // namespace simscope
