// Text, rectangles, and polygons of a figure in two layers (under and over the curves), through its own ImGui context:
// the window's context, current or not, is never changed and stays current. Coordinates: pixels, y down.
//
// Owner: of the ImGui context, the glyph atlas, and the GL objects. Thread: the GL context's.
// Fonts: DejaVu Sans, part of the program; characters that it lacks are replaced (plain_text.h). The atlas is rebuilt
// when the scale changes, so that text is rasterised at its displayed size. Errors: simscope::Error (shaders, GL).
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/render/figure/theme.h"
#include "app/render/figure/tile.h"

namespace simscope::render {

class Canvas {
 public:
  enum class Layer { Under, Over };
  enum class Font { Small, Normal, Title };

  Canvas();
  ~Canvas();
  Canvas(const Canvas&) = delete;
  Canvas& operator=(const Canvas&) = delete;

  // Starts an empty picture. Drawing and measuring are possible between begin() and finish(). All lengths are in pixels
  // of the picture; it is drawn `supersampling` times as large.
  void begin(int width, int height, double scale, int supersampling = 1);
  void finish();
  // Draws a finished layer into the bound framebuffer, which shows a tile of the drawn pixels.
  void paint(Layer layer, const Tile& tile);
  // The texts written since begin(), each with the box of its line in pixels of the picture.
  struct Written {
    std::string text;
    Font font = Font::Normal;
    double left = 0, top = 0, right = 0, bottom = 0;
  };
  const std::vector<Written>& written() const noexcept;
  // The content of a finished layer as bytes: equal for equal drawings.
  std::vector<std::uint8_t> contents(Layer layer) const;

  double textWidth(Font font, const std::string& text) const;
  double lineHeight(Font font) const;
  // The distance from the top of a line to its baseline.
  double ascent(Font font) const;
  // `text`, cut at a character and ended with "…" if it is wider than `width`. May be empty.
  std::string elided(Font font, const std::string& text, double width) const;

  void text(Layer layer, Font font, double x, double y, Colour colour, const std::string& text);
  // Reads upwards: x is the text's left edge, y the lower end.
  void textUpwards(Layer layer, Font font, double x, double y, Colour colour, const std::string& text);
  void rectangle(Layer layer, double left, double top, double right, double bottom, Colour colour, double opacity = 1);
  void roundedBox(Layer layer, double left, double top, double right, double bottom, double radius, Colour fill,
                  Colour border, double opacity);
  void line(Layer layer, double x0, double y0, double x1, double y1, double width, Colour colour);
  void disc(Layer layer, double x, double y, double radius, Colour colour);

 private:
  struct Impl;
  void put(Layer layer, Font font, double x, double y, Colour colour, const std::string& text);
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
