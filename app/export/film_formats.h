// The readers behind openFilm(): each for files that begin as its format does. Errors: UsageError without the file's
// name, which openFilm() adds, as it does to those of next(); CutShort.
#pragma once

#include <filesystem>
#include <memory>

#include "app/export/reading/film_reader.h"

namespace simscope::exporting {

std::unique_ptr<FilmReader> openGifFilm(const std::filesystem::path& file);
std::unique_ptr<FilmReader> openPngFilm(const std::filesystem::path& file);

}  // namespace simscope::exporting
