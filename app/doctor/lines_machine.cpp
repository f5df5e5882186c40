// Program, processor, driver, toolkit, devices.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "app/doctor/lines.h"
#include "sims/compute/device.h"
#include "sims/compute/host_info.h"
#include "sims/compute/toolkit.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::doctor {
namespace {

constexpr bool kHasCuda = SIMSCOPE_HAVE_CUDA;
const char* const kInstallDriver =
    "with an NVIDIA card: install its driver (on Debian nvidia-driver and libnvidia-egl-wayland1), so that nvidia-smi "
    "lists the card; without an NVIDIA card: nothing to do";

// The driver's kernel module: "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.54.15  Tue ...". Empty: none.
std::string moduleVersion(const std::filesystem::path& file) {
  std::ifstream stream(file);
  std::string word;
  for (int i = 0; i < 64 && stream >> word; ++i) {
    if (word.find('.') != std::string::npos && word.find_first_not_of("0123456789.") == std::string::npos) return word;
  }
  return {};
}

}  // namespace

Line programLine(const std::string& version) {
  return {"program", "simscope", Health::Ok,
          fmt::format("{}{}", version.empty() ? "" : version + ", ", kHasCuda ? "for CPU and CUDA" : "for the CPU")};
}

Line processorLine() {
  const compute::HostMemory memory = compute::hostMemory();
  Line line{
      "processor", "Processor", Health::Ok,
      fmt::format("{}, {}, {} of {} free", compute::processorName(), counted(compute::usableCores(), "core"),
                  bytesText(static_cast<double>(memory.available)), bytesText(static_cast<double>(memory.total)))};
  constexpr std::size_t kLeast = 500'000'000;
  if (memory.available < kLeast) {
    line.health = Health::Wrong;
    line.cure = "close other programs: large runs will be refused";
  }
  return line;
}

Line driverLine(const std::filesystem::path& version_file) {
  const std::string module = moduleVersion(version_file);
  const int newest = compute::toolkit().driver;
  if (module.empty() && newest == 0) return {"driver", "NVIDIA driver", Health::Missing, "none", kInstallDriver};
  std::string found = module.empty() ? "installed" : module;
  if (newest > 0) found += ", runs CUDA up to " + compute::versionText(newest);
  return {"driver", "NVIDIA driver", Health::Ok, found};
}

Line toolkitLine() {
  Line line{"toolkit", "CUDA toolkit", Health::Ok, ""};
  const compute::Toolkit found = compute::toolkit();
  if (found.built == 0) {
    line.health = Health::Missing;
    line.found = "simscope was built without the toolkit";
    line.cure = "for an NVIDIA card: install NVIDIA's CUDA toolkit and build again (./dev build)";
    return line;
  }
  line.found = compute::versionText(found.built) + ", built in";
  if (found.driver > 0 && found.driver / 1000 < found.built / 1000) {
    line.health = Health::Wrong;
    line.found += ", newer than the driver's " + compute::versionText(found.driver);
    line.cure = "install a newer driver, or build with an older toolkit";
  }
  return line;
}

Line librariesLine(const std::vector<compute::ToolkitLibrary>& libraries, int toolkit) {
  Line line{"libraries", "CUDA libraries", Health::Ok, ""};
  std::string packages;
  for (const compute::ToolkitLibrary& each : libraries) {
    line.found += fmt::format("{}{}{}", line.found.empty() ? "" : "; ", each.title,
                              each.found ? "" : fmt::format(" is not installed ({})", each.file));
    if (each.found) continue;
    line.health = Health::Missing;
    packages += fmt::format(" {}-{}-{}", each.file.substr(0, each.file.find('.')), toolkit / 1000, toolkit % 1000 / 10);
  }
  if (line.health == Health::Missing) {
    line.cure = fmt::format(
        "with an NVIDIA card: install NVIDIA's CUDA toolkit {}, or only its packages{}; until then runs "
        "that need them use the CPU",
        compute::versionText(toolkit), packages);
  }
  return line;
}

Line devicesLine() {
  Line line{"devices", "Devices", Health::Ok, ""};
  for (const compute::DeviceInfo& each : compute::Device::available()) {
    line.found +=
        fmt::format("{}{} ({}, {}{}{})", line.found.empty() ? "" : "; ", each.id, each.name,
                    bytesText(static_cast<double>(each.memory)), each.detail.empty() ? "" : ", ", each.detail);
  }
  const std::string why = compute::Device::whyNoCuda();
  if (why.empty()) return line;
  line.found += "; no CUDA device: " + why;
  const char* const visible = std::getenv("CUDA_VISIBLE_DEVICES");
  if (visible && (!*visible || std::string(visible) == "-1")) {
    // The user has hidden all GPUs, perhaps by mistake.
    line.health = Health::Wrong;
    line.cure =
        "CUDA_VISIBLE_DEVICES is set and hides every GPU: unset it, or set it to the numbers of the GPUs to use";
  } else {
    line.health = Health::Missing;
    line.cure = kHasCuda ? kInstallDriver : "as for the CUDA toolkit; until then everything runs on the CPU";
  }
  return line;
}

Line choiceLine() {
  const char* const chosen = std::getenv("SIMSCOPE_DEVICE");
  Line line{"device", "Chosen device", Health::Ok, ""};
  const std::string spec = chosen && *chosen ? chosen : "auto";
  try {
    const compute::DevicePtr device = compute::Device::open(spec, 0);
    line.found = fmt::format("{}: {}{}", foreign::shown(spec), device->info().name,
                             chosen && *chosen ? ", chosen by SIMSCOPE_DEVICE" : "");
  } catch (const std::exception& error) {
    line.health = Health::Wrong;
    line.found = fmt::format("{} cannot be used: {}", foreign::shown(spec), foreign::harmless(error.what()));
    line.cure = "unset SIMSCOPE_DEVICE, or set it to one of the devices above";
  }
  return line;
}

}  // namespace simscope::doctor
