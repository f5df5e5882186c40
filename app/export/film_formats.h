// The readers used by openFilm(): each for files with its format's signature. Errors: UsageError without the file's
// name, which openFilm() adds, also to those of next(); CutShort.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>

#include "app/export/reading/film_reader.h"

namespace simscope::exporting {

std::unique_ptr<FilmReader> openGifFilm(const std::filesystem::path& file);
std::unique_ptr<FilmReader> openPngFilm(const std::filesystem::path& file);

// UsageError for the type of a PNG's chunk that is not four letters: what follows is no chunk.
void requirePngLetters(std::string_view type);

}  // namespace simscope::exporting
