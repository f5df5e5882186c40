// Where the program keeps what it remembers from one run to the next. Any thread.
#pragma once

#include <filesystem>

namespace simscope {

// $SIMSCOPE_STATE_DIR, else $XDG_STATE_HOME/simscope, else ~/.local/state/simscope; made where it is missing. Empty
// where there is none to be had: nothing is remembered then.
std::filesystem::path stateFolder();

}  // namespace simscope
