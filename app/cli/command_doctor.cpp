// doctor: checks what this computer has and what is missing.
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/command.h"
#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/doctor/doctor.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

namespace {

struct DoctorRequest {
  bool json = false;
};

void examine(const DoctorRequest& request, Program& program) {
  doctor::Options options;
  options.version = program.version;
  options.told = [&](const doctor::Line& line) {
    throwIfStopped();
    if (!request.json) print(foreign::harmless(doctor::text(line)));
  };
  const std::vector<doctor::Line> lines = doctor::examined(options);
  if (request.json) print(pretty(doctor::json(lines)));
  if (!doctor::healthy(lines)) program.status = kFailed;
}

}  // namespace

void addDoctor(Program& program) {
  auto [options, request] = program.add("doctor", "Checks what this computer has and what is missing", examine);
  options.flag("--json", request.json, "As a JSON object, for a report");
  options.app.footer(
      R"(Each line says ok, missing (the rest works without it), or wrong, and then what to do.
Exit status: 0 nothing is wrong; 1 something is wrong.
The report, also with --json, contains: version and backends of simscope; names and sizes of processor, memory and
GPUs; versions of driver, toolkit, EGL, OpenGL, ffmpeg and MPI; the folders that simscope writes to (the home folder
as ~) and their free space; the variables SIMSCOPE_*, CUDA_VISIBLE_DEVICES, DISPLAY, WAYLAND_DISPLAY and
LIBGL_ALWAYS_SOFTWARE. It contains nothing else.)");
}

}  // namespace simscope::cli
