// doctor: checks what this computer has and what is missing.
#include "app/cli/doctor_command.h"

#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/process/interrupt.h"
#include "app/cli/report.h"
#include "app/doctor/doctor.h"
#include "sims/foreign/words.h"

namespace simscope::cli {

bool doctor(bool as_json, const std::string& version) {
  doctor::Options options;
  options.version = version;
  options.told = [&](const doctor::Line& line) {
    throwIfStopped();
    if (!as_json) print(foreign::harmless(doctor::text(line)));
  };
  const std::vector<doctor::Line> lines = doctor::examined(options);
  if (as_json) print(pretty(doctor::json(lines)));
  return doctor::healthy(lines);
}

}  // namespace simscope::cli
