// The runs of a sweep side by side, each with its own figure: small multiples. Over one parameter they are in reading
// order, over two in the places of a phase diagram: the first to the right, the second upwards.
//
// All runs are computed at the same time and advance together, on the CPU by several threads; a run that does not stay
// finite keeps its last picture. Owner: the object owns the runs. Thread: one, with a GL context current when it draws.
// Errors: UsageError if the pictures would be too small, or the runs do not fit into memory together.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/sweep/pool.h"
#include "app/sweep/runner.h"

namespace simscope::sweep {

inline constexpr int kSmallestTileWidth = 180, kSmallestTileHeight = 135;  // pixels, with legible letters

// The arrangement of `runs` pictures within one of this size.
struct Tiles {
  int columns = 1, rows = 1, width = 0, height = 0;  // width and height: of each, pixels
  bool upwards = false;                              // the first row is the lowest

  int left(std::size_t run) const noexcept { return static_cast<int>(run) % columns * width; }
  int top(std::size_t run) const noexcept;
  // The run at a pixel, of `runs`; nothing if there is none.
  std::optional<std::size_t> runAt(double x, double y, std::size_t runs) const noexcept;
};
Tiles tilesFor(const Plan& plan, int width, int height);
// The smallest size, at least this one, in which they fit, with this width if possible.
struct Room {
  int width = 0, height = 0;
};
Room roomFor(const Plan& plan, int width, int height);

class Multiples {
 public:
  // `between` as in makeRuns.
  Multiples(const Plan& plan, compute::DevicePtr device, const render::FigureOptions& look, const Between& between);
  ~Multiples();
  Multiples(const Multiples&) = delete;
  Multiples& operator=(const Multiples&) = delete;

  void step(std::int64_t n, const Between& between);
  // RGB, top row first.
  std::vector<std::uint8_t> draw(render::Figure& figure);
  // The same in parts, for drawing on another thread: present() makes the frames of all runs, on the thread of the
  // runs; then one figure after another is drawn into the picture, which the first of them makes. The runs pause
  // meanwhile.
  void present();
  void drawFigure(render::Figure& figure, std::size_t run, std::vector<std::uint8_t>& picture);
  Result result();

 private:
  struct Run;
  template <class Work>
  void onAll(const Work& work, const Between& between);

  const Plan& plan_;
  compute::DevicePtr device_;
  render::FigureOptions look_, tile_look_;
  Tiles tiles_;
  int workers_ = 1;
  Counter counter_;
  std::vector<std::unique_ptr<Run>> runs_;
  std::uint64_t drawn_ = 0;
  double seconds_ = 0;
};

}  // namespace simscope::sweep
