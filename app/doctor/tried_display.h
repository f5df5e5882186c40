// Tests whether a window can be opened on the environment's display: a hidden one is opened and closed again.
// Thread: the main one, in a process without an open window. Errors: none.
#pragma once

#include <string>

namespace simscope::doctor {

struct TriedDisplay {
  bool works = false;
  std::string found;  // the renderer, or why not
};
TriedDisplay triedDisplay();

}  // namespace simscope::doctor
