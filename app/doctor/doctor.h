// Checks what this computer has and what is missing: one line for each item, with what is wrong and what to do. A
// missing item is a line, never a failure.
//
// The lines contain: version and backends of the program; names and sizes of processor, memory and GPUs; versions of
// driver, toolkit, EGL, OpenGL, ffmpeg and MPI; the folders that are written to (the home folder as ~) and their free
// space; and the variables SIMSCOPE_*, CUDA_VISIBLE_DEVICES, DISPLAY, WAYLAND_DISPLAY and LIBGL_ALWAYS_SOFTWARE.
// Nothing else. Thread: may take seconds. The display is tried by GLFW, and figures are drawn: the main thread of a
// process that has no window. Errors: exceptions of `told`, and std::bad_alloc.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <vector>

namespace simscope::doctor {

// Missing: simscope works without it, with fewer functions.
enum class Health { Ok, Missing, Wrong };

struct Line {
  std::string key, title;
  Health health = Health::Ok;
  std::string found;  // a clause: what is there, or what is wrong
  std::string cure = {};
};

struct Options {
  std::string version;                                         // of the program; empty: not shown
  std::function<void(const Line&)> told = [](const Line&) {};  // after each
};

std::vector<Line> examined(const Options& options);

bool healthy(std::span<const Line> lines);
const char* healthKey(Health health);  // "ok", "missing", "wrong"
std::string text(const Line& line);    // lines, with a line break at the end
nlohmann::ordered_json json(std::span<const Line> lines);

}  // namespace simscope::doctor
