#include "app/gui/window/draw_changes.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <span>

namespace simscope::gui {

namespace {

constexpr std::size_t kMostRectangles = 12;   // each is a pass over the draw lists
constexpr std::int64_t kWorthJoining = 4096;  // pixels that may be drawn unnecessarily to save one rectangle

// A triangle with what decides how it is drawn.
struct Triangle {
  const ImDrawCmd* command;
  const ImDrawVert *a, *b, *c;
};

// A draw list as its triangles.
class Triangles {
 public:
  Triangles(std::span<const ImDrawCmd> commands, std::span<const ImDrawIdx> indices,
            std::span<const ImDrawVert> vertices)
      : indices_(indices), vertices_(vertices) {
    for (const ImDrawCmd& each : commands) {
      const std::size_t count = each.ElemCount / 3;
      if (count == 0) continue;
      runs_.push_back({&each, size_, count});
      size_ += count;
    }
  }
  std::size_t size() const noexcept { return size_; }
  // Cheap where asked for one after another.
  Triangle operator[](std::size_t i) const {
    if (run_ >= runs_.size() || i < runs_[run_].first || i >= runs_[run_].first + runs_[run_].count) {
      const auto after = std::upper_bound(runs_.begin(), runs_.end(), i,
                                          [](std::size_t value, const Run& run) { return value < run.first; });
      run_ = static_cast<std::size_t>(after - runs_.begin()) - 1;
    }
    const Run& run = runs_[run_];
    const ImDrawIdx* index = &indices_[run.command->IdxOffset + 3 * (i - run.first)];
    const ImDrawVert* base = vertices_.data() + run.command->VtxOffset;
    return {run.command, base + index[0], base + index[1], base + index[2]};
  }

 private:
  struct Run {
    const ImDrawCmd* command;
    std::size_t first, count;
  };
  std::span<const ImDrawIdx> indices_;
  std::span<const ImDrawVert> vertices_;
  std::vector<Run> runs_;
  std::size_t size_ = 0;
  mutable std::size_t run_ = 0;
};

bool equal(const ImDrawVert& a, const ImDrawVert& b) {
  return a.pos.x == b.pos.x && a.pos.y == b.pos.y && a.uv.x == b.uv.x && a.uv.y == b.uv.y && a.col == b.col;
}

bool drawnEqually(const ImDrawCmd& a, const ImDrawCmd& b, ImTextureID redrawn) {
  const ImVec4 &p = a.ClipRect, &q = b.ClipRect;
  return p.x == q.x && p.y == q.y && p.z == q.z && p.w == q.w && a.GetTexID() == b.GetTexID() &&
         (redrawn == ImTextureID{} || a.GetTexID() != redrawn) && !a.UserCallback && !b.UserCallback;
}

template <class Held>
std::span<const Held> spanOf(const ImVector<Held>& held) {
  return {held.Data, static_cast<std::size_t>(held.Size)};
}

template <class Held>
bool equal(const std::vector<Held>& before, const ImVector<Held>& now) {
  return before.size() == static_cast<std::size_t>(now.Size) &&
         (before.empty() || std::memcmp(before.data(), now.Data, before.size() * sizeof(Held)) == 0);
}

}  // namespace

PixelRect intersection(const PixelRect& a, const PixelRect& b) noexcept {
  return {std::max(a.left, b.left), std::max(a.top, b.top), std::min(a.right, b.right), std::min(a.bottom, b.bottom)};
}

PixelRect unionOf(const PixelRect& a, const PixelRect& b) noexcept {
  return {std::min(a.left, b.left), std::min(a.top, b.top), std::max(a.right, b.right), std::max(a.bottom, b.bottom)};
}

void PixelRegion::add(const PixelRect& rectangle) {
  if (rectangle.empty()) return;
  PixelRect grown = rectangle;
  for (std::size_t i = 0; i < rectangles_.size();) {
    const PixelRect& each = rectangles_[i];
    if (each.covers(grown)) return;
    const PixelRect both = unionOf(each, grown);
    const bool overlap = !intersection(each, grown).empty();
    if (!overlap && both.area() > each.area() + grown.area() + kWorthJoining) {
      ++i;
      continue;
    }
    // What has grown may meet those that it did not meet before.
    grown = both;
    rectangles_.erase(rectangles_.begin() + static_cast<std::ptrdiff_t>(i));
    i = 0;
  }
  rectangles_.push_back(grown);
  if (rectangles_.size() <= kMostRectangles) return;
  const PixelRect first = rectangles_.front();
  std::size_t nearest = 1;
  const auto loss = [&](std::size_t i) { return unionOf(first, rectangles_[i]).area() - rectangles_[i].area(); };
  for (std::size_t i = 2; i < rectangles_.size(); ++i) {
    if (loss(i) < loss(nearest)) nearest = i;
  }
  const PixelRect both = unionOf(first, rectangles_[nearest]);
  rectangles_.erase(rectangles_.begin() + static_cast<std::ptrdiff_t>(nearest));
  rectangles_.erase(rectangles_.begin());
  add(both);
}

PixelGrid::PixelGrid(const ImDrawData& data)
    : origin_(data.DisplayPos),
      scale_(data.FramebufferScale),
      width_(static_cast<int>(data.DisplaySize.x * data.FramebufferScale.x)),
      height_(static_cast<int>(data.DisplaySize.y * data.FramebufferScale.y)) {}

PixelRect PixelGrid::clip(const ImDrawCmd& command) const {
  const ImVec2 low = pixel({command.ClipRect.x, command.ClipRect.y});
  const ImVec2 high = pixel({command.ClipRect.z, command.ClipRect.w});
  // As the backend rounds: towards zero, from the lower edge up.
  PixelRect pixels;
  pixels.left = static_cast<int>(low.x);
  pixels.right = pixels.left + static_cast<int>(high.x - low.x);
  pixels.bottom = height_ - static_cast<int>(static_cast<float>(height_) - high.y);
  pixels.top = pixels.bottom - static_cast<int>(high.y - low.y);
  return intersection(pixels, whole());
}

ImVec4 PixelGrid::clipOf(const PixelRect& pixels) const {
  // Fractions of a pixel beside the edges, so that rounding meets them.
  constexpr float kQuarter = 0.25F;
  const float left = static_cast<float>(pixels.left) + kQuarter,
              right = static_cast<float>(pixels.right) + 2 * kQuarter;
  const float top = static_cast<float>(pixels.top) - 2 * kQuarter,
              bottom = static_cast<float>(pixels.bottom) - kQuarter;
  return {left / scale_.x + origin_.x, top / scale_.y + origin_.y, right / scale_.x + origin_.x,
          bottom / scale_.y + origin_.y};
}

PixelRect PixelGrid::bounds(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) const {
  const ImVec2 p = pixel(a.pos), q = pixel(b.pos), r = pixel(c.pos);
  const auto down = [](float v) { return static_cast<int>(std::floor(std::clamp(v, -1e6F, 1e6F))); };
  const auto up = [](float v) { return static_cast<int>(std::ceil(std::clamp(v, -1e6F, 1e6F))); };
  return {down(std::min({p.x, q.x, r.x})), down(std::min({p.y, q.y, r.y})), up(std::max({p.x, q.x, r.x})),
          up(std::max({p.y, q.y, r.y}))};
}

PixelRect PixelGrid::quad(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) const {
  if (a.pos.y != b.pos.y || b.pos.x != c.pos.x || c.pos.y != d.pos.y || d.pos.x != a.pos.x) return {};
  const ImVec2 low = pixel(a.pos), high = pixel(c.pos);
  const PixelRect pixels{static_cast<int>(std::lround(low.x)), static_cast<int>(std::lround(low.y)),
                         static_cast<int>(std::lround(high.x)), static_cast<int>(std::lround(high.y))};
  const auto whole = [](float v) { return std::abs(v - std::round(v)) < 1e-3F; };
  return whole(low.x) && whole(low.y) && whole(high.x) && whole(high.y) ? pixels : PixelRect{};
}

void DrawChanges::compare(const PixelGrid& grid, const List& before, const ImDrawList& now, ImTextureID redrawn) {
  const auto commands = spanOf(now.CmdBuffer);
  const bool untouched =
      redrawn == ImTextureID{} || std::none_of(commands.begin(), commands.end(), [&](const ImDrawCmd& each) {
        return each.ElemCount > 0 && each.GetTexID() == redrawn;
      });
  const bool same_commands = untouched && before.commands.size() == commands.size() &&
                             std::equal(commands.begin(), commands.end(), before.commands.begin(),
                                        [&](const ImDrawCmd& a, const ImDrawCmd& b) {
                                          return a.ElemCount == b.ElemCount && a.IdxOffset == b.IdxOffset &&
                                                 a.VtxOffset == b.VtxOffset &&
                                                 (a.ElemCount == 0 || drawnEqually(a, b, redrawn));
                                        });
  if (same_commands && equal(before.indices, now.IdxBuffer) && equal(before.vertices, now.VtxBuffer)) return;

  const Triangles old(before.commands, before.indices, before.vertices);
  const Triangles young(commands, spanOf(now.IdxBuffer), spanOf(now.VtxBuffer));
  const auto same = [&](const Triangle& x, const Triangle& y) {
    return equal(*x.a, *y.a) && equal(*x.b, *y.b) && equal(*x.c, *y.c) && drawnEqually(*x.command, *y.command, redrawn);
  };
  const auto mark = [&](const Triangle& each) {
    region_.add(intersection(grid.bounds(*each.a, *each.b, *each.c), grid.clip(*each.command)));
  };
  const std::size_t common = std::min(old.size(), young.size());
  std::size_t first = 0, last = 0;
  while (first < common && same(old[first], young[first])) ++first;
  while (last < common - first && same(old[old.size() - 1 - last], young[young.size() - 1 - last])) ++last;
  const bool in_step = old.size() == young.size();
  for (std::size_t i = first; i < old.size() - last; ++i) {
    if (!in_step || !same(old[i], young[i])) mark(old[i]);
  }
  for (std::size_t i = first; i < young.size() - last; ++i) {
    if (!in_step || !same(old[i], young[i])) mark(young[i]);
  }
}

const PixelRegion& DrawChanges::find(const ImDrawData& data, ImTextureID redrawn) {
  const PixelGrid grid(data);
  region_.clear();
  const auto count = static_cast<std::size_t>(data.CmdListsCount);
  const bool whole = !known_ || grid.width() != width_ || grid.height() != height_;
  if (whole) region_.add(grid.whole());
  const ImDrawList none(nullptr);
  static const List nothing;
  for (std::size_t i = 0; !whole && i < std::max(count, lists_.size()); ++i) {
    compare(grid, i < lists_.size() ? lists_[i] : nothing, i < count ? *data.CmdLists[static_cast<int>(i)] : none,
            redrawn);
  }
  lists_.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const ImDrawList& list = *data.CmdLists[static_cast<int>(i)];
    const auto keep = [](auto& kept, const auto& span) { kept.assign(span.begin(), span.end()); };
    keep(lists_[i].commands, spanOf(list.CmdBuffer));
    keep(lists_[i].indices, spanOf(list.IdxBuffer));
    keep(lists_[i].vertices, spanOf(list.VtxBuffer));
  }
  known_ = true;
  width_ = grid.width();
  height_ = grid.height();
  return region_;
}

}  // namespace simscope::gui
