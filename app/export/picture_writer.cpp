#include "app/export/picture_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/export/embedded.h"
#include "app/export/files.h"
#include "sims/compute/error.h"

namespace simscope::exporting {

void PictureWriter::begin(const Picture&) {}
void PictureWriter::prepare(Picture&, const Picture*) {}
void PictureWriter::encode(Picture&, const Picture*) {}

void checkPictureOptions(const PictureOptions& options, const char* format, int largest) {
  if (options.width < 1 || options.height < 1 || options.width > largest || options.height > largest) {
    throw UsageError(fmt::format("{} of {}x{} pixels cannot be written: choose 1x1 to {}x{}", format, options.width,
                                 options.height, largest, largest));
  }
  if (!(options.fps > 0) || !std::isfinite(options.fps)) {
    throw UsageError(fmt::format("fps: {} frames per second is not possible: choose a positive number", options.fps));
  }
  checkScene(options.scene);
}

void checkScene(const std::string& scene) {
  if (scene.size() <= kMaximumSceneBytes) return;
  throw UsageError(
      fmt::format("the scene of {} bytes is too large to embed: at most {} bytes", scene.size(), kMaximumSceneBytes));
}

void checkLoop(int loop, const char* format) {
  constexpr int kLargestLoop = 65535;
  if (loop < 0 || loop > kLargestLoop) {
    throw UsageError(fmt::format("{} cannot play {} times: choose 0 (endlessly) to {}", format, loop, kLargestLoop));
  }
}

std::vector<Placement> placementsOf(const PendingFile& file) {
  const auto one = file.placement();
  return one ? std::vector{*one} : std::vector<Placement>();
}

std::uint64_t estimatedBytes(std::uint64_t first_bytes, std::uint64_t bytes, std::int64_t frames,
                             std::int64_t expected) {
  if (frames < 1 || expected < 1) return 0;
  const auto left = static_cast<double>(std::max<std::int64_t>(0, expected - frames));
  const double each = frames > 1 ? static_cast<double>(bytes - first_bytes) / static_cast<double>(frames - 1)
                                 : static_cast<double>(bytes);
  return bytes + static_cast<std::uint64_t>(each * left);
}

}  // namespace simscope::exporting
