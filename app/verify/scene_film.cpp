#include "app/verify/scene_film.h"

#include <algorithm>
#include <utility>

#include "app/export/gif/solid_colours.h"
#include "app/render/figure/exact_colours.h"

namespace simscope::verify {

SceneFilm::SceneFilm(const Scene& scene, const compute::DevicePtr& device, bool as_gif, std::function<void()> between)
    : scene_(scene), between_(std::move(between)), stepper_(begin(scene_, device, std::nullopt, between_)) {
  if (as_gif) exact_ = render::exactColours(*scene_.description, scene_.figure);
}

bool SceneFilm::next(int from) {
  const int last = scene_.first_frame + scene_.frames - 1;
  do {
    if (number_ >= last) return false;
    if (number_ < 0) {
      stepToFirst(stepper_, scene_, between_);
    } else {
      stepWatched(
          stepper_, scene_.steps_per_frame, [this](int n) { stepper_.step(n); }, between_);
    }
    ++number_;
  } while (number_ < std::max(from, scene_.first_frame));
  between_();
  frame_.sequence = static_cast<std::uint64_t>(number_) + 1;
  const render::FigureOptions look = scene_.figureAt(stepper_.simulation().steps());
  frame_.wanted = render::neededChannels(*scene_.description, look);
  stepper_.present(frame_);
  figure_.draw(*scene_.description, frame_.parameters, frame_, look);
  picture_ = figure_.read();
  if (exact_) mapToPalette();
  return true;
}

void SceneFilm::mapToPalette() {
  if (!palette_) {
    palette_.emplace(exporting::paletteColours(picture_.data(), scene_.figure.width, scene_.figure.height, *exact_));
    dither_.emplace(*palette_);
  }
  std::vector<std::uint8_t> drawn = picture_;
  indices_.resize(picture_.size() / 3);
  exporting::Dither::Known known;
  if (!former_.empty()) known = {former_.data(), former_indices_.data()};
  dither_->map(drawn.data(), scene_.figure.width, scene_.figure.height, indices_.data(), known);
  const auto table =
      exporting::ownTable(*palette_, drawn.data(), scene_.figure.width, scene_.figure.height, indices_.data());
  const auto& colours = table ? table->colours : palette_->colours();
  const std::uint8_t* const indices = table ? table->indices.data() : indices_.data();
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    const std::uint32_t colour = colours[indices[i]];
    picture_[3 * i] = static_cast<std::uint8_t>(colour >> 16);
    picture_[3 * i + 1] = static_cast<std::uint8_t>(colour >> 8);
    picture_[3 * i + 2] = static_cast<std::uint8_t>(colour);
  }
  former_ = std::move(drawn);
  std::swap(former_indices_, indices_);
}

}  // namespace simscope::verify
