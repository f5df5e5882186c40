#include "app/export/reading/film_reader.h"

#include <fmt/format.h>

#include <cstring>
#include <string>
#include <utility>

#include "app/export/film_formats.h"
#include "app/export/png.h"
#include "app/export/reading/byte_source.h"
#include "app/export/reading/file_kind.h"
#include "sims/compute/error.h"
#include "sims/foreign/words.h"

namespace simscope::exporting {
namespace {

// Adds the file's name to errors.
template <class Work>
auto named(const std::filesystem::path& file, const Work& work) {
  try {
    return work();
  } catch (const CutShort&) {
    throw UsageError(fmt::format("{}: it is truncated", foreign::quotedFile(file)));
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", foreign::quotedFile(file), error.what()));
  }
}

class NamedFilm final : public FilmReader {
 public:
  NamedFilm(std::filesystem::path file, std::unique_ptr<FilmReader> film)
      : file_(std::move(file)), film_(std::move(film)) {
    format_ = film_->format();
    width_ = film_->width();
    height_ = film_->height();
    pictures_ = film_->pictures();
    loop_ = film_->loop();
  }
  bool next() override {
    return named(file_, [&] {
      const bool more = film_->next();
      seconds_ = film_->seconds();
      return more;
    });
  }
  const std::vector<std::uint8_t>& rgb() const noexcept override { return film_->rgb(); }

 private:
  std::filesystem::path file_;
  std::unique_ptr<FilmReader> film_;
};

}  // namespace

void FilmReader::setSize(std::uint32_t width, std::uint32_t height) {
  if (width < 1 || height < 1 || width > kLargestSide || height > kLargestSide) {
    throw UsageError(fmt::format("the picture has {}x{} pixels; allowed are 1x1 to {}x{}", width, height, kLargestSide,
                                 kLargestSide));
  }
  width_ = static_cast<int>(width);
  height_ = static_cast<int>(height);
}

void FilmReader::requireWithin(const Rectangle& frame) const {
  const bool within = frame.width >= 1 && frame.height >= 1 && frame.left >= 0 && frame.top >= 0 &&
                      frame.left <= width_ - frame.width && frame.top <= height_ - frame.height;
  if (!within) throw UsageError("a frame lies outside the picture");
}

void FilmReader::prepareCanvas() {
  canvas_.resize(3 * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_));
}

void FilmReader::clear(const Rectangle& frame) {
  for (int y = frame.top; y < frame.top + frame.height; ++y) {
    std::memset(pixel(frame.left, y), 0, 3 * static_cast<std::size_t>(frame.width));
  }
}

std::unique_ptr<FilmReader> openFilm(const std::filesystem::path& file) {
  auto film = named(file, [&] {
    std::string front(kFrontBytes, '\0');
    front.resize(foreign::File(file).read(front.data(), front.size()));
    if (front.starts_with("GIF8")) return openGifFilm(file);
    if (front.starts_with(kPngSignature)) return openPngFilm(file);
    const char* const what = fileKind(front).what;
    throw UsageError(*what ? fmt::format("it is {}, neither a GIF nor a PNG", what) : "it is neither a GIF nor a PNG");
  });
  return std::make_unique<NamedFilm>(file, std::move(film));
}

}  // namespace simscope::exporting
