// The figure: a view of a frame with what makes it readable (title, axes, ticks, units, legend, time stamp, a line of
// the parameters that differ from the defaults), drawn by one piece of code into an off-screen target of any size.
// The window shows it, the recorder encodes it, the tests compare it: equal frames and options give equal pixels.
//
// Owner: the Figure owns its GL objects, its fonts, and its ImGui context (never the window's; the current ImGui
// context is restored on return). Thread: the one whose GL context is current; no GL state leaks but what
// glInvalidate-level bindings change: callers set their own framebuffer and viewport afterwards.
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

// Slides: light, with heavy lines and large letters for a wall. Print: black on white without tints, fine lines.
enum class Theme { Dark, Light, Slides, Print };

struct FigureOptions {
  int width = 960;  // pixels
  int height = 540;
  double scale = 1;       // of text and lines: 1 suits 960×540, 2 a screen of double density
  int supersampling = 1;  // 1 to 4: drawn so many times larger in both directions, and averaged in linear light
  Theme theme = Theme::Dark;
  std::string view;                   // key of any view; empty: the one that opens
  std::map<std::string, bool> shown;  // by channel; those not named follow the description
  // Axis limits; otherwise the frame's. A field keeps equal lengths on both axes: where only one is given, the other
  // shows the same share around its middle.
  std::optional<Limits> x, y;
  std::optional<double> marker_x;  // a vertical hair line with the values read there (the mouse)
  std::optional<double> marker_y;  // of fields: with marker_x, the value of the cell there
  // Of fields: the colour table (empty: the view's) and which way it runs, the values at its ends (otherwise the
  // frame's), and contours at the ticks of the colour bar (Scalar only).
  std::string colormap;
  bool reversed = false;
  std::optional<Limits> range;
  std::optional<FieldScale> value_scale;  // of fields and points: otherwise the view's
  std::optional<bool> symmetric;          // of fields: the range is centred on 0; otherwise as the view says
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

// The scale at which text and lines suit a picture of this size: 1 at 960×540, in quarters, from 0.75 (below, letters
// would be too small to read) to 8.
double suitableScale(int width, int height);

// The channels that a frame must hold for a figure with these options; those that the view can hide are not among them
// while they are. UsageError: unknown view.
std::vector<std::string> neededChannels(const Description& description, const FigureOptions& options);

// Where a plot lies within the figure, and what it spans: turns pixels into simulation units. Views of points have no
// limits; they have a Projection.
struct PlotArea {
  double left = 0, top = 0, width = 0, height = 0;  // pixels, y down
  Limits x, y;
  double xAt(double pixel) const { return x.low + (pixel - left) / width * (x.high - x.low); }
  double yAt(double pixel) const { return y.high - (pixel - top) / height * (y.high - y.low); }
};

// Elements of a frame's channel that are wanted as numbers: each below its width · height.
struct ElementRequest {
  std::string channel;
  std::vector<std::uint32_t> elements;
};

// The largest picture that is drawn at once; larger figures are drawn in tiles, to the same pixels. 0: as the driver
// and reason permit.
struct FigureLimits {
  int side = 0;             // pixels
  std::int64_t pixels = 0;  // width × height
};

// Who reduces fields and curves to pixels. Suits: the processor where OpenGL is software and the values in the host's
// memory, else shaders. Fields get the same pixels, curves too but for the last bit of a phase; tests ask for shaders.
enum class ReducedBy { Suits, Shaders };

// Who asks for elements: each has one request under way.
enum class ElementsFor { Readings, Object };

class Figure {
 public:
  explicit Figure(const FigureLimits& limits = {}, ReducedBy reduced_by = ReducedBy::Suits);
  ~Figure();
  Figure(const Figure&) = delete;
  Figure& operator=(const Figure&) = delete;

  void draw(const Description& description, const ParameterSet& parameters, const Frame& frame,
            const FigureOptions& options);

  // GL name, RGBA8, of the last draw; bottom row first. 0: none, or the figure is larger than a texture can be.
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
  // Starts to read elements of the frame, which was drawn last (element_reader.h): no field is copied, nothing waits.
  // False: others of theirs are being read still. takeElements(): the components of each request's elements, NaN where
  // there are none, once they are there.
  bool startElements(const Frame& frame, const std::vector<ElementRequest>& requests,
                     ElementsFor whom = ElementsFor::Readings);
  std::optional<std::vector<std::vector<float>>> takeElements(ElementsFor whom = ElementsFor::Readings);
  // How the last frame's data came to OpenGL.
  const TransferReport& transfer() const noexcept;
  // Transfer::sendThroughHost, from the next draw on.
  void sendThroughHost(bool wanted);

  // Starts an asynchronous read of the drawn picture; take() returns pictures in order, RGB, top row first, and
  // waits only where the picture is not there yet. At most kReadsInFlight may be started and not taken (UsageError).
  static constexpr int kReadsInFlight = 3;
  void startRead();
  int readsInFlight() const noexcept;
  std::vector<std::uint8_t> take();
  // startRead and take in one, for single pictures.
  std::vector<std::uint8_t> read();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace simscope::render
