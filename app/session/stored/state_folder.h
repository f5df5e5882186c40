// The folder for what the program keeps from one run to the next. Any thread.
#pragma once

#include <filesystem>

namespace simscope {

// $SIMSCOPE_STATE_DIR, else $XDG_STATE_HOME/simscope, else ~/.local/state/simscope; created if it is missing. Empty if
// none can be created: then nothing is stored.
std::filesystem::path stateFolder();

}  // namespace simscope
