#include "app/recording/outputs.h"
#include "app/render/figure/exact_colours.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <map>
#include <system_error>
#include <utility>

#include "app/export/csv.h"
#include "app/export/files.h"
#include "app/export/gif_plan.h"
#include "app/export/npy.h"
#include "app/render/figure/theme.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

namespace fs = std::filesystem;
using exporting::Encoder;
using exporting::PendingFile;

constexpr std::size_t kRoomForDigits = 8;  // of a number of frames that is not known yet
constexpr const char* kArrayType = std::endian::native == std::endian::little ? "<f4" : ">f4";

// The array that a view shows, by its key; of several linked ones the main one's.
std::string channelOf(const Description& description, const std::string& view) {
  return channelsOf(*description.panelsOf(description.view(view)).front().view).front();
}

fs::path sceneFileOf(fs::path video) {
  return video.replace_extension(".simscope.json");
}

// Every file that will be written, the scenes beside videos, too.
void requireDifferent(const OutputRequest& request) {
  std::map<fs::path, fs::path> seen;  // and what it is for
  const auto add = [&](const fs::path& file, const fs::path& film) {
    std::error_code failed;
    const fs::path whole = fs::weakly_canonical(fs::absolute(file, failed), failed);
    const auto [former, fresh] = seen.emplace(failed ? file.lexically_normal() : whole, film);
    if (fresh) return;
    if (file == film) {
      throw UsageError(fmt::format("{} is named twice; give each file a name of its own", foreign::quotedFile(file)));
    }
    throw UsageError(fmt::format("the scenes of '{}' and '{}' would both be '{}'; name the videos differently",
                                 former->second.string(), film.string(), file.string()));
  };
  for (const fs::path& file : request.files) add(file, file);
  if (!request.scene_file) return;
  for (const fs::path& file : request.files) {
    if (isVideo(outputKind(file, request.numbered))) add(sceneFileOf(file), file);
  }
}

exporting::VideoFormat videoFormat(OutputKind kind) {
  switch (kind) {
    case OutputKind::Webm:
      return exporting::VideoFormat::Webm;
    case OutputKind::Webp:
      return exporting::VideoFormat::Webp;
    case OutputKind::Mkv:
      return exporting::VideoFormat::Mkv;
    default:
      return exporting::VideoFormat::Mp4;
  }
}

std::string sizeText(const fs::path& file) {
  std::error_code failed;
  const std::uintmax_t bytes = fs::file_size(file, failed);
  return failed ? "" : ", " + exporting::byteText(bytes);
}

// Without the last dimensions that say nothing: a curve has no rows, a scalar no components.
std::vector<std::size_t> shapeOf(const Channel& channel) {
  std::vector<std::size_t> shape;
  if (channel.height > 1) shape.push_back(static_cast<std::size_t>(channel.height));
  shape.push_back(static_cast<std::size_t>(channel.width));
  if (channel.components > 1) shape.push_back(static_cast<std::size_t>(channel.components));
  return shape;
}

std::string shapeText(std::span<const std::size_t> shape) {
  std::string text;
  for (const std::size_t each : shape) text += fmt::format("{}{}", text.empty() ? "" : " x ", each);
  return text;
}

}  // namespace

exporting::GifOptions gifOptions(const Scene& scene, bool overwrite) {
  exporting::GifOptions options;
  options.width = scene.figure.width;
  options.height = scene.figure.height;
  options.fps = scene.fps;
  options.scene = toJson(scene);
  options.overwrite = overwrite;
  options.expected_frames = scene.frames;
  options.loop = scene.loop;
  options.exact_colours = render::exactColours(*scene.description, scene.figure);
  options.max_bytes = scene.max_bytes;
  return options;
}

struct OutputFiles::Film {
  fs::path file;
  OutputKind kind;
  Encoder encoder;
  std::optional<PendingFile> scene_file;
};

struct OutputFiles::Single {
  fs::path file;
  int frame;
  PendingFile pending;
  std::vector<std::uint8_t> rgb = {};
};

struct OutputFiles::Table {
  fs::path file;
  exporting::CsvFile csv;
  std::size_t columns;
};

struct OutputFiles::Array {
  fs::path file;
  std::optional<PendingFile> pending;          // until the first frame comes, or of one frame
  std::optional<exporting::NpyFile> npy = {};  // from the first frame on, which tells the shape
  std::vector<std::size_t> shape = {};         // of an item
  std::vector<float> single = {};
};

OutputFiles::OutputFiles(Scene scene, OutputRequest request)
    : scene_(std::move(scene)), request_(std::move(request)), channel_(request_.channel) {
  if (request_.files.empty()) throw UsageError("no file to write: name one");
  requireDifferent(request_);
  const Description& description = *scene_.description;
  const std::vector<std::string> channels = description.drawnChannels();
  if (channel_.empty()) {
    channel_ = channelOf(description, scene_.figure.view);
  } else if (std::find(channels.begin(), channels.end(), channel_) == channels.end()) {
    const std::string close = closestName(channel_, channels);
    throw UsageError(fmt::format("{} shows no channel {}{}: {}", description.id, foreign::quoted(channel_),
                                 close.empty() ? "" : "; did you mean '" + close + "'?", fmt::join(channels, ", ")));
  }
  for (const fs::path& file : request_.files) add(file);
}

OutputFiles::~OutputFiles() = default;

void OutputFiles::add(const fs::path& file) {
  const OutputKind kind = outputKind(file, request_.numbered);
  const int end = request_.open_ended ? std::numeric_limits<int>::max() : scene_.first_frame + scene_.frames - 1;
  const int picked = request_.frame.value_or(end);
  switch (kind) {
    case OutputKind::Picture:
      singles_.push_back(std::make_unique<Single>(Single{file, picked, PendingFile(file, request_.overwrite)}));
      last_frame_ = std::max(last_frame_, picked);
      return;
    case OutputKind::Npy:
      arrays_.push_back(std::make_unique<Array>(Array{file, PendingFile(file, request_.overwrite)}));
      last_frame_ = std::max(last_frame_, picked);
      return;
    case OutputKind::Csv: {
      std::vector<exporting::CsvColumn> columns{{"step", ""}, {"time", ""}};
      for (const DiagnosticInfo& each : scene_.description->diagnostics) columns.push_back({each.key, each.unit});
      tables_.push_back(
          std::make_unique<Table>(Table{file, exporting::CsvFile(file, columns, request_.overwrite), columns.size()}));
      break;
    }
    default:
      addFilm(file, kind);
  }
  last_frame_ = std::max(last_frame_, end);
}

void OutputFiles::addFilm(const fs::path& file, OutputKind kind) {
  exporting::GifOptions gif = gifOptions(scene_, request_.overwrite);
  if (request_.open_ended) {
    gif.expected_frames = 0;
    gif.scene.append(kRoomForDigits, ' ');
  }
  exporting::EncoderOptions options = gif;
  if (kind == OutputKind::Pictures) {
    exporting::SequenceOptions sequence;
    static_cast<exporting::PictureOptions&>(sequence) = gif;
    options = std::move(sequence);
  } else if (isVideo(kind)) {
    exporting::VideoOptions video;
    static_cast<exporting::PictureOptions&>(video) = gif;
    video.format = videoFormat(kind);
    video.loop = gif.loop;
    options = std::move(video);
  }
  std::optional<PendingFile> scene_file;
  if (request_.scene_file && isVideo(kind)) scene_file.emplace(sceneFileOf(file), request_.overwrite);
  films_.emplace_back(new Film{file, kind, Encoder(file, std::move(options)), std::move(scene_file)});
}

bool OutputFiles::wantsPicture(int frame) const noexcept {
  return (!films_.empty() && recorded(frame)) ||
         std::any_of(singles_.begin(), singles_.end(), [&](const auto& each) { return each->frame == frame; });
}

bool OutputFiles::wantsArray(int frame) const noexcept {
  return !arrays_.empty() && (request_.frame ? *request_.frame == frame : recorded(frame));
}

bool OutputFiles::hasRoom() const {
  return std::all_of(films_.begin(), films_.end(), [](const auto& each) { return each->encoder.hasRoom(); });
}

void OutputFiles::picture(int frame, std::vector<std::uint8_t> rgb) {
  for (const auto& each : singles_) {
    if (each->frame == frame) each->rgb = rgb;
  }
  if (!recorded(frame)) return;
  for (std::size_t i = 0; i < films_.size(); ++i) {
    films_[i]->encoder.add(i + 1 < films_.size() ? rgb : std::move(rgb));
  }
}

void OutputFiles::array(int frame, const Frame& data) {
  const Channel* channel = data.find(channel_);
  if (!channel) throw Error(fmt::format("frame {} has no channel '{}' to save", frame, channel_));
  std::vector<float> values = channel->data.toHost();
  const std::vector<std::size_t> shape = shapeOf(*channel);
  for (const auto& each : arrays_) {
    if (request_.frame) {
      each->shape = shape;
      each->single = values;
      continue;
    }
    if (!each->npy) {
      const auto items = request_.open_ended ? std::nullopt : std::optional<std::int64_t>(scene_.frames);
      each->shape = shape;
      each->npy.emplace(std::move(*each->pending), kArrayType, shape, items);
      each->pending.reset();
    } else if (each->shape != shape) {
      throw Error(fmt::format("'{}' cannot go on at frame {}: channel '{}' has changed its shape from {} to {}",
                              each->file.string(), frame, channel_, shapeText(each->shape), shapeText(shape)));
    }
    each->npy->add(std::as_bytes(std::span(values)));
  }
  if (tables_.empty()) ++rows_;
}

void OutputFiles::row(std::int64_t steps, double time, std::span<const double> diagnostics) {
  std::vector<double> values{static_cast<double>(steps), time};
  values.insert(values.end(), diagnostics.begin(), diagnostics.end());
  for (const auto& each : tables_) each->csv.row(values);
  ++rows_;
}

// The scene whose last frame is this one.
Scene OutputFiles::sceneEndingAt(int frame) const {
  Scene scene = scene_;
  scene.first_frame = std::min(scene.first_frame, frame);
  scene.frames = frame - scene.first_frame + 1;
  return scene;
}

void OutputFiles::throwIfCancelled() const {
  if (cancelled_) throw Error("the recording was cancelled");
}

void OutputFiles::finish(int frames) {
  frames_ = frames;
  try {
    complete(frames);
    throwIfCancelled();
    std::vector<exporting::Placement> files;
    for (const auto& each : films_) {
      const auto some = each->encoder.placements();
      files.insert(files.end(), some.begin(), some.end());
    }
    for (const PendingFile* each : pending()) {
      if (const auto one = each->placement()) files.push_back(*one);
    }
    placeAll(files);
  } catch (...) {
    for (const auto& each : films_) each->encoder.discard();
    for (PendingFile* each : pending()) each->discard();
    throw;
  }
  for (const auto& each : films_) each->encoder.placed();
  for (PendingFile* each : pending()) each->placed();
}

// Whatever is no encoder's.
std::vector<PendingFile*> OutputFiles::pending() const {
  std::vector<PendingFile*> all;
  for (const auto& each : singles_) all.push_back(&each->pending);
  for (const auto& each : tables_) all.push_back(&each->csv.file());
  for (const auto& each : arrays_) all.push_back(each->npy ? &each->npy->file() : &*each->pending);
  for (const auto& each : films_) {
    if (each->scene_file) all.push_back(&*each->scene_file);
  }
  return all;
}

// All files under their temporary names.
void OutputFiles::complete(int frames) {
  const bool as_announced = frames == scene_.frames && !request_.open_ended;
  Scene made = scene_;  // progress() reads the other meanwhile
  made.frames = frames;
  const std::string scene = toJson(made);
  for (const auto& each : films_) {
    throwIfCancelled();
    if (!as_announced) each->encoder.replaceScene(scene);
    each->encoder.complete();
  }
  for (const auto& each : singles_) {
    throwIfCancelled();
    if (each->rgb.empty()) throw Error(fmt::format("frame {} was not drawn", each->frame));
    exporting::writePng(each->pending, scene_.figure.width, scene_.figure.height, each->rgb,
                        toJson(sceneEndingAt(each->frame)));
    each->pending.complete();
  }
  for (const auto& each : tables_) each->csv.complete();
  for (const auto& each : arrays_) {
    throwIfCancelled();
    if (each->npy) {
      each->npy->complete();
      each->shape = each->npy->shape();
    } else if (!each->single.empty()) {
      exporting::writeNpy(*each->pending, kArrayType, each->shape, std::as_bytes(std::span(each->single)));
      each->pending->complete();
    } else {
      throw Error(fmt::format("no frame came for {}", foreign::quotedFile(each->file)));
    }
  }
  for (const auto& each : films_) {
    if (!each->scene_file) continue;
    const std::string text = toJson(made, true) + "\n";
    each->scene_file->write(text.data(), text.size());
    each->scene_file->complete();
  }
}

void OutputFiles::cancel() noexcept {
  cancelled_ = true;
  for (const auto& each : films_) each->encoder.cancel();
}

exporting::EncodingProgress OutputFiles::progress() const {
  exporting::EncodingProgress all;
  all.expected = request_.open_ended ? 0 : scene_.frames;
  all.frames = films_.empty() ? rows_ : std::numeric_limits<std::int64_t>::max();
  for (const auto& each : films_) {
    const exporting::EncodingProgress one = each->encoder.progress();
    if (one.frames < all.frames) {
      all.frames = one.frames;
      all.frames_per_second = one.frames_per_second;
    }
    all.bytes += one.bytes;
    all.estimated_bytes += one.estimated_bytes;
    all.seconds_left = std::max(all.seconds_left, one.seconds_left);
  }
  return all;
}

std::vector<std::string> OutputFiles::summary() const {
  std::vector<std::string> lines;
  const std::string size = fmt::format("{}x{}", scene_.figure.width, scene_.figure.height);
  for (const auto& each : films_) {
    const std::string bytes = exporting::byteText(each->encoder.progress().bytes);
    if (each->kind == OutputKind::Pictures) {
      lines.push_back(fmt::format("{}: {}, {}, {}", foreign::shownFile(each->file),
                                  counted(frames_, "numbered picture"), size, bytes));
    } else {
      const double fps = each->kind == OutputKind::Gif ? 100.0 / exporting::gifDelay(scene_.fps) : scene_.fps;
      lines.push_back(fmt::format("{}: {} at {:.4g} a second, {}, {}", foreign::shownFile(each->file),
                                  counted(frames_, "frame"), fps, size, bytes));
    }
    if (each->scene_file) lines.push_back(sceneFileOf(each->file).string() + ": the scene");
  }
  for (const auto& each : singles_) {
    lines.push_back(
        fmt::format("{}: frame {}, {}{}", foreign::shownFile(each->file), each->frame, size, sizeText(each->file)));
  }
  for (const auto& each : tables_) {
    lines.push_back(fmt::format("{}: {}, {}{}", foreign::shownFile(each->file),
                                counted(static_cast<std::int64_t>(rows_), "row"),
                                counted(static_cast<std::int64_t>(each->columns), "column"), sizeText(each->file)));
  }
  for (const auto& each : arrays_) {
    lines.push_back(fmt::format("{}: '{}', {} floats{}", foreign::shownFile(each->file), channel_,
                                shapeText(each->shape), sizeText(each->file)));
  }
  return lines;
}

}  // namespace simscope
