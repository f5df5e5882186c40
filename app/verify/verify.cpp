#include "app/verify/verify.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <system_error>
#include <utility>

#include "app/export/embedded.h"
#include "app/export/formats.h"
#include "app/export/reading/film_reader.h"
#include "app/render/gl/gl_context.h"
#include "app/verify/difference_file.h"
#include "app/verify/scene_film.h"
#include "sims/compute/host_info.h"
#include "sims/core/words.h"
#include "sims/foreign/bounds.h"
#include "sims/foreign/words.h"

namespace simscope::verify {
namespace {

using exporting::FilmReader;

// How many frames ahead a picture is searched if the file has fewer pictures than the scene has frames.
constexpr std::size_t kLookAhead = 8;

// A scene must not read files that its author chose: an empty name reads nothing.
void forbidFiles(Scene& scene) {
  const auto infos = scene.parameters.infos();
  for (std::size_t i = 0; i < infos.size(); ++i) {
    const TextUse use = infos[i].text_use;
    if (infos[i].kind != Kind::Text || (use != TextUse::ImageFile && use != TextUse::DataFile)) continue;
    const std::string name = toText(scene.parameters[i]);
    if (name.empty()) continue;
    if (scene.parameters.matters(i)) {
      throw UsageError(fmt::format(
          "its scene reads another file, {} ({}), but verify reads only the given file. If you trust both files, "
          "make it again with simscope render",
          foreign::quoted(name), infos[i].key));
    }
    scene.parameters.set(i, std::string());
  }
}

std::string secondsTold(double seconds) {
  return fmt::format("{:.6g} s", seconds);
}

class Check {
 public:
  Check(const std::filesystem::path& file, const compute::DevicePtr& device, const Options& options)
      : file_(file), device_(device), options_(options), film_(exporting::openFilm(file)) {
    report_.scene = sceneIn(file, &report_.ignored);
    report_.format = film_->format() == FilmReader::Format::Gif   ? "GIF"
                     : film_->format() == FilmReader::Format::Png ? "PNG"
                                                                  : "APNG";
    report_.width = film_->width();
    report_.height = film_->height();
    report_.pictures = film_->pictures();
    report_.tolerance = options_.tolerance;
    report_.device = device->info().name;
  }

  Report run() {
    const Scene& scene = report_.scene;
    const bool same_size = report_.width == scene.figure.width && report_.height == scene.figure.height;
    if (!same_size) {
      report_.others.push_back(fmt::format("its pictures have {}x{} pixels, its scene has {}x{}", report_.width,
                                           report_.height, scene.figure.width, scene.figure.height));
    } else {
      requireMemory();
      if (!options_.out.empty()) {
        marked_.emplace(options_.out, report_.width, report_.height, scene.fps, options_.overwrite);
      }
      device_->run([this] {
        const render::HeadlessContext context;
        film_->format() == FilmReader::Format::Png ? comparePicture() : compareFilm();
      });
      if (marked_ && marked_->complete()) report_.marked = options_.out;
    }
    const bool different = !report_.others.empty() || !report_.missing.empty() || report_.beyond();
    report_.verdict = different ? Verdict::Different : report_.pixels() > 0 ? Verdict::Within : Verdict::Identical;
    return std::move(report_);
  }

 private:
  struct Made {
    int number;
    std::vector<std::uint8_t> rgb;
  };

  // Before it is taken. Supersampling multiplies what the picture is drawn into, four bytes a pixel.
  void requireMemory() {
    constexpr std::uint64_t kRead = 4 + 3, kCompared = 3, kPalette = 5, kMarked = 8;
    const render::FigureOptions& figure = report_.scene.figure;
    const auto fine =
        static_cast<std::uint64_t>(figure.supersampling) * static_cast<std::uint64_t>(figure.supersampling);
    const bool gif = film_->format() == FilmReader::Format::Gif, still = film_->format() == FilmReader::Format::Png;
    const std::uint64_t each = film_->bytesPerPixel() + 4 * fine + kRead + (gif ? kPalette : 0) +
                               (still ? 0 : kCompared) + (options_.out.empty() ? 0 : kMarked);
    const std::uint64_t pixels = static_cast<std::uint64_t>(report_.width) * static_cast<std::uint64_t>(report_.height);
    const std::uint64_t most = std::min<std::uint64_t>(foreign::kMostMemory, compute::hostMemory().available);
    const auto gigabytes = [](std::uint64_t bytes) { return static_cast<double>(bytes) / 1e9; };
    if (pixels * each > most) {
      throw UsageError(fmt::format(
          "{}: checking pictures of {}x{} pixels takes {:.3g} GB of memory; {:.3g} GB may be taken here, at "
          "most {} GiB",
          foreign::quotedFile(file_), report_.width, report_.height, gigabytes(pixels * each), gigabytes(most),
          foreign::kMostMemory >> 30));
    }
    more_ = static_cast<std::size_t>(std::min<std::uint64_t>((most / pixels - each) / kCompared, kLookAhead));
  }

  SceneFilm made() const {
    return SceneFilm(report_.scene, device_, film_->format() == FilmReader::Format::Gif, options_.between);
  }
  Comparison compareWith(const std::vector<std::uint8_t>& expected, std::vector<Mark>* marks = nullptr) const {
    return compare(expected, film_->rgb(), report_.width, report_.height, options_.tolerance, marks);
  }
  void note(int frame, const std::vector<std::uint8_t>& expected) {
    std::vector<Mark> marks;
    const Comparison result = compareWith(expected, marked_ ? &marks : nullptr);
    if (result.pixels() > 0) report_.differences.push_back({frame, result});
    if (marked_) marked_->add(expected, marks, result);
    ++report_.compared;
  }

  // A PNG shows its scene's last frame; one of numbered pictures, any of them.
  void comparePicture() {
    const Scene& scene = report_.scene;
    if (!film_->next()) return report_.others.push_back("it has no picture");
    const int last = scene.first_frame + scene.frames - 1;
    SceneFilm film = made();
    if (!film.next(last)) return;
    std::vector<std::uint8_t> nearest = film.take();
    Comparison least = compareWith(nearest);
    int frame = last;
    if (least.beyond > 0 && scene.frames > 1 && more_ == kLookAhead) {
      SceneFilm all = made();
      while (least.pixels() > 0 && all.next() && all.number() < last) {
        progress(all.number() - scene.first_frame + 1, scene.frames);
        const Comparison now = compareWith(all.rgb());
        if (std::pair(now.beyond, now.within) >= std::pair(least.beyond, least.within)) continue;
        least = now;
        frame = all.number();
        nearest = all.rgb();
      }
    }
    // A picture that is closest to the last frame is the last frame, altered.
    if (frame != last) report_.of_numbered = frame;
    const std::string ending = file_.extension().string();
    if (scene.frames > 1 && (ending == ".apng" || ending == ".gif")) {
      report_.others.push_back(fmt::format(
          "it is a still picture, its scene is a film of {} frames: another program converted it", scene.frames));
    }
    note(frame, nearest);
  }

  void compareFilm() {
    const Scene& scene = report_.scene;
    SceneFilm source = made();
    std::deque<Made> ahead;  // made, and not compared
    const auto makeAnother = [&] {
      if (!source.next()) return false;
      ahead.push_back({source.number(), source.rgb()});
      return true;
    };
    std::int64_t to_miss = std::max<std::int64_t>(scene.frames - report_.pictures, 0);
    checkTimes();
    while (film_->next()) {
      checkDelay();
      if (ahead.empty() && !makeAnother()) break;
      if (to_miss > 0 && compareWith(ahead.front().rgb).beyond > 0) {
        const std::size_t most =
            static_cast<std::size_t>(std::min<std::int64_t>(to_miss, static_cast<std::int64_t>(more_)));
        std::size_t found = 0;
        for (std::size_t i = 1; i <= most && found == 0; ++i) {
          if (i >= ahead.size() && !makeAnother()) break;
          if (compareWith(ahead[i].rgb).beyond == 0) found = i;
        }
        for (; found > 0; --found, --to_miss) {
          report_.missing.push_back(ahead.front().number);
          ahead.pop_front();
        }
      }
      note(ahead.front().number, ahead.front().rgb);
      ahead.pop_front();
      progress(report_.compared, report_.pictures);
    }
    if (wrong_delays_ > 0) {
      report_.others.push_back(fmt::format("{} {} not shown for {}, the time in the scene: picture {} is shown for {}",
                                           counted(wrong_delays_, "picture"), wrong_delays_ == 1 ? "is" : "are",
                                           secondsTold(delay_), wrong_at_, secondsTold(wrong_delay_)));
    }
  }

  void checkTimes() {
    const Scene& scene = report_.scene;
    if (report_.pictures != scene.frames) {
      report_.others.push_back(fmt::format("it has {}, its scene has {}{}", counted(report_.pictures, "picture"),
                                           counted(scene.frames, "frame"),
                                           report_.pictures == 1 ? ": the film became a still picture" : ""));
    }
    if (film_->loop().value_or(1) != scene.loop) {
      const auto told = [](int loop) { return loop == 0 ? std::string("for ever") : counted(loop, "time"); };
      report_.others.push_back(
          fmt::format("it plays {}, its scene plays {}", told(film_->loop().value_or(1)), told(scene.loop)));
    }
    if (film_->format() == FilmReader::Format::Gif) {
      delay_ = exporting::gifDelay(scene.fps) / 100.0;
    } else {
      const exporting::ApngDelay delay = exporting::apngDelay(scene.fps);
      delay_ = static_cast<double>(delay.numerator) / delay.denominator;
    }
  }

  void checkDelay() {
    const std::int64_t number = looked_++;
    if (film_->seconds() == delay_) return;
    if (wrong_delays_++ > 0) return;
    wrong_at_ = number;
    wrong_delay_ = film_->seconds();
  }

  void progress(std::int64_t done, std::int64_t all) const {
    if (options_.done) options_.done(done, all);
  }

  const std::filesystem::path file_;
  const compute::DevicePtr device_;
  const Options& options_;
  std::unique_ptr<FilmReader> film_;
  Report report_;
  std::optional<DifferenceFile> marked_;
  std::size_t more_ = 0;  // pictures for which there is memory, up to kLookAhead
  double delay_ = 0, wrong_delay_ = 0;
  std::int64_t looked_ = 0, wrong_delays_ = 0, wrong_at_ = 0;
};

}  // namespace

std::int64_t Report::pixels() const {
  std::int64_t sum = 0;
  for (const FrameDifference& each : differences) sum += each.comparison.pixels();
  return sum;
}

bool Report::beyond() const {
  return std::any_of(differences.begin(), differences.end(),
                     [](const FrameDifference& each) { return each.comparison.beyond > 0; });
}

Scene sceneIn(const std::filesystem::path& file, std::vector<std::string>* ignored) {
  const std::string text = exporting::readEmbeddedScene(file);
  try {
    Scene scene = sceneFromJson(text, ignored);
    forbidFiles(scene);
    return scene;
  } catch (const UsageError& error) {
    throw UsageError(fmt::format("{}: {}", foreign::quotedFile(file), error.what()));
  }
}

Report verified(const std::filesystem::path& file, const compute::DevicePtr& device, const Options& options) {
  std::error_code failed;
  if (!options.out.empty() && std::filesystem::equivalent(file, options.out, failed)) {
    throw UsageError(
        fmt::format("the differences cannot overwrite {}, the file that is read", foreign::quotedFile(file)));
  }
  return Check(file, device, options).run();
}

}  // namespace simscope::verify
