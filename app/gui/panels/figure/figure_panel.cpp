#include "app/gui/panels/figure/figure_panel.h"
#include "app/export/png.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "app/export/files.h"
#include "app/gui/panels/figure/orbit.h"
#include "app/gui/panels/figure/view_controls.h"
#include "app/gui/window/clipboard.h"
#include "app/session/tool_views.h"
#include "sims/foreign/words.h"

namespace simscope::gui {

namespace {

const ImVec4& levelColour(const UiColours& p, Message::Level level) {
  if (level == Message::Level::Error) return p.error;
  return level == Message::Level::Warning ? p.warning : p.good;
}

std::filesystem::path newPictureName(const Session& session) {
  const std::string base = fmt::format("{}-step{}", session.scene.description->id, session.status.steps);
  std::filesystem::path path = base + ".png";
  for (int i = 2; std::filesystem::exists(path); ++i) path = fmt::format("{}-{}.png", base, i);
  return path;
}

}  // namespace

FigurePanel::FigurePanel() = default;

Rect FigurePanel::inWindow(const render::PlotArea& area) const {
  const auto units = [&](double pixels) { return static_cast<float>(pixels) / pixel_ratio_; };
  return {place_.x + units(area.left), place_.y + units(area.top), units(area.width), units(area.height)};
}

Rect FigurePanel::plotPlace() const {
  return inWindow(figure_.plotArea());
}

std::vector<std::pair<std::string, Rect>> FigurePanel::panelPlaces() const {
  std::vector<std::pair<std::string, Rect>> places;
  for (const PanelArea& panel : figure_.panels()) places.emplace_back(panel.view, inWindow(panel.area));
  return places;
}

bool FigurePanel::showsSpace(const Session& session) const {
  const View* view = mainView(*session.scene.description, session.scene.figure.view);
  return view && domainOf(*view) == Domain::Space;
}

void FigurePanel::turn(Session& session, double right, double down) const {
  render::FigureOptions& options = session.scene.figure;
  if (showsSpace(session)) options.camera = turned(options.camera.value_or(Camera{}), right, down);
}

void FigurePanel::magnify(Session& session, double factor) const {
  render::FigureOptions& options = session.scene.figure;
  if (showsSpace(session)) options.camera = zoomed(options.camera.value_or(Camera{}), factor);
}

void FigurePanel::nextStandpoint(Session& session) const {
  if (!showsSpace(session)) return;
  const Camera camera = session.scene.figure.camera.value_or(Camera{});
  const auto next = static_cast<std::size_t>(standpointOf(camera) + 1) % standpoints().size();
  session.scene.figure.camera = seenFrom(camera, standpoints()[next]);
}

FigureActions FigurePanel::draw(Session& session, Ui& ui) {
  // In a very low window the figure comes first: menus, keys, and the palette do as much as the toolbar.
  const bool alone = ui.presenting || ImGui::GetContentRegionAvail().y < ui.px(150);
  const FigureActions actions = alone ? FigureActions{} : drawToolbar(session, ui);
  if (!alone) tools_.drawBar(session, ui);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 room = ImGui::GetContentRegionAvail();
  pixel_ratio_ = ui.pixel_ratio;
  place_ = {std::round(at.x), std::round(at.y), std::floor(room.x), std::floor(room.y)};
  render::FigureOptions options = session.scene.figure;
  options.width = static_cast<int>(std::lround(place_.width * pixel_ratio_));
  options.height = static_cast<int>(std::lround(place_.height * pixel_ratio_));
  options.scale = scaleOnScreen(session.scene.figure.scale, ui.scale * pixel_ratio_);
  options.supersampling = 1;  // live pictures are to be quick
  if (options.width < kSmallestSide || options.height < kSmallestSide) return actions;

  // Messages lie above the figure but are drawn first: of two items at one place, the first gets the mouse.
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  drawMessages(session, ui, place_);
  drawFollowed(session, ui);
  objects_.drawCard(session, ui, figure_.panels(), place_);
  list.ChannelsSetCurrent(0);
  ImGui::SetCursorScreenPos({place_.x, place_.y});
  const MouseOnly mouse_only;
  ImGui::InvisibleButton(
      "figure", {place_.width, place_.height},
      ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight | ImGuiButtonFlags_MouseButtonMiddle);
  ui.mark("figure");
  followMouse(session, ui);
  // The mouse may have moved the view just now.
  options.x = session.scene.figure.x;
  options.y = session.scene.figure.y;
  options.camera = session.scene.figure.camera;
  options.follow = session.scene.figure.follow;
  if (const auto& marker = mouse_.marker()) {
    options.marker_panel = marker->panel;
    options.marker_x = marker->x;
    if (marker->field) options.marker_y = marker->y;
  }
  redraw(session, options);
  // The new picture may have other panels than those on which the mouse was followed.
  if (pointer_.hovered) pointer_.panel = panelAt(figure_.panels(), pointer_.at);
  readMarks(session);

  if (drawn_) {
    const auto texture = (ImTextureID)(intptr_t)figure_.texture();
    list.AddImage(texture, {place_.x, place_.y}, {place_.x + place_.width, place_.y + place_.height}, {0, 1}, {1, 0});
    drawOverlays(session, ui, list);
  } else {
    list.AddText({place_.x + ui.px(20), place_.y + ui.px(20)}, toU32(ui.colours().dim),
                 failure_.empty() ? "Preparing the first frame..." : failure_.c_str());
  }
  list.ChannelsMerge();
  return actions;
}

void FigurePanel::redraw(Session& session, const render::FigureOptions& options) {
  const Frame* frame = session.frame;
  if (!frame || session.status.description != session.scene.description) return;  // the last picture stands
  const std::vector<std::string> needed = render::neededChannels(*session.status.description, options);
  std::vector<std::string> shown = needed;
  std::vector<std::string> more = readings_.curveChannels(*session.status.description, frame->parameters);
  for (std::string& key : objects_.channels()) more.push_back(std::move(key));
  for (std::string& key : more) {
    if (std::find(shown.begin(), shown.end(), key) == shown.end()) shown.push_back(std::move(key));
  }
  session.showChannels(shown);
  // Another view was chosen just now: the last picture stands until its channels come.
  if (!std::all_of(needed.begin(), needed.end(), [&](const std::string& key) { return frame->wants(key); })) return;
  const ParameterSet& parameters = frame->parameters;
  if (drawn_ && drawn_->sequence == frame->sequence && drawn_->description == session.status.description &&
      drawn_->options == options && drawn_->parameters == parameters) {
    return;
  }
  const bool new_frame = !drawn_ || drawn_->sequence != frame->sequence;
  try {
    redrawn_ = true;
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

// Reads marks and objects in the frame that is drawn: the figure can read its channels.
void FigurePanel::readMarks(Session& session) {
  if (!drawn_ || !session.frame || drawn_->sequence != session.frame->sequence) return;
  if (drawn_->description != session.scene.description) return;
  std::vector<std::string> shown;
  for (const PanelArea& panel : figure_.panels()) shown.push_back(panel.view);
  try {
    objects_.read(session, figure_);
    if (followFit(session)) return;
    readings_.follow(session.scene, *session.frame, session.status.epoch, shown, figure_);
  } catch (const std::exception& error) {
    if (failure_ != error.what()) session.say(Message::Level::Error, error.what());
    failure_ = error.what();
  }
}

// The present picture is drawn again, so that the cost is shown in a paused run, too.
void FigurePanel::sendThroughHost(bool wanted) {
  if (std::exchange(through_host_, wanted) == wanted) return;
  figure_.sendThroughHost(wanted);
  drawn_.reset();
}

void FigurePanel::followMouse(Session& session, const Ui& ui) {
  pointer_ = {};
  if (!drawn_ || drawn_->description != session.scene.description) {
    mouse_.forget();
    return;
  }
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  pointer_.at = {(mouse.x - place_.x) * ui.pixel_ratio, (mouse.y - place_.y) * ui.pixel_ratio};
  pointer_.hovered = ImGui::IsItemHovered();
  if (pointer_.hovered) pointer_.panel = panelAt(figure_.panels(), pointer_.at);
  if (!tools_.taken().empty()) measure_.put();
  const MeasureTools::Mouse on{pointer_.at, pointer_.hovered, ImGui::IsItemActive(), pointer_.panel};
  if (!tools_.holdsMouse() && measure_.followMouse(session, ui, figure_.panels(), on)) return mouse_.forget();
  tools_.followMouse(session, ui, figure_.panels(), pointer_.at, pointer_.panel);
  if (objects_.followMouse(session, ui, figure_, tools_, {pointer_.at, pointer_.hovered, pointer_.panel})) {
    return mouse_.forget();
  }
  mouse_.follow(session, ui, figure_, tools_, pointer_);
  if (mouse_.takeFit()) fit(session);
}

void FigurePanel::drawOverlays(const Session& session, Ui& ui, ImDrawList& list) const {
  if (drawn_->description == session.scene.description) {
    measure_.draw(session, ui, list, figure_.panels(), place_, readings_);
    objects_.draw(session, ui, list, figure_.panels(), place_);
  }
  tools_.drawCursor(session, ui, list, figure_.panels(), place_, pointer_.panel);
  const bool marked = tools_.editing(session) && mouse_.body() == objects_.edit().number();
  if (mouse_.body() < 0 || pointer_.panel < 0 || marked) return;
  const PanelArea& panel = figure_.panels()[static_cast<std::size_t>(pointer_.panel)];
  if (!panel.projection) return;  // bodies were seen in the picture before
  const Rect plot = inWindow(panel.area);
  const ImVec2 at = ImGui::GetIO().MousePos;
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  drawReach(ui, list, Domain::Space, plot, at, ui.px(14), false);
  const bool followed = mouse_.body() == session.scene.figure.follow;
  const std::string name = mouse_.bodyName().empty() ? "" : ": " + mouse_.bodyName();
  const char* offer = followed ? "" : "   double click: follow";
  if (tools_.editing(session)) offer = "   click: edit";
  drawTag(ui, list, plot, at, fmt::format("body {}{}{}", mouse_.body(), name, offer));
  list.PopClipRect();
}

void FigurePanel::drawFollowed(Session& session, Ui& ui) {
  const std::int64_t body = session.scene.figure.follow;
  if (body < 0 || !drawn_ || !showsSpace(session)) return;
  const Rect plot = plotPlace();
  const std::string label = fmt::format("Following body {}", body);
  ImGui::SetCursorScreenPos({std::round(plot.x + ui.px(8)), std::round(plot.y + ui.px(8))});
  if (removablePill(ui, "unfollow", label, "Stop following; the view stays")) followBody(session, figure_, -1);
}

// The figure without the marker, and the scene that ends at this step.
FigurePanel::Shot FigurePanel::shoot(Session& session) {
  render::FigureOptions options = drawn_->options;
  options.marker_x.reset();
  options.marker_y.reset();
  options.marker_panel = 0;
  options.supersampling = session.scene.figure.supersampling;
  redrawn_ = true;
  figure_.draw(*session.status.description, session.frame->parameters, *session.frame, options);
  Shot shot{options.width, options.height, figure_.read(), {}};
  drawn_->options = options;

  // `simscope render` of the embedded scene ends at this step and draws this picture.
  Scene scene = session.scene;
  scene.parameters = session.status.parameters;
  scene.figure = options;
  scene.view_changes.clear();
  const std::int64_t steps = session.status.steps;
  const std::int64_t per_frame = std::max(1, scene.steps_per_frame);
  if (steps % per_frame == 0 && steps / per_frame < kMostFrames) {
    scene.frames = static_cast<int>(steps / per_frame) + 1;
  } else if (steps <= kMostStepsPerFrame) {
    scene.frames = 2;
    scene.steps_per_frame = static_cast<int>(steps);
  }
  shot.scene = toJson(scene);
  return shot;
}

void FigurePanel::savePicture(Session& session) {
  if (!drawn_ || !session.frame) return;
  try {
    const Shot shot = shoot(session);
    const std::filesystem::path file = newPictureName(session);
    exporting::writePng(file, shot.width, shot.height, shot.rgb, shot.scene, false);
    session.last_file = exporting::shownName(file).string();
    session.say(Message::Level::Info, "Wrote " + foreign::shownFile(session.last_file));
  } catch (const std::exception& error) {
    session.say(Message::Level::Error, error.what());
  }
}

void FigurePanel::copyPicture(Session& session, Clipboard& clipboard) {
  if (!drawn_ || !session.frame) return;
  try {
    clipboard.copyPicture("the figure", newPictureName(session), [shot = shoot(session)] {
      return exporting::encodedPng(shot.width, shot.height, shot.rgb, shot.scene);
    });
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
  // Beside a list without room for its name: what menus and keys do as well.
  const bool tight = ImGui::GetContentRegionAvail().x < ui.px(300);
  const float measure = tight ? 0 : measure_.buttonWidth(session, ui, figure_.panels(), wide);
  const float fit_width = iconButtonWidth(ui, Icon::Fit, fit_label);
  float buttons = fit_width;
  if (!tight) {
    buttons += iconButtonWidth(ui, Icon::Picture, picture_label) + iconButtonWidth(ui, Icon::Theme, "") + 2 * gap;
    if (measure > 0) buttons += measure + gap;
  }
  ImGui::AlignTextToFramePadding();
  drawViewControls(session, ui, right - buttons - ui.px(10));
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPosX(right - buttons);
  const auto former = measure_.taken();
  if (measure > 0) measure_.drawButton(session, ui, figure_.panels(), wide);
  if (measure_.taken() && measure_.taken() != former) tools_.choose(session, 0);  // the mouse has one tool
  if (measure > 0) ImGui::SameLine(0, gap);
  const char* const fit_help =
      showsSpace(session) ? "Show all bodies, from the initial direction  (F, or double click beside the bodies)"
                          : "Fit the axes to the data  (F, or double click on the figure)";
  if (iconButton(ui, "fit", Icon::Fit, fit_label, fit_help)) fit(session);
  if (tight) return actions;
  ImGui::SameLine(0, gap);
  if (iconButton(ui, "picture", Icon::Picture, picture_label, "Save the figure as a PNG in the working folder  (P)")) {
    savePicture(session);
  }
  ImGui::SameLine(0, gap);
  actions.toggle_theme = iconButton(ui, "theme", Icon::Theme, "",
                                    "Dark or light (for slides and print, see Look among the view's controls)");
  return actions;
}

void FigurePanel::drawMessages(Session& session, Ui& ui, const Rect& place) {
  const UiColours& p = ui.colours();
  float bottom = place.bottom() - ui.px(10);
  std::optional<std::size_t> dismissed;
  for (std::size_t back = session.messages.size(); back > 0; --back) {
    const Message& message = session.messages[back - 1];
    const ImVec4& colour = levelColour(p, message.level);
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
    const ScopedId id(back);
    if (iconButton(ui, back == session.messages.size() ? "dismiss" : "dismiss_older", Icon::Cross, "", "Dismiss",
                   Emphasis::Quiet, cross)) {
      dismissed = back - 1;
    }
    bottom = at.y - ui.px(6);
  }
  if (dismissed) session.dismiss(*dismissed);
}

}  // namespace simscope::gui
