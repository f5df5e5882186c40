// What a file that is dropped on the window may be for. Plain functions; any thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "sims/core/parameters.h"

namespace simscope {

// By its name: PNG, JPEG, BMP, TGA, GIF, PSD, HDR, or one of Netpbm's.
bool isPicture(const std::filesystem::path& file);
// Whether simscope has put a scene into it: a picture with one, or a snapshot.
bool carriesScene(const std::filesystem::path& file);

// What takes a dropped file: a text, and the choice that makes it matter where there is one.
struct Taker {
  std::size_t text = 0;
  std::optional<std::size_t> choice = {};
  std::string chosen = {};  // the choice's value
};
// The first parameter that takes an image file, and the first choice that has "image" among its names; or a table, and
// "file".
std::optional<Taker> imageTaker(const ParameterSet& parameters);
std::optional<Taker> tableTaker(const ParameterSet& parameters);

}  // namespace simscope
