#include "sims/image/shared_image.h"

#include <span>
#include <string>

#include "sims/compute/error.h"
#include "sims/compute/ranks/ranks.h"

namespace simscope::image {

GreyImage readSharedImage(const compute::Device& device, const std::filesystem::path& file) {
  compute::Ranks* const ranks = device.ranks();
  if (!ranks) return readGreyImage(file);
  GreyImage picture;
  std::string fault;
  if (ranks->first()) {
    try {
      picture = readGreyImage(file);
    } catch (const UsageError& error) {
      fault = error.what();
    }
  }
  ranks->broadcast(fault);
  if (!fault.empty()) throw UsageError(fault);
  int extent[2] = {picture.width, picture.height};
  ranks->broadcast(std::as_writable_bytes(std::span(extent)));
  picture.width = extent[0], picture.height = extent[1];
  picture.values.resize(static_cast<std::size_t>(extent[0]) * static_cast<std::size_t>(extent[1]));
  ranks->broadcast(std::as_writable_bytes(std::span(picture.values)));
  return picture;
}

}  // namespace simscope::image
