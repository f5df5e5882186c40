// What a file dropped on the window can be used for. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "sims/core/parameters.h"

namespace simscope {

// By its name: PNG, JPEG, BMP, TGA, GIF, PSD, HDR, or a Netpbm format.
bool isPicture(const std::filesystem::path& file);
// Whether the file contains a scene: a picture written by simscope, or a snapshot.
bool carriesScene(const std::filesystem::path& file);

// The text parameter that takes a dropped file, and the choice that makes it matter, if there is one.
struct Taker {
  std::size_t text = 0;
  std::optional<std::size_t> choice = {};
  std::string chosen = {};  // the choice's value
};
// The first parameter that takes an image file, with the first choice that has the value "image"; or the one that takes
// a table, with "file".
std::optional<Taker> imageTaker(const ParameterSet& parameters);
std::optional<Taker> tableTaker(const ParameterSet& parameters);

}  // namespace simscope
