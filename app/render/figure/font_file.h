// Whether a font can be had from a file: Dear ImGui ends the program where it cannot open one that is there.
//
// Errors: Error where this program may open no more files; a file that cannot be read for another reason is none.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string>

#include "sims/compute/error.h"

namespace simscope::render {

inline bool fontReadable(const std::string& file) {
  const int descriptor = file.empty() ? -1 : ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor >= 0) {
    ::close(descriptor);
    return true;
  }
  if (!file.empty() && (errno == EMFILE || errno == ENFILE)) {
    throw Error("'" + file + "' cannot be opened: too many files are open. Raise the limit: ulimit -n 256");
  }
  return false;
}

}  // namespace simscope::render
