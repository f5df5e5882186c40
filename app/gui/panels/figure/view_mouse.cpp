#include "app/gui/panels/figure/view_mouse.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "app/gui/panels/figure/mouse_tools.h"
#include "app/gui/panels/figure/orbit.h"
#include "app/session/tool_views.h"

namespace simscope::gui {

namespace {

constexpr double kZoomPerNotch = 1.2;
constexpr double kMostZoomIn = 1e-4;  // of the domain, or of the value range
constexpr double kMostZoomOut = 20;   // of the value range
constexpr double kHalfTurn = 180;     // degrees, for a drag across the shorter side of the plot
constexpr float kDragStart = 3;       // window coordinates
constexpr double kPatience = 0.004;   // s: a search that takes longer is not made for each frame of a playing run

render::Limits zoomed(const render::Limits& now, double about, double factor) {
  return {about + (now.low - about) * factor, about + (now.high - about) * factor};
}

// Inside `domain`, keeping the width where it fits.
render::Limits inside(render::Limits wanted, const render::Limits& domain) {
  const double width = std::min(wanted.high - wanted.low, domain.high - domain.low);
  const double low = std::clamp(wanted.low, domain.low, domain.high - width);
  return {low, low + width};
}

// The default limits of the main panel's axes, from its view's first channel.
struct Extent {
  render::Limits x, y;
  bool field = false;  // x and y are zoomed together, inside the array
};
std::optional<Extent> extentOf(const Session& session) {
  const View* view = mainView(*session.scene.description, session.scene.figure.view);
  if (!session.frame || !view || domainOf(*view) == Domain::Space) return std::nullopt;
  const std::vector<std::string> channels = channelsOf(*view);
  const Channel* channel = channels.empty() ? nullptr : session.frame->find(channels.front());
  if (!channel) return std::nullopt;
  if (domainOf(*view) == Domain::Plane)
    return Extent{{channel->x_min, channel->x_max}, {channel->y_min, channel->y_max}, true};
  return Extent{{channel->x_min, channel->x_max}, {channel->low, channel->high}};
}

// A failed search finds no body; drawing the next picture reports the error.
std::int64_t bodyAt(render::Figure& figure, PixelPlace at) {
  try {
    return figure.pick(at.x, at.y);
  } catch (const std::exception&) {
    return -1;
  }
}

bool anyButton() {
  return ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2);
}

}  // namespace

void usualView(Session& session) {
  render::FigureOptions& options = session.scene.figure;
  options.x.reset();
  options.y.reset();
  options.camera = session.usualCamera();
  options.follow = -1;
  session.fitWindow();
}

Camera shownCamera(const Session& session, const render::Figure& figure) {
  Camera camera = session.scene.figure.camera.value_or(Camera{});
  if (session.scene.figure.follow < 0) return camera;
  for (const PanelArea& panel : figure.panels()) {
    if (!panel.projection) continue;
    camera.x = panel.projection->camera().x;
    camera.y = panel.projection->camera().y;
    camera.z = panel.projection->camera().z;
    break;
  }
  return camera;
}

void followBody(Session& session, const render::Figure& figure, std::int64_t body) {
  const Camera camera = shownCamera(session, figure);
  session.scene.figure.camera = camera;
  session.scene.figure.follow = std::max<std::int64_t>(body, -1);
}

void ViewMouse::forget() {
  marker_.reset();
  body_ = -1;
}

void ViewMouse::follow(Session& session, const Ui& ui, render::Figure& figure, MouseTools& tools,
                       const Pointer& pointer) {
  marker_.reset();
  const std::vector<PanelArea>& panels = figure.panels();
  if (panels.empty() || tools.holdsMouse()) {
    body_ = -1;
    return;
  }
  const std::optional<std::size_t> index = panelMeant(panels.size(), pointer);
  if (!index) {
    body_ = -1;
    return;
  }
  const PanelArea& meant = panels[*index];
  // A tool that edits objects uses clicks; drags move the view.
  const bool with_tool = tools.actingOn(session, meant.view) != nullptr && !tools.editing(session);
  const bool main = &meant == &panels.front();
  const ImGuiIO& io = ImGui::GetIO();
  const bool resizing = pointer.hovered && with_tool && io.KeyShift && tools.hasRadius(session);
  // Some systems turn the wheel with Shift into one that scrolls sideways.
  if (resizing) tools.resize(session, io.MouseWheel + io.MouseWheelH);

  if (main && !resizing && panels.front().projection) {
    moveCamera(session, ui, figure, panels.front(), pointer, with_tool);
  } else if (main && !resizing) {
    if (!moveWindow(session, ui, panels.front(), pointer, with_tool)) {
      moveAxes(session, ui, panels.front().area, pointer, with_tool);
    }
  }
  const bool looking = pointer.panel >= 0 && pointer.hovered && !with_tool && !anyButton();
  if (looking && meant.projection) {
    lookForBody(figure, session, pointer);
    return;
  }
  body_ = -1;
  if (!looking) return;
  const Spot spot = spotAt(meant, pointer.at);
  marker_ =
      Marker{spot.x, spot.y, domainOf(session.scene.description->view(meant.view)) == Domain::Plane, pointer.panel};
}

// A button belongs to the panel where it was pressed. Beside the plot the mouse means the only one; beside several,
// none.
std::optional<std::size_t> ViewMouse::panelMeant(std::size_t count, const Pointer& pointer) {
  const bool pressed = ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2);
  if (pressed || !anyButton()) held_panel_ = pointer.panel;
  if (count == 1) return 0;
  if (held_panel_ < 0 || static_cast<std::size_t>(held_panel_) >= count) return std::nullopt;
  return static_cast<std::size_t>(held_panel_);
}

void ViewMouse::moveAxes(Session& session, const Ui& ui, const render::PlotArea& area, const Pointer& pointer,
                         bool with_tool) {
  const std::optional<Extent> extent = extentOf(session);
  if (!extent || !(area.width > 0 && area.height > 0)) return;
  const ImGuiIO& io = ImGui::GetIO();
  render::FigureOptions& options = session.scene.figure;
  const double x_span = extent->x.high - extent->x.low, y_span = extent->y.high - extent->y.low;
  const render::Limits y_room =
      extent->field ? extent->y
                    : render::Limits{extent->y.low - kMostZoomOut * y_span, extent->y.high + kMostZoomOut * y_span};
  if (pointer.hovered && !with_tool && ui.double_click) {
    wants_fit_ = true;
    return;
  }
  if (pointer.hovered && io.MouseWheel != 0) {
    const double factor = std::pow(kZoomPerNotch, -io.MouseWheel);
    const render::Limits x = zoomed(area.x, area.xAt(pointer.at.x), factor);
    const render::Limits y = zoomed(area.y, area.yAt(pointer.at.y), factor);
    const bool zoom_x = extent->field || !io.KeyCtrl, zoom_y = extent->field || io.KeyCtrl;
    const bool room_x = x.high - x.low > kMostZoomIn * x_span, room_y = y.high - y.low > kMostZoomIn * y_span;
    if (extent->field && (x.high - x.low >= x_span || y.high - y.low >= y_span)) {
      usualView(session);
    } else if ((!zoom_x || room_x) && (!zoom_y || room_y)) {
      if (zoom_x) options.x = inside(x, extent->x);
      if (zoom_y) options.y = inside(y, y_room);
    }
  }
  const bool dragging = (!with_tool && ImGui::IsMouseDragging(0, kDragStart)) ||
                        ImGui::IsMouseDragging(1, kDragStart) || ImGui::IsMouseDragging(2, kDragStart);
  if (ImGui::IsItemActive() && dragging) {
    const double dx = io.MouseDelta.x * ui.pixel_ratio / area.width * (area.x.high - area.x.low);
    const double dy = io.MouseDelta.y * ui.pixel_ratio / area.height * (area.y.high - area.y.low);
    if (extent->field || dx != 0) options.x = inside({area.x.low - dx, area.x.high - dx}, extent->x);
    if (extent->field || dy != 0) options.y = inside({area.y.low + dy, area.y.high + dy}, y_room);
  }
}

// Moves the parameters that set the computed part of the plane, instead of the axes. False: the view has no such
// parameters.
bool ViewMouse::moveWindow(Session& session, const Ui& ui, const PanelArea& panel, const Pointer& pointer,
                           bool with_tool) {
  const Description& description = *session.scene.description;
  if (!description.navigate || !description.navigate(session.scene.parameters, {.view = panel.view})) return false;
  const std::optional<Extent> extent = extentOf(session);
  const render::PlotArea& area = panel.area;
  if (!extent || !(area.width > 0 && area.height > 0)) return true;
  const ImGuiIO& io = ImGui::GetIO();
  const double x_span = extent->x.high - extent->x.low, y_span = extent->y.high - extent->y.low;
  if (pointer.hovered && !with_tool && ui.double_click) {
    wants_fit_ = true;
    return true;
  }
  if (pointer.hovered && io.MouseWheel != 0) {
    session.navigate({.view = panel.view,
                      .x = (area.xAt(pointer.at.x) - extent->x.low) / x_span,
                      .y = (area.yAt(pointer.at.y) - extent->y.low) / y_span,
                      .factor = std::pow(kZoomPerNotch, io.MouseWheel)});
  }
  const bool dragging = (!with_tool && ImGui::IsMouseDragging(0, kDragStart)) ||
                        ImGui::IsMouseDragging(1, kDragStart) || ImGui::IsMouseDragging(2, kDragStart);
  if (ImGui::IsItemActive() && dragging && (io.MouseDelta.x != 0 || io.MouseDelta.y != 0)) {
    const double per_x = ui.pixel_ratio / area.width * (area.x.high - area.x.low) / x_span;
    const double per_y = ui.pixel_ratio / area.height * (area.y.high - area.y.low) / y_span;
    session.navigate({.view = panel.view, .dx = io.MouseDelta.x * per_x, .dy = -io.MouseDelta.y * per_y});
  }
  return true;
}

void ViewMouse::moveCamera(Session& session, const Ui& ui, render::Figure& figure, const PanelArea& panel,
                           const Pointer& pointer, bool with_tool) {
  const ImGuiIO& io = ImGui::GetIO();
  render::FigureOptions& options = session.scene.figure;
  if (pointer.hovered && !with_tool && ui.double_click) {
    const std::int64_t body = pointer.panel >= 0 ? bodyAt(figure, pointer.at) : -1;
    if (body >= 0) {
      followBody(session, figure, body);
    } else {
      wants_fit_ = true;
    }
    return;
  }
  const Camera now = options.camera.value_or(Camera{});
  if (pointer.hovered && io.MouseWheel != 0) options.camera = zoomed(now, std::pow(kZoomPerNotch, io.MouseWheel));
  const bool moved_mouse = io.MouseDelta.x != 0 || io.MouseDelta.y != 0;
  if (!ImGui::IsItemActive() || !moved_mouse) return;
  const bool left = !with_tool && ImGui::IsMouseDragging(0, kDragStart);
  const bool right = ImGui::IsMouseDragging(1, kDragStart), middle = ImGui::IsMouseDragging(2, kDragStart);
  // While a tool has the left button the middle one turns.
  const bool turning = (left && !io.KeyShift) || (middle && with_tool);
  if (turning) {
    const double side = std::max(std::min(panel.area.width, panel.area.height) / ui.pixel_ratio, 1.0);
    options.camera = turned(now, io.MouseDelta.x * kHalfTurn / side, io.MouseDelta.y * kHalfTurn / side);
  } else if (left || right || middle) {
    const double dx = io.MouseDelta.x * ui.pixel_ratio, dy = io.MouseDelta.y * ui.pixel_ratio;
    const Camera there = moved(*panel.projection, pointer.at.x - dx, pointer.at.y - dy, pointer.at.x, pointer.at.y);
    options.camera = now;
    options.camera->x = there.x;
    options.camera->y = there.y;
    options.camera->z = there.z;
    options.follow = -1;
  }
}

// At most once for a place of the mouse and a frame; where that is slow, not for every frame of a playing run.
void ViewMouse::lookForBody(render::Figure& figure, const Session& session, const Pointer& pointer) {
  const std::optional<Camera>& camera = session.scene.figure.camera;
  const bool same_place = pointer.at.x == looked_at_.x && pointer.at.y == looked_at_.y && camera == looked_from_;
  const std::uint64_t sequence = session.frame ? session.frame->sequence : 0;
  const bool slow = session.playing() && look_seconds_ > kPatience;
  if (same_place && (sequence == looked_in_ || slow)) return;
  looked_at_ = pointer.at;
  looked_from_ = camera;
  looked_in_ = sequence;
  const auto begin = std::chrono::steady_clock::now();
  body_ = bodyAt(figure, pointer.at);
  body_name_ = body_ >= 0 ? figure.kindName(body_) : std::string();
  look_seconds_ = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace simscope::gui
