// What a file that is dropped on the window may be for. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>

#include "sims/core/parameters.h"

namespace simscope {

// By its name: PNG, JPEG, BMP, TGA, GIF, PSD, HDR, or one of Netpbm's.
bool isPicture(const std::filesystem::path& file);
// Whether simscope has put a scene into it.
bool carriesScene(const std::filesystem::path& file);

// The first parameter that takes an image file, and the first choice that has "image" among its names.
std::optional<std::size_t> imageParameter(const ParameterSet& parameters);
std::optional<std::size_t> imageChoice(const ParameterSet& parameters);

}  // namespace simscope
