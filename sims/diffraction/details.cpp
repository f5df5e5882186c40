#include "sims/diffraction/details.h"

#include <algorithm>
#include <cstddef>

namespace simscope::diffraction {

PictureDetails pictureDetails(const image::GreyImage& picture) {
  const auto width = static_cast<std::size_t>(picture.width), height = static_cast<std::size_t>(picture.height);
  double own = 0, beside = 0, below = 0;  // Σ t², Σ t·(the pixel's to the right), Σ t·(the one below)
  for (std::size_t y = 0; y < height; ++y) {
    const float* const row = &picture.values[y * width];
    for (std::size_t x = 0; x < width; ++x) {
      const auto value = static_cast<double>(row[x]);
      own += value * value;
      if (x + 1 < width) beside += value * static_cast<double>(row[x + 1]);
      if (y + 1 < height) below += value * static_cast<double>(row[width + x]);
    }
  }
  const double longer = std::max(picture.width, picture.height);
  if (!(own > 0)) return {0, 0, longer};
  return {1 - beside / own, 1 - below / own, longer};
}

}  // namespace simscope::diffraction
