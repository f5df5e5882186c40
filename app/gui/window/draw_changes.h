// The difference between the pictures of two frames, from Dear ImGui's draw lists: triangles are compared, not pixels.
//
// A pixel's colour follows from the triangles over it, in their order. Triangles that both frames contain, in the same
// order and with the same clip and texture, leave their pixels unchanged; the others give rectangles to be redrawn.
// Owner: of copies of the last frame's lists. Thread: the UI's.
#pragma once

#include <imgui.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace simscope::gui {

// Pixels of the framebuffer, y down; `right` and `bottom` are exclusive.
struct PixelRect {
  int left = 0, top = 0, right = 0, bottom = 0;
  bool empty() const noexcept { return right <= left || bottom <= top; }
  std::int64_t area() const noexcept { return empty() ? 0 : static_cast<std::int64_t>(right - left) * (bottom - top); }
  bool covers(const PixelRect& other) const noexcept {
    return left <= other.left && top <= other.top && right >= other.right && bottom >= other.bottom;
  }
  bool operator==(const PixelRect&) const = default;
};
PixelRect intersection(const PixelRect& a, const PixelRect& b) noexcept;
PixelRect unionOf(const PixelRect& a, const PixelRect& b) noexcept;

// Disjoint rectangles that cover everything added; close ones are merged.
class PixelRegion {
 public:
  void add(const PixelRect& rectangle);
  const std::vector<PixelRect>& rectangles() const noexcept { return rectangles_; }
  void clear() noexcept { rectangles_.clear(); }

 private:
  std::vector<PixelRect> rectangles_;
};

// Converts Dear ImGui's coordinates to pixels.
class PixelGrid {
 public:
  explicit PixelGrid(const ImDrawData& data);
  int width() const noexcept { return width_; }
  int height() const noexcept { return height_; }
  PixelRect whole() const noexcept { return {0, 0, width_, height_}; }
  // The pixels to which the OpenGL backend cuts a command's triangles.
  PixelRect clip(const ImDrawCmd& command) const;
  // The command's clip for these pixels.
  ImVec4 clipOf(const PixelRect& pixels) const;
  // The pixels that a triangle may cover.
  PixelRect bounds(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c) const;
  // The pixels of a rectangle of two triangles, a b c and a c d, with edges between pixels; empty: another shape.
  PixelRect quad(const ImDrawVert& a, const ImDrawVert& b, const ImDrawVert& c, const ImDrawVert& d) const;

 private:
  ImVec2 pixel(const ImVec2& place) const {
    return {(place.x - origin_.x) * scale_.x, (place.y - origin_.y) * scale_.y};
  }
  ImVec2 origin_, scale_;
  int width_, height_;
};

class DrawChanges {
 public:
  // The changes since the last call; everything after forget() or a change of size. `redrawn`: a texture with new
  // contents.
  const PixelRegion& find(const ImDrawData& data, ImTextureID redrawn);
  void forget() noexcept { known_ = false; }
  // The result of the last call.
  const PixelRegion& region() const noexcept { return region_; }

 private:
  struct List {
    std::vector<ImDrawCmd> commands;
    std::vector<ImDrawIdx> indices;
    std::vector<ImDrawVert> vertices;
  };
  void compare(const PixelGrid& grid, const List& before, const ImDrawList& now, ImTextureID redrawn);

  bool known_ = false;
  int width_ = 0, height_ = 0;
  std::vector<List> lists_;
  PixelRegion region_;
};

}  // namespace simscope::gui
