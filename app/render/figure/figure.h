// The figure: a view of a frame with its annotations (title, axes, ticks, units, legend, time stamp, a line of the
// parameters that differ from the defaults), drawn by the same code into an off-screen target of any size. The window
// shows it, the recorder encodes it, the tests compare it: equal frames and options give equal pixels.
//
// Owner: the Figure owns its GL objects, its fonts, and its ImGui context (never the window's; the current ImGui
// context is restored on return). Thread: the one whose GL context is current; GL state is unchanged except for
// bindings: callers set their own framebuffer and viewport afterwards.
// Errors: simscope::Error (shader, framebuffer, memory), UsageError (size outside 64..16384, options out of range).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/render/figure/camera.h"
#include "app/render/gl/transfer.h"
#include "sims/core/description.h"
#include "sims/core/frame.h"

namespace simscope::render {

struct Limits {
  double low = 0, high = 1;
  bool operator==(const Limits&) const = default;
};

// Slides: light, with heavy lines and large letters for projection. Print: black on white without tints, fine lines.
enum class Theme { Dark, Light, Slides, Print };

struct FigureOptions {
  int width = 960;  // pixels
  int height = 540;
  double scale = 1;       // of text and lines: 1 suits 960×540, 2 a display of double density
  int supersampling = 1;  // 1 to 4: drawn this many times larger in both directions, and averaged in linear light
  Theme theme = Theme::Dark;
  std::string view;                   // key of any view; empty: the one that opens
  std::map<std::string, bool> shown;  // by channel; others follow the description
  // Axis limits; otherwise the frame's. A field keeps equal lengths on both axes: if only one is given, the other shows
  // the same fraction around its middle.
  std::optional<Limits> x, y;
  std::optional<double> marker_x;  // a vertical line with the values read there (the mouse)
  std::optional<double> marker_y;  // of fields: with marker_x, the value of the cell at the mouse
  // Of fields: the colour table (empty: the view's) and its direction, the values at its ends (otherwise the frame's),
  // and contours at the ticks of the colour bar (Scalar only).
  std::string colormap;
  bool reversed = false;
  std::optional<Limits> range;
  std::optional<FieldScale> value_scale;  // of fields and points: otherwise the view's
  std::optional<bool> symmetric;          // of fields: the range is centred on 0; otherwise the view's
  bool isolines = false;
  bool arrows = false;  // of fields that have an arrow channel
  // Of views of points. Without a camera: Camera{}. `follow`: the index of a point that stays in the middle of the
  // picture and whose values are written beside it; −1: none (an index beyond the last point counts as none).
  std::optional<Camera> camera;
  std::int64_t follow = -1;
  double exposure = 0;    // stops: +1 doubles the light
  double point_size = 1;  // factor on every size
  int marker_panel = 0;   // of linked views: the panel that the marker is in
  bool operator==(const FigureOptions&) const = default;
};

// The scale of text and lines that suits a picture of this size: 1 at 960×540, in quarters, from 0.75 (smaller letters
// are unreadable) to 8.
double suitableScale(int width, int height);

// The channels that a frame must hold for a figure with these options, without channels that are hidden. UsageError:
// unknown view.
std::vector<std::string> neededChannels(const Description& description, const FigureOptions& options);

// A plot's rectangle in the figure, and its limits: converts pixels to simulation units. Views of points have no
// limits; they have a Projection.
struct PlotArea {
  double left = 0, top = 0, width = 0, height = 0;  // pixels, y down
  Limits x, y;
  double xAt(double pixel) const { return x.low + (pixel - left) / width * (x.high - x.low); }
  double yAt(double pixel) const { return y.high - (pixel - top) / height * (y.high - y.low); }
};

// Elements of a frame's channel whose values are wanted: indices below its width · height.
struct ElementRequest {
  std::string channel;
  std::vector<std::uint32_t> elements;
};

// The largest picture that is drawn at once; larger figures are drawn in tiles, with the same pixels. 0: the driver's
// limits, and reasonable ones.
struct FigureLimits {
  int side = 0;             // pixels
  std::int64_t pixels = 0;  // width × height
};

// What reduces fields and curves to pixels. Suits: the CPU if OpenGL is software and the values are in host memory,
// else shaders. Fields give the same pixels, curves too except for the last bit of a phase; tests ask for shaders.
enum class ReducedBy { Suits, Shaders };

// The purpose of an element request: each can have one request under way.
enum class ElementsFor { Readings, Object };

class Figure {
 public:
  explicit Figure(const FigureLimits& limits = {}, ReducedBy reduced_by = ReducedBy::Suits);
  ~Figure();
  Figure(const Figure&) = delete;
  Figure& operator=(const Figure&) = delete;

  void draw(const Description& description, const ParameterSet& parameters, const Frame& frame,
            const FigureOptions& options);

  // GL name, RGBA8, of the last draw; bottom row first. 0: none, or the figure exceeds the texture size.
  unsigned texture() const noexcept;
  int width() const noexcept;
  int height() const noexcept;
  const PlotArea& plotArea() const noexcept;  // of the main panel
  // All panels of the last draw, in order: one, or those of a linked view.
  struct PanelArea {
    std::string view;  // key
    PlotArea area;
    std::optional<Projection> projection;  // of views of points
  };
  const std::vector<PanelArea>& panels() const noexcept;
  // The point nearest to a pixel of the last draw's view of points, within 14 pixels · scale; −1: none. Waits.
  std::int64_t pick(double pixel_x, double pixel_y);
  // The name of the kind of such a point ("Earth"); empty: no name. Waits.
  std::string kindName(std::int64_t point);
  // Starts to read elements of the frame drawn last (element_reader.h): no field is copied, nothing waits. False: a
  // read for this purpose is still under way. takeElements(): the components of each request's elements, NaN where
  // there are none, once they are ready.
  bool startElements(const Frame& frame, const std::vector<ElementRequest>& requests,
                     ElementsFor whom = ElementsFor::Readings);
  std::optional<std::vector<std::vector<float>>> takeElements(ElementsFor whom = ElementsFor::Readings);
  // How the last frame's data was transferred to OpenGL.
  const TransferReport& transfer() const noexcept;
  // Transfer::sendThroughHost, from the next draw on.
  void sendThroughHost(bool wanted);

  // Starts an asynchronous read of the drawn picture; take() returns pictures in order, RGB, top row first, and waits
  // only if the picture is not ready. At most kReadsInFlight may be started and not taken (UsageError).
  static constexpr int kReadsInFlight = 3;
  void startRead();
  int readsInFlight() const noexcept;
  std::vector<std::uint8_t> take();
  // startRead and take in one call, for single pictures.
  std::vector<std::uint8_t> read();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
