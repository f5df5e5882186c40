// Whether a window could be opened on the display that the environment names: a hidden one is, and closed again.
// Thread: the main one, in a process whose window is not open. Errors: none.
#pragma once

#include <string>

namespace simscope::doctor {

struct TriedDisplay {
  bool works = false;
  std::string found;  // the renderer, or why not
};
TriedDisplay triedDisplay();

}  // namespace simscope::doctor
