#include "app/gui/gallery/thumbnail_cache.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cctype>
#include <memory>
#include <system_error>
#include <utility>

#include "app/export/png.h"
#include "app/export/reading/film_reader.h"
#include "sims/compute/error.h"

namespace simscope::gallery {

namespace {

constexpr double kPictureScale = 1.5;  // of lines; from here on, figures of 352 pixels leave out their letters
constexpr double kUsualWidth = 352;

// FNV-1a.
std::uint64_t hashOf(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

// A part of a file's name that is readable and valid on every file system.
std::string plainName(const std::string& text) {
  std::string name;
  for (const char c : text.substr(0, 60)) name += std::isalnum(static_cast<unsigned char>(c)) ? c : '_';
  return name;
}

}  // namespace

render::FigureOptions figureOf(const Scene& scene, const Look& look) {
  render::FigureOptions options = scene.figure;
  options.width = look.width;
  options.height = look.height;
  options.scale = std::clamp(kPictureScale * look.width / kUsualWidth, kSmallestScale, kLargestScale);
  options.theme = look.theme;
  options.supersampling = 1;
  return options;
}

std::string thisBuild() {
  struct stat file {};
  if (stat("/proc/self/exe", &file) != 0) return "unknown";
  return fmt::format("{}-{}.{}", static_cast<long long>(file.st_size), static_cast<long long>(file.st_mtim.tv_sec),
                     static_cast<long long>(file.st_mtim.tv_nsec));
}

ThumbnailCache::ThumbnailCache(std::filesystem::path folder, std::string build)
    : folder_(std::move(folder)), build_(std::move(build)) {
  std::error_code failed;
  if (!folder_.empty()) std::filesystem::create_directories(folder_, failed);
  if (failed) folder_.clear();
}

std::filesystem::path ThumbnailCache::fileOf(const Subject& subject, const Resolved& resolved, const Look& look) const {
  if (folder_.empty()) return {};
  Scene scene = resolved.scene;
  scene.figure = figureOf(scene, look);
  const std::string all = build_ + "\n" + resolved.version + "\n" + toJson(scene);
  const std::string name = subject.isFile() ? subject.file.stem().string() : subject.key();
  return folder_ / fmt::format("{}-{:016x}.png", plainName(name), hashOf(all));
}

std::optional<Picture> ThumbnailCache::read(const std::filesystem::path& file, const Look& look) {
  if (file.empty()) return std::nullopt;
  try {
    const std::unique_ptr<exporting::FilmReader> film = exporting::openFilm(file);
    // Of the size that was asked for, before anything of that size is taken.
    if (film->width() != look.width || film->height() != look.height || !film->next()) return std::nullopt;
    return Picture{look.width, look.height, film->rgb()};
  } catch (const UsageError&) {
    return std::nullopt;  // none yet, or damaged
  }
}

void ThumbnailCache::write(const std::filesystem::path& file, const Picture& picture) const {
  if (file.empty()) return;
  try {
    exporting::writePng(file, picture.width, picture.height, picture.rgb, "", true);
  } catch (const std::exception&) {
    // A full disk: it is drawn again the next time.
  }
}

void ThumbnailCache::prune(std::size_t most) const {
  if (folder_.empty()) return;
  std::vector<std::pair<std::filesystem::file_time_type, std::filesystem::path>> files;
  std::error_code failed;
  for (const auto& each : std::filesystem::directory_iterator(folder_, failed)) {
    if (each.path().extension() != ".png") continue;
    std::error_code gone;
    const auto written = each.last_write_time(gone);
    if (!gone) files.emplace_back(written, each.path());
  }
  if (files.size() <= most) return;
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
  for (std::size_t i = most; i < files.size(); ++i) std::filesystem::remove(files[i].second, failed);
}

}  // namespace simscope::gallery
