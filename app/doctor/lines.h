// The lines of the doctor, one function each. Thread and errors: as doctor.h, but these do not throw if something is
// missing.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "app/doctor/doctor.h"
#include "sims/compute/toolkit.h"

namespace simscope::doctor {

// lines_machine.cpp
Line programLine(const std::string& version);
Line processorLine();
Line driverLine(const std::filesystem::path& version_file);  // NVIDIA's driver, from the file of its kernel module
Line toolkitLine();
// The toolkit's libraries that some simulations need on a GPU. `libraries`: compute::toolkitLibraries(), of a toolkit
// of this version; not empty.
Line librariesLine(const std::vector<compute::ToolkitLibrary>& libraries, int toolkit);
Line devicesLine();
Line choiceLine();  // SIMSCOPE_DEVICE

// lines_drawing.cpp
Line eglLine();
Line openGlLine();
Line displayLine();
// Draws a frame of a simulation whose picture shows its step, computed on the device, and reads it back.
Line drawingLine(const std::string& device);
Line fontLine(std::span<const unsigned char> file, const std::string& face);

// lines_files.cpp
Line ffmpegLine();
Line mpiLine();
Line folderLine(const std::string& key, const std::string& title, const std::filesystem::path& folder,
                const std::string& cure, std::uint64_t least_free);
Line variablesLine();

inline constexpr std::uint64_t kLeastFree = 200'000'000;  // bytes: a film or a snapshot fits

}  // namespace simscope::doctor
