// The window's picture with software OpenGL, kept from frame to frame: only the changed parts of Dear ImGui's drawing
// are redrawn. Shading the panels in every frame would cost as much as all the rest of a frame. The redrawn parts
// are cut to rectangles, without what lies under opaque ones; the figure is copied where its pixels match the window's.
// The pixels equal those of a full redraw.
// Owner: of the picture's texture. Thread: the OpenGL context's, with its Dear ImGui context current and the OpenGL 3
// backend started. Errors: Error (OpenGL has no memory for the picture).
#pragma once

#include <imgui.h>

#include <memory>
#include <vector>

#include "app/gui/window/draw_changes.h"
#include "app/render/gl/gl_objects.h"
#include "app/render/gl/shader.h"

namespace simscope::gui {

class WindowPicture {
 public:
  // The figure: an opaque texture, and whether it was drawn since the last call.
  struct Figure {
    unsigned texture = 0;
    bool redrawn = false;
  };
  // Draws what has changed since the last call.
  void compose(const ImDrawData& data, const ImVec4& background, const Figure& figure);
  // Copies the picture to the window's framebuffer, which has the same size.
  void show();
  // Something changed that is not in the draw lists: the fonts' texture.
  void forget() noexcept { changes_.forget(); }
  // GL name, RGBA8, bottom row first; 0: none yet.
  unsigned texture() const noexcept { return texture_.get(); }
  // The rectangles that the last call redrew.
  const std::vector<PixelRect>& redrawn() const noexcept { return changes_.region().rectangles(); }

 private:
  // Consecutive triangles of a command that lie in a rectangle.
  struct Run {
    int list, command;
    unsigned first, count;  // indices
  };
  // A rectangle to be redrawn: its purpose, and whether it is fully covered by something opaque below.
  struct Pass {
    PixelRect pixels;
    std::vector<Run> runs;
    bool covered = false;
  };
  // A copy of figure pixels within a pass, as a callback of the draw list.
  struct Copy {
    WindowPicture* picture;
    PixelRect from;  // the figure's rectangle in the window
    PixelRect pixels;
  };
  void provide(int width, int height);
  void plan(const ImDrawData& data, const PixelGrid& grid);
  void collect(const ImDrawData& data, const PixelGrid& grid, Pass& pass, int list, int command);
  bool opaque(const ImDrawCmd& command, const ImDrawVert& a, const ImDrawVert& c) const;
  PixelRect figurePlace(const PixelGrid& grid, const ImDrawCmd& command, const ImDrawVert* vertices,
                        const ImDrawIdx* indices) const;
  void paint(const ImDrawData& data, const PixelGrid& grid);
  static void copyFigure(const ImDrawList* list, const ImDrawCmd* command);

  DrawChanges changes_;
  Figure figure_;
  std::vector<Pass> passes_;
  std::vector<std::unique_ptr<ImDrawList>> lists_;  // cut to the passes
  std::vector<std::unique_ptr<Copy>> copies_;
  render::GlTexture texture_;
  render::GlFramebuffer framebuffer_, figure_framebuffer_;
  render::Program program_{{{GL_VERTEX_SHADER, "picture.vert"}, {GL_FRAGMENT_SHADER, "picture.frag"}}};
  render::GlVertexArray empty_ = render::makeVertexArray();
  int width_ = 0, height_ = 0;
};

}  // namespace simscope::gui
