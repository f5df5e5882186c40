#include "app/gui/figure_panel.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/export/files.h"
#include "app/gui/view_controls.h"

namespace simscope::gui {

namespace {

constexpr double kZoomPerNotch = 1.2;
constexpr double kMostZoomIn = 1e-4;  // of the domain, or of the value range
constexpr double kMostZoomOut = 20;   // of the value range

bool same(const render::FigureOptions& a, const render::FigureOptions& b) {
  return a.width == b.width && a.height == b.height && a.scale == b.scale && a.theme == b.theme && a.view == b.view &&
         a.shown == b.shown && a.x == b.x && a.y == b.y && a.marker_x == b.marker_x && a.marker_y == b.marker_y &&
         a.colormap == b.colormap && a.reversed == b.reversed && a.range == b.range && a.isolines == b.isolines;
}

render::Limits zoomed(const render::Limits& now, double about, double factor) {
  return {about + (now.low - about) * factor, about + (now.high - about) * factor};
}

// Inside `domain`, keeping the width where it fits.
render::Limits inside(render::Limits wanted, const render::Limits& domain) {
  const double width = std::min(wanted.high - wanted.low, domain.high - domain.low);
  const double low = std::clamp(wanted.low, domain.low, domain.high - width);
  return {low, low + width};
}

// What the figure's axes cover when nobody chose otherwise, from the view's first channel.
struct Extent {
  render::Limits x, y;
  bool field = false;  // x and y are zoomed together, inside the array
};
std::optional<Extent> extentOf(const Session& session) {
  const Shown view = shownOf(*session.scene.description, session.scene.figure.view);
  if (!session.frame || (!view.field && (!view.curves || view.curves->traces.empty()))) return std::nullopt;
  const Channel* channel = session.frame->find(view.field ? view.field->channel : view.curves->traces.front().channel);
  if (!channel) return std::nullopt;
  if (view.field) return Extent{{channel->x_min, channel->x_max}, {channel->y_min, channel->y_max}, true};
  return Extent{{channel->x_min, channel->x_max}, {channel->low, channel->high}};
}

std::filesystem::path newPictureName(const Session& session) {
  const std::string base = fmt::format("{}-step{}", session.scene.description->id, session.status.steps);
  std::filesystem::path path = base + ".png";
  for (int i = 2; std::filesystem::exists(path); ++i) path = fmt::format("{}-{}.png", base, i);
  return path;
}

}  // namespace

FigurePanel::FigurePanel() = default;

Rect FigurePanel::plotPlace() const {
  const render::PlotArea& area = figure_.plotArea();
  const auto units = [&](double pixels) { return static_cast<float>(pixels) / pixel_ratio_; };
  return {place_.x + units(area.left), place_.y + units(area.top), units(area.width), units(area.height)};
}

FigureActions FigurePanel::draw(Session& session, Ui& ui) {
  const FigureActions actions = drawToolbar(session, ui);
  tools_.drawBar(session, ui);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  pixel_ratio_ = ui.pixel_ratio;
  place_ = {std::round(at.x), std::round(at.y), std::floor(room.x), std::floor(room.y)};
  render::FigureOptions options = session.scene.figure;
  options.width = static_cast<int>(std::lround(place_.width * pixel_ratio_));
  options.height = static_cast<int>(std::lround(place_.height * pixel_ratio_));
  options.scale = session.scene.figure.scale * ui.scale * pixel_ratio_;
  if (options.width < kSmallestSide || options.height < kSmallestSide) return actions;

  // Messages lie above the figure, yet come first: of two items at one place the first has the mouse.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  drawMessages(session, ui, place_);
  list.ChannelsSetCurrent(0);
  ImGui::SetCursorScreenPos({place_.x, place_.y});
  ImGui::InvisibleButton(
      "figure", {place_.width, place_.height},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  ui.mark("figure");
  followMouse(session, ui);
  // The mouse may have moved the axes just now.
  options.x = session.scene.figure.x;
  options.y = session.scene.figure.y;
  if (marker_) options.marker_x = marker_->x;
  if (marker_ && marker_->field) options.marker_y = marker_->y;
  redraw(session, options);

  if (drawn_) {
    const auto texture = (ImTextureID)(intptr_t)figure_.texture();
    list.AddImage(texture, {place_.x, place_.y}, {place_.x + place_.width, place_.y + place_.height}, {0, 1}, {1, 0});
    if (tool_over_plot_) tools_.drawCursor(session, ui, list, plotPlace());
  } else {
    list.AddText({place_.x + ui.px(20), place_.y + ui.px(20)}, toU32(ui.colours().dim),
                 failure_.empty() ? "Preparing the first frame..." : failure_.c_str());
  }
  list.ChannelsMerge();
  return actions;
}

void FigurePanel::redraw(Session& session, const render::FigureOptions& options) {
  const Frame* frame = session.frame;
  if (!frame || !session.status.description) return;
  const ParameterSet& parameters = session.status.parameters;
  if (drawn_ && drawn_->sequence == frame->sequence && drawn_->description == session.status.description &&
      same(drawn_->options, options) && drawn_->parameters == parameters) {
    return;
  }
  const bool new_frame = !drawn_ || drawn_->sequence != frame->sequence;
  try {
    figure_.draw(*session.status.description, parameters, *frame, options);
    drawn_ = Drawn{frame->sequence, session.status.description, parameters, options};
    failure_.clear();
    if (new_frame) session.countDrawn();
  } catch (const std::exception& error) {
    // Said once; the next frame may work again.
    if (failure_ != error.what()) session.say(Message::Level::Error, error.what());
    failure_ = error.what();
  }
}

void FigurePanel::followMouse(Session& session, const Ui& ui) {
  const ImGuiIO& io = ImGui::GetIO();
  marker_.reset();
  tool_over_plot_ = false;
  const std::optional<Extent> extent = extentOf(session);
  if (!drawn_ || !extent) return;
  const render::PlotArea& area = figure_.plotArea();
  if (!(area.width > 0 && area.height > 0)) return;
  render::FigureOptions& options = session.scene.figure;
  const double px = (io.MousePos.x - place_.x) * ui.pixel_ratio, py = (io.MousePos.y - place_.y) * ui.pixel_ratio;
  const bool hovered = ImGui::IsItemHovered();
  const bool over_plot =
      hovered && px >= area.left && px <= area.left + area.width && py >= area.top && py <= area.top + area.height;
  const double x_span = extent->x.high - extent->x.low, y_span = extent->y.high - extent->y.low;
  const render::Limits y_room =
      extent->field ? extent->y
                    : render::Limits{extent->y.low - kMostZoomOut * y_span, extent->y.high + kMostZoomOut * y_span};

  tools_.followMouse(session, ui, area, place_, over_plot);
  const bool with_tool = tools_.active(session);
  tool_over_plot_ = with_tool && (over_plot || tools_.stroking());
  if (hovered && !with_tool && ImGui::IsMouseDoubleClicked(0)) {
    fit(session);
    return;
  }
  if (hovered && with_tool && io.KeyShift) {
    // Some systems turn the wheel with Shift into one that scrolls sideways.
    tools_.resize(io.MouseWheel + io.MouseWheelH);
  } else if (hovered && io.MouseWheel != 0) {
    const double factor = std::pow(kZoomPerNotch, -io.MouseWheel);
    const render::Limits x = zoomed(area.x, area.xAt(px), factor), y = zoomed(area.y, area.yAt(py), factor);
    const bool zoom_x = extent->field || !io.KeyCtrl, zoom_y = extent->field || io.KeyCtrl;
    const bool room_x = x.high - x.low > kMostZoomIn * x_span, room_y = y.high - y.low > kMostZoomIn * y_span;
    if (extent->field && (x.high - x.low >= x_span || y.high - y.low >= y_span)) {
      fit(session);
    } else if ((!zoom_x || room_x) && (!zoom_y || room_y)) {
      if (zoom_x) options.x = inside(x, extent->x);
      if (zoom_y) options.y = inside(y, y_room);
    }
  }
  const bool dragging =
      (!with_tool && ImGui::IsMouseDragging(0, 3)) || ImGui::IsMouseDragging(1, 3) || ImGui::IsMouseDragging(2, 3);
  if (ImGui::IsItemActive() && !tools_.stroking() && dragging) {
    const double dx = io.MouseDelta.x * ui.pixel_ratio / area.width * (area.x.high - area.x.low);
    const double dy = io.MouseDelta.y * ui.pixel_ratio / area.height * (area.y.high - area.y.low);
    if (extent->field || dx != 0) options.x = inside({area.x.low - dx, area.x.high - dx}, extent->x);
    if (extent->field || dy != 0) options.y = inside({area.y.low + dy, area.y.high + dy}, y_room);
  } else if (over_plot && !with_tool) {
    marker_ = Marker{area.xAt(px), area.yAt(py), extent->field};
  }
}

void FigurePanel::fit(Session& session) {
  session.scene.figure.x.reset();
  session.scene.figure.y.reset();
}

void FigurePanel::savePicture(Session& session) {
  if (!drawn_ || !session.frame) return;
  try {
    render::FigureOptions options = drawn_->options;
    options.marker_x.reset();
    options.marker_y.reset();
    figure_.draw(*session.status.description, session.status.parameters, *session.frame, options);
    const std::vector<std::uint8_t> picture = figure_.read();
    drawn_->options = options;

    // `simscope render` of the embedded scene ends at this step and draws this picture.
    Scene scene = session.scene;
    scene.parameters = session.status.parameters;
    scene.figure = options;
    const std::int64_t steps = session.status.steps;
    const std::int64_t per_frame = std::max(1, scene.steps_per_frame);
    if (steps % per_frame == 0 && steps / per_frame < kMostFrames) {
      scene.frames = static_cast<int>(steps / per_frame) + 1;
    } else if (steps <= kMostStepsPerFrame) {
      scene.frames = 2;
      scene.steps_per_frame = static_cast<int>(steps);
    }
    const std::filesystem::path file = newPictureName(session);
    exporting::writePng(file, options.width, options.height, picture, toJson(scene), false);
    session.last_file = std::filesystem::absolute(file).string();
    session.say(Message::Level::Info, fmt::format("Wrote {}{}", session.last_file, session.pokedNote()));
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

FigureActions FigurePanel::drawToolbar(Session& session, Ui& ui) {
  FigureActions actions;
  const float right = ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x;
  const float gap = ui.px(6);
  const bool wide = ImGui::GetContentRegionAvail().x > ui.px(640);
  const char* const fit_label = wide ? "Fit" : "";
  const char* const picture_label = wide ? "Picture" : "";
  const float buttons = iconButtonWidth(ui, Icon::Fit, fit_label) + iconButtonWidth(ui, Icon::Picture, picture_label) +
                        iconButtonWidth(ui, Icon::Theme, "") + 2 * gap;
  ImGui::AlignTextToFramePadding();
  drawViewControls(session, ui, right - buttons - ui.px(10));
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(right - buttons);
  if (iconButton(ui, "fit", Icon::Fit, fit_label, "Fit the axes to the frame  (F, or double click on the figure)")) {
    fit(session);
  }
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "picture", Icon::Picture, picture_label,
                 "Save the figure as it is, as a PNG in the working folder  (P)")) {
    savePicture(session);
  }
  ImGui::SameLine(0, gap);
  actions.toggle_theme = iconButton(ui, "theme", Icon::Theme, "", "Dark or light");
  return actions;
}

void FigurePanel::drawMessages(Session& session, Ui& ui, const Rect& place) {
  const Palette& p = ui.colours();
  float bottom = place.bottom() - ui.px(10);
  std::optional<std::size_t> dismissed;
  for (std::size_t back = session.messages.size(); back > 0; --back) {
    const Message& message = session.messages[back - 1];
    const ImVec4& colour = message.level == Message::Level::Error     ? p.error
                           : message.level == Message::Level::Warning ? p.warning
                                                                      : p.good;
    const float cross = ui.px(22), pad = ui.px(10);
    const float most = std::min(place.width - ui.px(24), ui.px(720));
    const float wrap = most - cross - 3 * pad;
    const ImVec2 text = ImGui::CalcTextSize(message.text.c_str(), nullptr, false, wrap);
    const ImVec2 size(text.x + cross + 3 * pad, std::max(text.y, ImGui::GetFontSize()) + 2 * ui.px(8));
    const ImVec2 at(std::round(place.x + (place.width - size.x) / 2), std::round(bottom - size.y));
    if (at.y < place.y) break;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 end(at.x + size.x, at.y + size.y);
    list.AddRectFilled(at, end, toU32(p.panel, 0.97f), ui.px(6));
    list.AddRect(at, end, toU32(colour), ui.px(6), 0, std::max(1.0f, ui.scale));
    list.AddText(nullptr, 0, {at.x + pad, at.y + ui.px(8)}, toU32(p.text), message.text.c_str(), nullptr, wrap);
    ImGui::SetCursorScreenPos({end.x - cross - ui.px(5), at.y + ui.px(4)});
    ImGui::PushID(static_cast<int>(back));
    if (iconButton(ui, back == session.messages.size() ? "dismiss" : "dismiss_older", Icon::Cross, "", "Dismiss",
                   Emphasis::Quiet, cross)) {
      dismissed = back - 1;
    }
    ImGui::PopID();
    bottom = at.y - ui.px(6);
  }
  if (dismissed) session.dismiss(*dismissed);
}

}  // namespace simscope::gui
