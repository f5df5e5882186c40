#include "app/recording/array_file.h"
#include "app/export/npy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

#include "sims/compute/error.h"
#include "sims/core/words.h"
#include "sims/foreign/words.h"

namespace simscope {

namespace {

constexpr const char* kArrayType = std::endian::native == std::endian::little ? "<f4" : ">f4";

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

std::string savedChannel(const Scene& scene, const std::string& asked) {
  const Description& description = *scene.description;
  if (asked.empty()) {
    // Of several linked views the main one's.
    return channelsOf(*description.panelsOf(description.view(scene.figure.view)).front().view).front();
  }
  const std::vector<std::string> channels = description.drawnChannels();
  if (std::find(channels.begin(), channels.end(), asked) != channels.end()) return asked;
  throw UsageError(fmt::format("{} has no channel {} to save{} Known: {}", description.id, foreign::quoted(asked),
                               didYouMean(asked, channels, "."), fmt::join(channels, ", ")));
}

ArrayFile::ArrayFile(const std::filesystem::path& file, std::string channel, bool overwrite, Extent extent,
                     std::optional<std::int64_t> frames)
    : channel_(std::move(channel)), extent_(extent), frames_(frames), pending_(std::in_place, file, overwrite) {}

void ArrayFile::add(int frame, const Frame& data) {
  const Channel* channel = data.find(channel_);
  if (!channel) throw Error(fmt::format("frame {} has no channel '{}' to save", frame, channel_));
  const std::vector<float> values = channel->data.toHost();
  const std::vector<std::size_t> shape = shapeOf(*channel);
  if (shape_.empty()) {
    shape_ = shape;
    if (extent_ == Extent::AllFrames) {
      npy_.emplace(std::move(*pending_), kArrayType, shape, frames_);
      pending_.reset();
    } else {
      exporting::writeNpy(*pending_, kArrayType, shape, std::as_bytes(std::span(values)));
    }
  } else if (shape_ != shape) {
    throw Error(fmt::format("cannot write '{}': at frame {} the shape of channel '{}' changes from {} to {}",
                            file().target().string(), frame, channel_, shapeText(shape_), shapeText(shape)));
  }
  if (npy_) npy_->add(std::as_bytes(std::span(values)));
}

void ArrayFile::complete() {
  if (shape_.empty()) throw Error(fmt::format("no frame was recorded for {}", foreign::quotedFile(file().target())));
  if (npy_) {
    npy_->complete();
    shape_ = npy_->shape();
  } else {
    pending_->complete();
  }
}

std::string ArrayFile::summary() const {
  return fmt::format("'{}', {} floats", channel_, shapeText(shape_));
}

}  // namespace simscope
