#include "app/sweep/outputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "app/export/distinct.h"
#include "app/export/png.h"
#include "app/render/figure/exact_colours.h"
#include "app/sweep/multiples.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope::sweep {

struct Outputs::File {
  std::filesystem::path path;
  OutputKind kind = OutputKind::Csv;
  std::optional<exporting::CsvFile> table;
  std::optional<exporting::PendingFile> pending;  // of arrays and pictures
  std::unique_ptr<exporting::Encoder> film;

  exporting::PendingFile* file() { return table ? &table->file() : pending ? &*pending : nullptr; }
};

namespace {

OutputKind kindOfSweep(const std::filesystem::path& file) {
  std::string why;
  try {
    const OutputKind kind = outputKind(file, false);
    if (kind == OutputKind::Csv || kind == OutputKind::Npy || kind == OutputKind::Picture || kind == OutputKind::Gif) {
      return kind;
    }
  } catch (const UsageError&) {
    // An unknown ending gets the same message as one that a sweep does not write.
  }
  throw UsageError(
      fmt::format("{}: a sweep is written as .csv or .npy (its table), .png (a picture), or .gif (the "
                  "runs' figures over time)",
                  foreign::quotedFile(file)));
}

exporting::GifOptions filmOptions(const Plan& plan, bool overwrite) {
  const Scene& scene = plan.scene;
  exporting::GifOptions options;
  options.width = scene.figure.width;
  options.height = scene.figure.height;
  options.fps = scene.fps;
  options.overwrite = overwrite;
  options.expected_frames = filmFrames(plan);
  options.loop = scene.loop;
  options.exact_colours = render::exactColours(*scene.description, scene.figure);
  return options;
}

}  // namespace

std::int64_t filmFrames(const Plan& plan) {
  const std::int64_t each = plan.scene.steps_per_frame;
  return 1 + (plan.steps + each - 1) / each;
}

Outputs::Outputs(const Plan& plan, OutputOptions options) : plan_(plan), figures_(options.figures) {
  std::vector<OutputKind> kinds;
  std::vector<exporting::NamedFile> named;
  for (const auto& file : options.files) {
    kinds.push_back(kindOfSweep(file));
    named.push_back({"", file});
  }
  exporting::requireDistinct(named);
  const auto has = [&](OutputKind kind) { return std::find(kinds.begin(), kinds.end(), kind) != kinds.end(); };
  if (has(OutputKind::Gif) || (figures_ && has(OutputKind::Picture))) {
    tilesFor(plan, plan.scene.figure.width, plan.scene.figure.height);
  }
  if (!figures_ && has(OutputKind::Picture)) checkPicture(plan);
  if (figures_ && !has(OutputKind::Picture) && !has(OutputKind::Gif)) {
    throw UsageError("figures need a .png or .gif file: name one");
  }
  const std::vector<exporting::CsvColumn> columns = columnsOf(plan);
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    auto file = std::make_unique<File>();
    file->path = options.files[i];
    file->kind = kinds[i];
    if (kinds[i] == OutputKind::Gif) {
      file->film = std::make_unique<exporting::Encoder>(file->path, filmOptions(plan, options.overwrite));
      animations_.push_back(std::move(file));
      continue;
    }
    if (kinds[i] == OutputKind::Csv) {
      file->table.emplace(file->path, columns, options.overwrite);
    } else {
      file->pending.emplace(file->path, options.overwrite);
    }
    files_.push_back(std::move(file));
  }
}

Outputs::~Outputs() = default;

bool Outputs::wantsFigures() const noexcept {
  const auto is = [](const auto& file) { return file->kind == OutputKind::Picture; };
  return wantsAnimation() || (figures_ && std::any_of(files_.begin(), files_.end(), is));
}

bool Outputs::wantsPicture() const noexcept {
  const auto is = [](const auto& file) { return file->kind == OutputKind::Picture; };
  return !figures_ && std::any_of(files_.begin(), files_.end(), is);
}

void Outputs::addFrame(const std::vector<std::uint8_t>& rgb) {
  for (const auto& each : animations_) each->film->add(rgb);
  last_frame_ = rgb;
  ++frames_;
}

void Outputs::setPicture(const std::vector<std::uint8_t>& rgb) {
  picture_ = rgb;
}

void Outputs::finish(const Result& result) {
  const render::FigureOptions& figure = plan_.scene.figure;
  for (const auto& each : files_) {
    switch (each->kind) {
      case OutputKind::Csv:
        writeRows(plan_, result, *each->table);
        break;
      case OutputKind::Npy:
        writeArray(plan_, result, *each->pending);
        break;
      default:
        exporting::writePng(*each->pending, figure.width, figure.height, figures_ ? last_frame_ : picture_, "");
        each->pending->complete();
    }
  }
  for (const auto& each : animations_) each->film->complete();
  placeTogether();
}

void Outputs::placeTogether() {
  std::vector<exporting::Placement> all;
  for (const auto& each : animations_) {
    const auto some = each->film->placements();
    all.insert(all.end(), some.begin(), some.end());
  }
  for (const auto& each : files_) {
    if (const auto one = each->file()->placement()) all.push_back(*one);
  }
  exporting::placeAll(all);
  for (const auto& each : animations_) each->film->placed();
  for (const auto& each : files_) each->file()->placed();
}

std::vector<std::string> Outputs::summary() const {
  std::vector<std::string> lines;
  const auto runs = static_cast<std::int64_t>(plan_.runs());
  const std::string size = fmt::format("{}x{}", plan_.scene.figure.width, plan_.scene.figure.height);
  for (const auto& each : files_) {
    const std::string what =
        each->kind == OutputKind::Csv   ? counted(runs, "row")
        : each->kind == OutputKind::Npy ? fmt::format("an array of {}", counted(runs, "run"))
        : figures_                      ? fmt::format("{}, {}", counted(runs, "figure"), size)
                   : fmt::format("{}, {}", plan_.axes.size() == 1 ? "the curve" : "the phase diagram", size);
    lines.push_back(fmt::format("{}: {}", each->path.string(), what));
  }
  for (const auto& each : animations_) {
    lines.push_back(
        fmt::format("{}: {} of {}, {}", each->path.string(), counted(frames_, "frame"), counted(runs, "figure"), size));
  }
  return lines;
}

}  // namespace simscope::sweep
