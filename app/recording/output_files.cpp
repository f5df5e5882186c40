#include "app/recording/output_files.h"
#include "app/export/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "app/export/csv.h"
#include "app/export/distinct.h"
#include "app/export/files.h"
#include "app/export/gif/gif_plan.h"
#include "app/recording/array_file.h"
#include "app/render/figure/exact_colours.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

namespace fs = std::filesystem;
using exporting::Encoder;
using exporting::PendingFile;

constexpr std::size_t kRoomForDigits = 8;  // of a number of frames that is not known yet

// Of every file that will be written, the scenes beside videos, too.
void requireDifferentNames(const OutputRequest& request) {
  std::vector<exporting::NamedFile> files;
  for (const fs::path& file : request.files) {
    files.push_back({"", file});
    if (request.scene_file && isVideo(outputKind(file, request.numbered))) files.push_back({"", sceneFileOf(file)});
  }
  exporting::requireDistinct(files);
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

struct OutputFiles::Animation {
  fs::path file;
  OutputKind kind;
  Encoder encoder;
  std::optional<PendingFile> scene_file;
};

struct OutputFiles::Still {
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

OutputFiles::OutputFiles(Scene scene, OutputRequest request)
    : scene_(std::move(scene)), request_(std::move(request)), channel_(savedChannel(scene_, request_.channel)) {
  if (request_.files.empty()) throw UsageError("no file to write was given");
  requireDifferentNames(request_);
  for (const fs::path& file : request_.files) add(file);
}

OutputFiles::~OutputFiles() = default;

void OutputFiles::add(const fs::path& file) {
  const OutputKind kind = outputKind(file, request_.numbered);
  const int end = request_.open_ended ? std::numeric_limits<int>::max() : scene_.first_frame + scene_.frames - 1;
  const int picked = request_.frame.value_or(end);
  switch (kind) {
    case OutputKind::Picture:
      stills_.push_back(std::make_unique<Still>(Still{file, picked, PendingFile(file, request_.overwrite)}));
      last_frame_ = std::max(last_frame_, picked);
      return;
    case OutputKind::Npy:
      arrays_.push_back(
          std::make_unique<ArrayFile>(file, channel_, request_.overwrite,
                                      request_.frame ? ArrayFile::Extent::OneFrame : ArrayFile::Extent::AllFrames,
                                      request_.open_ended ? std::nullopt : std::optional<std::int64_t>(scene_.frames)));
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
      addAnimation(file, kind);
  }
  last_frame_ = std::max(last_frame_, end);
}

void OutputFiles::addAnimation(const fs::path& file, OutputKind kind) {
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
  } else if (kind == OutputKind::Apng) {
    exporting::ApngOptions apng;
    static_cast<exporting::PictureOptions&>(apng) = gif;
    apng.loop = gif.loop;
    options = std::move(apng);
  } else if (isVideo(kind)) {
    exporting::VideoOptions video;
    static_cast<exporting::PictureOptions&>(video) = gif;
    video.format = videoFormat(kind);
    video.loop = gif.loop;
    options = std::move(video);
  }
  std::optional<PendingFile> scene_file;
  if (request_.scene_file && isVideo(kind)) scene_file.emplace(sceneFileOf(file), request_.overwrite);
  animations_.emplace_back(new Animation{file, kind, Encoder(file, std::move(options)), std::move(scene_file)});
}

bool OutputFiles::wantsPicture(int frame) const noexcept {
  return (!animations_.empty() && recorded(frame)) ||
         std::any_of(stills_.begin(), stills_.end(), [&](const auto& each) { return each->frame == frame; });
}

bool OutputFiles::wantsArray(int frame) const noexcept {
  return !arrays_.empty() && (request_.frame ? *request_.frame == frame : recorded(frame));
}

bool OutputFiles::hasRoom() const {
  return std::all_of(animations_.begin(), animations_.end(), [](const auto& each) { return each->encoder.hasRoom(); });
}

void OutputFiles::picture(int frame, std::vector<std::uint8_t> rgb) {
  for (const auto& each : stills_) {
    if (each->frame == frame) each->rgb = rgb;
  }
  if (!recorded(frame)) return;
  for (std::size_t i = 0; i < animations_.size(); ++i) {
    animations_[i]->encoder.add(i + 1 < animations_.size() ? rgb : std::move(rgb));
  }
}

void OutputFiles::array(int frame, const Frame& data) {
  for (const auto& each : arrays_) each->add(frame, data);
  if (tables_.empty()) countRow();
  countBytes();
}

void OutputFiles::row(std::int64_t steps, double time, std::span<const double> diagnostics) {
  std::vector<double> values{static_cast<double>(steps), time};
  values.insert(values.end(), diagnostics.begin(), diagnostics.end());
  for (const auto& each : tables_) each->csv.row(values);
  countRow();
  countBytes();
}

void OutputFiles::countRow() {
  last_row_ = std::chrono::steady_clock::now();
  if (++rows_ == 1) first_row_ = last_row_;
}

void OutputFiles::countBytes() {
  std::uint64_t bytes = 0;
  for (const PendingFile* each : pendingFiles()) bytes += each->bytes();
  other_bytes_ = bytes;
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
    placeAll(placements());
  } catch (...) {
    for (const auto& each : animations_) each->encoder.discard();
    for (PendingFile* each : pendingFiles()) each->discard();
    throw;
  }
  for (const auto& each : animations_) each->encoder.placed();
  for (PendingFile* each : pendingFiles()) each->placed();
}

std::vector<exporting::Placement> OutputFiles::placements() const {
  std::vector<exporting::Placement> all;
  for (const auto& each : animations_) {
    const auto some = each->encoder.placements();
    all.insert(all.end(), some.begin(), some.end());
  }
  for (const PendingFile* each : pendingFiles()) {
    if (const auto one = each->placement()) all.push_back(*one);
  }
  return all;
}

// Whatever is no encoder's.
std::vector<PendingFile*> OutputFiles::pendingFiles() const {
  std::vector<PendingFile*> all;
  for (const auto& each : stills_) all.push_back(&each->pending);
  for (const auto& each : tables_) all.push_back(&each->csv.file());
  for (const auto& each : arrays_) all.push_back(&each->file());
  for (const auto& each : animations_) {
    if (each->scene_file) all.push_back(&*each->scene_file);
  }
  return all;
}

// All files under their temporary names.
void OutputFiles::complete(int frames) {
  const bool as_announced = frames == scene_.frames && !request_.open_ended && !timeline_;
  Scene made = scene_;  // progress() reads the other meanwhile
  made.frames = frames;
  if (timeline_) {
    made.timeline = *timeline_;
    made.view_changes = view_changes_;
  }
  const std::string scene = toJson(made);
  for (const auto& each : animations_) {
    throwIfCancelled();
    if (!as_announced) each->encoder.replaceScene(scene);
    each->encoder.complete();
  }
  for (const auto& each : stills_) {
    throwIfCancelled();
    if (each->rgb.empty()) throw Error(fmt::format("frame {} was not recorded", each->frame));
    exporting::writePng(each->pending, scene_.figure.width, scene_.figure.height, each->rgb,
                        toJson(sceneEndingAt(each->frame)));
    each->pending.complete();
  }
  for (const auto& each : tables_) each->csv.complete();
  for (const auto& each : arrays_) {
    throwIfCancelled();
    each->complete();
  }
  for (const auto& each : animations_) {
    if (!each->scene_file) continue;
    const std::string text = toJson(made, true) + "\n";
    each->scene_file->write(text.data(), text.size());
    each->scene_file->complete();
  }
  countBytes();
}

void OutputFiles::amend(Timeline timeline, std::vector<ViewChange> view_changes) {
  timeline_ = std::move(timeline);
  view_changes_ = std::move(view_changes);
}

void OutputFiles::cancel() noexcept {
  cancelled_ = true;
  for (const auto& each : animations_) each->encoder.cancel();
}

exporting::EncodingProgress OutputFiles::progress() const {
  exporting::EncodingProgress all;
  all.expected = request_.open_ended ? 0 : scene_.frames;
  all.frames = animations_.empty() ? rows_ : std::numeric_limits<std::int64_t>::max();
  for (const auto& each : animations_) {
    const exporting::EncodingProgress one = each->encoder.progress();
    if (one.frames < all.frames) {
      all.frames = one.frames;
      all.frames_per_second = one.frames_per_second;
    }
    all.bytes += one.bytes;
    all.estimated_bytes += one.estimated_bytes;
    all.seconds_left = std::max(all.seconds_left, one.seconds_left);
  }
  const std::uint64_t others = other_bytes_;
  const bool more = rows_ > 0 && all.expected > rows_ && !request_.frame;
  all.bytes += others;
  all.estimated_bytes +=
      more ? others / static_cast<std::uint64_t>(rows_) * static_cast<std::uint64_t>(all.expected) : others;
  const double seconds = std::chrono::duration<double>(last_row_ - first_row_).count();
  if (animations_.empty() && seconds > 0) {
    all.frames_per_second = static_cast<double>(rows_ - 1) / seconds;
    if (more) all.seconds_left = static_cast<double>(all.expected - rows_) / all.frames_per_second;
  }
  return all;
}

std::vector<std::string> OutputFiles::summary() const {
  std::vector<std::string> lines;
  const auto add = [&](const fs::path& file, const std::string& what) {
    lines.push_back(fmt::format("{}: {}", foreign::shownFile(file), what));
  };
  const int width = scene_.figure.width, height = scene_.figure.height;
  const std::string drawn = fmt::format("{}x{}", width, height);
  for (const auto& each : animations_) {
    const bool even = isVideo(each->kind) && exporting::needsEvenSides(videoFormat(each->kind));
    const std::string size = even ? fmt::format("{}x{}", width + width % 2, height + height % 2) : drawn;
    const std::string bytes = exporting::byteText(each->encoder.progress().bytes);
    if (each->kind == OutputKind::Pictures) {
      add(each->file, fmt::format("{}, {}, {}", counted(frames_, "numbered picture"), size, bytes));
    } else {
      const double fps = each->kind == OutputKind::Gif ? 100.0 / exporting::gifDelay(scene_.fps) : scene_.fps;
      add(each->file, fmt::format("{} at {:.4g} fps, {}, {}", counted(frames_, "frame"), fps, size, bytes));
    }
    if (each->scene_file) add(sceneFileOf(each->file), "the scene");
  }
  for (const auto& each : stills_) {
    add(each->file, fmt::format("frame {}, {}{}", each->frame, drawn, sizeText(each->file)));
  }
  for (const auto& each : tables_) {
    add(each->file, fmt::format("{}, {}{}", counted(rows_, "row"),
                                counted(static_cast<std::int64_t>(each->columns), "column"), sizeText(each->file)));
  }
  for (const auto& each : arrays_) {
    const fs::path& file = each->file().target();
    add(file, each->summary() + sizeText(file));
  }
  return lines;
}

}  // namespace simscope
