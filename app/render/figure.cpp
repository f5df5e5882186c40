#include "app/render/figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/render/canvas.h"
#include "app/render/curve_layer.h"
#include "app/render/decoration.h"
#include "app/render/field_layer.h"
#include "app/render/gl_objects.h"
#include "app/render/picture_reader.h"
#include "app/render/plan.h"
#include "app/render/theme.h"
#include "sims/compute/error.h"

namespace simscope::render {

struct Figure::Impl {
  GlTexture texture;
  GlFramebuffer framebuffer;
  int width = 0, height = 0;
  int largest = 0;
  Canvas canvas;
  CurveLayer curves;
  FieldLayer fields;
  Transfer transfer;
  PictureReader reader;
  PlotArea area;

  Impl() { glGetIntegerv(GL_MAX_TEXTURE_SIZE, &largest); }

  void provideTarget(int new_width, int new_height) {
    if (texture && width == new_width && height == new_height) return;
    GlTexture colour = makeTexture(GL_TEXTURE_2D);
    glTextureStorage2D(colour.get(), 1, GL_RGBA8, new_width, new_height);
    glTextureParameteri(colour.get(), GL_TEXTURE_MIN_FILTER, GL_LINEAR);
    glTextureParameteri(colour.get(), GL_TEXTURE_MAG_FILTER, GL_LINEAR);
    glTextureParameteri(colour.get(), GL_TEXTURE_WRAP_S, GL_CLAMP_TO_EDGE);
    glTextureParameteri(colour.get(), GL_TEXTURE_WRAP_T, GL_CLAMP_TO_EDGE);
    GlFramebuffer target = makeFramebuffer();
    glNamedFramebufferTexture(target.get(), GL_COLOR_ATTACHMENT0, colour.get(), 0);
    checkGl(fmt::format("making a target of {}x{} pixels", new_width, new_height));
    if (glCheckNamedFramebufferStatus(target.get(), GL_FRAMEBUFFER) != GL_FRAMEBUFFER_COMPLETE) {
      throw Error(fmt::format("OpenGL cannot draw into a picture of {}x{} pixels; choose a smaller size.", new_width,
                              new_height));
    }
    texture = std::move(colour);
    framebuffer = std::move(target);
    width = new_width;
    height = new_height;
  }

  // The range of the axis that a trace is drawn against.
  static const Limits& rangeOf(const FigurePlan& plan, const PlannedTrace& trace) {
    return trace.info->style == TraceStyle::OwnAxis ? plan.right : plan.area.y;
  }

  void reduceCurves(const FigurePlan& plan, const Frame& frame) {
    for (std::size_t i = 0; i < plan.traces.size(); ++i) {
      const PlannedTrace& trace = plan.traces[i];
      const Channel& channel = *trace.channel;
      CurveSource source;
      source.values = transfer.buffer(frame, channel.key);
      source.stride = channel.components;
      if (trace.phase) {
        source.phases = transfer.buffer(frame, trace.phase->key);
        source.phase_stride = trace.phase->components;
      }
      source.count = channel.width;
      source.x_min = channel.x_min;
      source.x_max = channel.x_max;
      curves.reduce(i, source, rangeOf(plan, trace));
    }
  }

  template <class Draw>
  static void forStyle(const FigurePlan& plan, TraceStyle style, const Draw& draw) {
    for (std::size_t i = 0; i < plan.traces.size(); ++i) {
      if (plan.traces[i].info->style == style) draw(i, *plan.traces[i].info);
    }
  }

  // Nothing but edges is translucent, so that the colours in the file are those of the theme.
  void paint(const FigurePlan& plan, const ThemeColours& colours) {
    const PlotArea& a = plan.area;
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, framebuffer.get());
    glDrawBuffer(GL_COLOR_ATTACHMENT0);
    glViewport(0, 0, width, height);
    glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
    glDisable(GL_SCISSOR_TEST);
    glDisable(GL_DEPTH_TEST);
    glDisable(GL_CULL_FACE);
    glDisable(GL_STENCIL_TEST);
    glDisable(GL_FRAMEBUFFER_SRGB);
    glPolygonMode(GL_FRONT_AND_BACK, GL_FILL);
    clear(colours.background);
    glEnable(GL_SCISSOR_TEST);
    glScissor(static_cast<GLint>(a.left), height - static_cast<GLint>(a.top + a.height), static_cast<GLint>(a.width),
              static_cast<GLint>(a.height));
    clear(colours.plot);
    glEnable(GL_BLEND);
    glBlendEquation(GL_FUNC_ADD);
    glBlendFuncSeparate(GL_SRC_ALPHA, GL_ONE_MINUS_SRC_ALPHA, GL_ONE, GL_ONE_MINUS_SRC_ALPHA);

    canvas.paint(Canvas::Layer::Under);
    if (plan.field.view) {
      paintField(plan);
    } else {
      paintCurves(plan, colours);
    }
    glDisable(GL_SCISSOR_TEST);
    canvas.paint(Canvas::Layer::Over);
    if (plan.field.view && plan.field.view->style == FieldStyle::Complex && plan.field.key_width > 0) {
      fields.drawWheel(plan.field.key_left, plan.field.key_top, plan.field.key_width);
    }

    glDisable(GL_BLEND);
    glUseProgram(0);
    glBindVertexArray(0);
    for (GLuint unit = 0; unit < 4; ++unit) glBindTextureUnit(unit, 0);
    glBindFramebuffer(GL_DRAW_FRAMEBUFFER, 0);
  }

  void paintCurves(const FigurePlan& plan, const ThemeColours& colours) {
    using Stroke = CurveLayer::Stroke;
    const double s = plan.scale;
    forStyle(plan, TraceStyle::OwnAxis, [&](std::size_t i, const TraceInfo&) { curves.fill(i, colours.area); });
    forStyle(plan, TraceStyle::PhaseFilled, [&](std::size_t i, const TraceInfo&) {
      curves.fill(i, plan.traces[i].phase ? std::nullopt : std::optional<Colour>(colours.area_outline));
    });
    forStyle(plan, TraceStyle::Ghost,
             [&](std::size_t i, const TraceInfo&) { curves.line(i, 1.3 * s, colours.ghost, Stroke::Outline); });
    forStyle(plan, TraceStyle::OwnAxis,
             [&](std::size_t i, const TraceInfo&) { curves.line(i, 1.4 * s, colours.area_outline, Stroke::Outline); });
    forStyle(plan, TraceStyle::PhaseFilled,
             [&](std::size_t i, const TraceInfo&) { curves.line(i, 1.6 * s, colours.outline, Stroke::Fringes); });
    forStyle(plan, TraceStyle::Line, [&](std::size_t i, const TraceInfo& info) {
      curves.line(i, 4 * s, colours.plot, Stroke::Plain, 0.55);  // sets the line off from the filled area beneath
      curves.line(i, 1.6 * s, traceColour(info, colours));
    });
  }

  void reduceField(const FigurePlan& plan, const Frame& frame) {
    using Picture = FieldLayer::Picture;
    const PlannedField& field = plan.field;
    const auto source = [&](const Channel& c) {
      return FieldSource{
          transfer.buffer(frame, c.key), c.width, c.height, c.components, {c.x_min, c.x_max}, {c.y_min, c.y_max}};
    };
    const FieldSource main = source(*field.channel);
    fields.reduce(Picture::Main, main, field.view->style, field.range);
    if (field.isolines) fields.reduce(Picture::Joined, main, FieldStyle::Scalar, field.range);
    if (field.overlay) fields.reduce(Picture::Overlay, source(*field.overlay), FieldStyle::Scalar, ColourRange{});
  }

  void paintField(const FigurePlan& plan) {
    const PlannedField& field = plan.field;
    FieldLayer::Contours contours;
    if (field.isolines) {
      // Not at the range's ends: a field at rest on one of them would be all lines.
      const Limits& l = field.range.limits;
      for (const double value : field.ticks.major) {
        if (value > l.low && value < l.high) contours.levels.push_back(field.range.position(value));
      }
      contours.level_width = 1.1 * plan.scale;
    }
    if (field.overlay) {
      contours.overlay_width = 1.3 * plan.scale;
      contours.overlay_level = field.view->overlay_level;
    }
    fields.draw(field.view->style, contours);
  }

  static void clear(Colour colour) {
    glClearColor(static_cast<float>((colour >> 16) & 0xff) / 255, static_cast<float>((colour >> 8) & 0xff) / 255,
                 static_cast<float>(colour & 0xff) / 255, 1);
    glClear(GL_COLOR_BUFFER_BIT);
  }

  // One element of a channel's GL buffer.
  float element(const Frame& frame, const Channel& channel, int index) {
    float value = 0;
    const auto offset = static_cast<GLintptr>(index) * channel.components * static_cast<GLintptr>(sizeof(float));
    glGetNamedBufferSubData(transfer.buffer(frame, channel.key), offset, sizeof value, &value);
    return value;
  }

  // What the cell at (x, y) holds.
  std::vector<Reading> fieldReadings(const FigurePlan& plan, const Frame& frame, const ThemeColours& colours, double x,
                                     double y) {
    const PlannedField& field = plan.field;
    const Channel& c = *field.channel;
    const auto named = [](const std::string& title, const char* otherwise) {
      return title.empty() ? std::string(otherwise) : title;
    };
    std::vector<Reading> all = {{named(field.view->x.title, "x"), numberText(x, 4), colours.text, 0, false},
                                {named(field.view->y.title, "y"), numberText(y, 4), colours.text, 0, false}};
    const double column = std::floor((x - c.x_min) / (c.x_max - c.x_min) * c.width);
    const double row = std::floor((y - c.y_min) / (c.y_max - c.y_min) * c.height);
    if (!(column >= 0 && column < c.width && row >= 0 && row < c.height)) return all;

    std::array<float, 3> values{};
    const int read = std::min(c.components, static_cast<int>(values.size()));
    const auto first = static_cast<GLintptr>(row * c.width + column) * c.components;
    glGetNamedBufferSubData(transfer.buffer(frame, c.key), first * static_cast<GLintptr>(sizeof(float)),
                            read * static_cast<GLsizeiptr>(sizeof(float)), values.data());
    const auto add = [&](const std::string& name, double value, Colour colour) {
      all.push_back({name, numberText(value, 4), colour, 0, false});
    };
    switch (field.view->style) {
      case FieldStyle::Scalar:
        add(named(field.view->value.title, "value"), values[0], colours.text);
        break;
      case FieldStyle::Complex:
        add(named(field.view->value.title, "amplitude"), std::hypot(values[0], values[1]), colours.text);
        if (const double phase = std::atan2(values[1], values[0]); std::isfinite(phase)) {
          add("phase", phase, colours.phase[phaseEntry(phase)]);
        }
        break;
      case FieldStyle::Colour:
        for (std::size_t i = 0; i < values.size(); ++i) {
          add(std::array{"red", "green", "blue"}[i], values[i], colours.text);
        }
        break;
    }
    return all;
  }

  std::vector<Reading> readings(const FigurePlan& plan, const Frame& frame, const ThemeColours& colours, double x) {
    const std::string name = plan.view->x.title.empty() ? "x" : plan.view->x.title;
    std::vector<Reading> all = {{name, numberText(x, 4), colours.text, 0, false}};
    for (const PlannedTrace& trace : plan.traces) {
      const Channel& c = *trace.channel;
      const double position = (x - c.x_min) / (c.x_max - c.x_min) * c.width;
      if (!(position >= -0.5 && position < c.width)) continue;
      const int index = std::clamp(static_cast<int>(std::lround(position)), 0, c.width - 1);
      const double value = element(frame, c, index);
      const Limits& y = rangeOf(plan, trace);
      const std::string& title = trace.info->title.empty() ? trace.info->channel : trace.info->title;
      all.push_back({title, numberText(value, 4), traceColour(*trace.info, colours),
                     plan.area.top + plan.area.height - (value - y.low) / (y.high - y.low) * plan.area.height,
                     std::isfinite(value)});
      if (trace.phase) {
        const double phase = element(frame, *trace.phase, index);
        all.push_back({"phase", numberText(phase, 3), colours.phase[phaseEntry(phase)], 0, false});
      }
    }
    return all;
  }

  void mark(const FigurePlan& plan, const Frame& frame, const ThemeColours& colours, const FigureOptions& options) {
    if (!options.marker_x || !std::isfinite(*options.marker_x)) return;
    const double x = *options.marker_x;
    if (!plan.field.view) {
      drawMarker(canvas, plan, colours, x, std::nullopt, readings(plan, frame, colours, x));
      return;
    }
    if (!options.marker_y) return;
    const double y = *options.marker_y;
    if (!(y >= plan.area.y.low && y <= plan.area.y.high)) return;
    drawMarker(canvas, plan, colours, x, y, fieldReadings(plan, frame, colours, x, y));
  }
};

Figure::Figure() : impl_(std::make_unique<Impl>()) {
  checkGl("making a figure");
}
Figure::~Figure() = default;

void Figure::draw(const Description& description, const ParameterSet& parameters, const Frame& frame,
                  const FigureOptions& options) {
  Impl& m = *impl_;
  checkOptions(options, m.largest);
  const ThemeColours& colours = themeColours(options.theme);
  m.canvas.begin(options.width, options.height, options.scale);
  const FigurePlan plan = planFigure(description, parameters, frame, options, m.canvas);
  m.provideTarget(options.width, options.height);

  if (plan.field.view) {
    m.fields.begin(options.width, options.height, plan.area, plan.field.table);
    m.reduceField(plan, frame);
  } else {
    m.curves.begin(options.width, options.height, plan.area, colours);
    m.reduceCurves(plan, frame);
  }
  drawGrid(m.canvas, plan, colours);
  drawAxes(m.canvas, plan, colours);
  drawTexts(m.canvas, plan, colours, options.width, options.height);
  drawFieldKey(m.canvas, plan, colours);
  m.mark(plan, frame, colours, options);
  m.canvas.finish();
  m.paint(plan, colours);
  m.area = plan.area;
  checkGl("drawing the figure");
}

unsigned Figure::texture() const noexcept {
  return impl_->texture.get();
}
int Figure::width() const noexcept {
  return impl_->width;
}
int Figure::height() const noexcept {
  return impl_->height;
}
const PlotArea& Figure::plotArea() const noexcept {
  return impl_->area;
}
const TransferReport& Figure::transfer() const noexcept {
  return impl_->transfer.report();
}

void Figure::startRead() {
  if (!impl_->texture) throw UsageError("Figure::startRead: nothing has been drawn yet");
  impl_->reader.start(impl_->framebuffer.get(), impl_->width, impl_->height);
}
int Figure::readsInFlight() const noexcept {
  return impl_->reader.inFlight();
}
std::vector<std::uint8_t> Figure::take() {
  return impl_->reader.take();
}
std::vector<std::uint8_t> Figure::read() {
  if (impl_->reader.inFlight() > 0) {
    throw UsageError("Figure::read: pictures are being read already; take() them first");
  }
  startRead();
  return take();
}

}  // namespace simscope::render
