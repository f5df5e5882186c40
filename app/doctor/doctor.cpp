#include "app/doctor/doctor.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/doctor/lines.h"
#include "app/render/figure/fonts.h"
#include "app/session/stored/state_folder.h"
#include "sims/compute/device.h"

namespace simscope::doctor {

std::vector<Line> examined(const Options& options) {
  std::vector<Line> lines;
  const auto add = [&](Line line) {
    options.told(line);
    lines.push_back(std::move(line));
  };
  add(programLine(options.version));
  add(processorLine());
  add(driverLine("/proc/driver/nvidia/version"));
  add(toolkitLine());
  if (const auto libraries = compute::toolkitLibraries(); !libraries.empty()) {
    add(librariesLine(libraries, compute::toolkit().built));
  }
  add(devicesLine());
  add(choiceLine());
  add(eglLine());
  add(openGlLine());
  add(displayLine());
  for (const compute::DeviceInfo& each : compute::Device::available()) add(drawingLine(each.id));
  add(fontLine(render::fontFile(render::FontFace::Regular), "DejaVu Sans"));
  add(ffmpegLine());
  add(mpiLine());
  const std::filesystem::path state = stateFolder();
  add(folderLine("state_folder", "State folder", state,
                 "set SIMSCOPE_STATE_DIR to a folder that can be written; until then no settings are saved",
                 kLeastFree / 20));
  add(folderLine("cache_folder", "Cache folder", state.empty() ? state : state / "thumbnails",
                 "as for the state folder; until then the gallery draws its pictures at every start", kLeastFree / 20));
  std::error_code failed;
  add(folderLine("current_folder", "Current folder", std::filesystem::current_path(failed),
                 "change to a folder that can be written, or give --out an absolute path", kLeastFree));
  add(variablesLine());
  return lines;
}

bool healthy(std::span<const Line> lines) {
  return std::none_of(lines.begin(), lines.end(), [](const Line& each) { return each.health == Health::Wrong; });
}

const char* healthKey(Health health) {
  switch (health) {
    case Health::Ok:
      return "ok";
    case Health::Missing:
      return "missing";
    default:
      return "wrong";
  }
}

std::string text(const Line& line) {
  std::string out = fmt::format("{:<8} {:<15} {}\n", healthKey(line.health), line.title, line.found);
  if (!line.cure.empty()) out += fmt::format("{:<24} -> {}\n", "", line.cure);
  return out;
}

nlohmann::ordered_json json(std::span<const Line> lines) {
  nlohmann::ordered_json out;
  out["healthy"] = healthy(lines);
  out["lines"] = nlohmann::ordered_json::array();
  for (const Line& each : lines) {
    out["lines"].push_back({{"key", each.key},
                            {"title", each.title},
                            {"health", healthKey(each.health)},
                            {"found", each.found},
                            {"cure", each.cure}});
  }
  return out;
}

}  // namespace simscope::doctor
