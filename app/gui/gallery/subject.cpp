#include "app/gui/gallery/subject.h"

#include <fmt/format.h>

#include "app/scene/snapshot.h"

namespace simscope::gallery {

namespace {

constexpr double kShareOfRun = 0.4;

}  // namespace

std::string Subject::key() const {
  if (isFile()) return file.string();
  return description ? description->id + "/" + preset : std::string();
}

Resolved resolve(const Subject& subject) {
  Resolved resolved;
  if (!subject.isFile()) {
    resolved.scene = Scene::fromPreset(*subject.description, subject.preset);
    return resolved;
  }
  if (isSnapshotName(subject.file)) {
    Snapshot snapshot = readSnapshot(subject.file);
    resolved.scene = std::move(snapshot.scene);
    resolved.state = std::move(snapshot.state);
  } else {
    resolved.scene = readScene(subject.file);
  }
  std::error_code unknown;
  const auto written = std::filesystem::last_write_time(subject.file, unknown).time_since_epoch().count();
  resolved.version = fmt::format("{} {} {}", subject.file.string(), std::filesystem::file_size(subject.file, unknown),
                                 static_cast<long long>(written));
  return resolved;
}

std::int64_t tellingStep(const Scene& scene) {
  const double frames = kShareOfRun * scene.frames;
  return scene.beginsAt() + static_cast<std::int64_t>(frames) * scene.steps_per_frame;
}

}  // namespace simscope::gallery
