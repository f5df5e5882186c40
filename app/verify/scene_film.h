// The pictures of a scene's recording, made one after the other: those that `simscope render` would write into a GIF
// (including its colours), an APNG, or a PNG. Nothing is written.
//
// Thread: one, inside the device's run(), with an OpenGL context current. Errors: as the stepper and the figure, and
// exceptions of `between`, which is called every few steps.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "app/export/gif/dither.h"
#include "app/export/gif/palette.h"
#include "app/recording/scene_run.h"
#include "app/render/figure/figure.h"
#include "app/scene/scene.h"
#include "sims/core/frame.h"

namespace simscope::verify {

class SceneFilm {
 public:
  SceneFilm(const Scene& scene, const compute::DevicePtr& device, bool as_gif, std::function<void()> between);

  // Makes the next frame; false after the last. Frames before `from`, counted from the start of the run, are computed
  // but not drawn.
  bool next(int from = 0);
  int number() const noexcept { return number_; }  // of the frame, counted from the start of the run
  const std::vector<std::uint8_t>& rgb() const noexcept { return picture_; }
  std::vector<std::uint8_t> take() noexcept { return std::move(picture_); }  // of the last picture

 private:
  void mapToPalette();

  const Scene scene_;
  const std::function<void()> between_;
  Stepper stepper_;
  render::Figure figure_;
  Frame frame_;
  int number_ = -1;
  std::vector<std::uint8_t> picture_;
  // For a GIF: the picture's colours there, and the previous picture, from which the next one differs little.
  std::optional<std::vector<std::uint32_t>> exact_;  // none: not for a GIF
  std::optional<exporting::Palette> palette_;        // of the first picture
  std::optional<exporting::Dither> dither_;
  std::vector<std::uint8_t> former_, former_indices_, indices_;
};

}  // namespace simscope::verify
