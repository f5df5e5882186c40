#include "app/gui/panels/figure/mouse_tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/figure/shape_choice.h"
#include "app/session/tool_views.h"

namespace simscope::gui {

namespace {

constexpr double kResizePerNotch = 1.15;
constexpr double kLargestShare = 0.5;  // of the plot's side that radii are measured by
constexpr double kLeastPoints = 1;

const PanelArea* panelOf(std::span<const PanelArea> panels, const std::string& view) {
  const auto found = std::find_if(panels.begin(), panels.end(), [&](const PanelArea& p) { return p.view == view; });
  return found == panels.end() ? nullptr : &*found;
}

}  // namespace

std::vector<const ToolInfo*> MouseTools::offered(const Session& session) {
  std::vector<const ToolInfo*> tools;
  for (const ToolInfo& tool : session.scene.description->tools) {
    const auto same = [&](const ToolInfo* each) {
      return each->gesture == Gesture::Edit && each->edit.object == tool.edit.object;
    };
    const bool known = tool.gesture == Gesture::Edit && std::any_of(tools.begin(), tools.end(), same);
    if (!known && tool.relevant.holds(session.scene.parameters)) tools.push_back(&tool);
  }
  return tools;
}

const std::string& MouseTools::titleOf(const ToolInfo& tool) {
  return tool.gesture == Gesture::Edit ? tool.edit.object : tool.title;
}

const ToolInfo* MouseTools::editing(const Session& session) const {
  const ToolInfo* tool = session.takesInput() ? info(session) : nullptr;
  return tool && tool->gesture == Gesture::Edit ? tool : nullptr;
}

const ToolInfo* MouseTools::info(const Session& session) const {
  for (const ToolInfo* tool : offered(session)) {
    if (tool->key == tool_) return tool;
  }
  return nullptr;
}

void MouseTools::choose(const Session& session, int number) {
  const std::vector<const ToolInfo*> tools = offered(session);
  if (number == 0) tool_.clear();
  if (number > 0 && static_cast<std::size_t>(number) <= tools.size()) {
    tool_ = tools[static_cast<std::size_t>(number) - 1]->key;
  }
}

void MouseTools::escape() {
  const bool held = stroke_ && (stroke_->gesture() == Gesture::Launch || stroke_->shape() != DrawnShape::Freehand);
  if (held) {
    stroke_.reset();
    called_off_ = true;
  } else {
    tool_.clear();
  }
}

std::vector<DrawnShape> MouseTools::shapesAtHand(const Session& session) const {
  const ToolInfo* tool = info(session);
  const bool draws = tool && drawsShapesWithin(*session.scene.description, *tool, session.scene.figure.view);
  return draws ? shapesOf(*tool) : std::vector<DrawnShape>{};
}

DrawnShape MouseTools::shape(const Session& session) const {
  const std::vector<DrawnShape> shapes = shapesAtHand(session);
  return std::find(shapes.begin(), shapes.end(), shape_) != shapes.end() ? shape_ : DrawnShape::Freehand;
}

void MouseTools::nextShape(const Session& session) {
  const std::vector<DrawnShape> shapes = shapesAtHand(session);
  if (shapes.empty()) return;
  const auto at = std::find(shapes.begin(), shapes.end(), shape(session));
  shape_ = at + 1 == shapes.end() ? shapes.front() : *(at + 1);
}

MouseTools::Settings& MouseTools::settingsOf(const Session& session, const ToolInfo& tool) const {
  return settings_[session.scene.description->id + "." + tool.key];
}

double MouseTools::most() const {
  return kLargestShare * reference_;
}
double MouseTools::least() const {
  return std::clamp(half_cell_, kLeastPoints, 0.5 * most());
}

double MouseTools::radiusOf(const Session& session, const ToolInfo& tool) const {
  const double share = settingsOf(session, tool).share;
  return std::clamp((share > 0 ? share : tool.size) * reference_, least(), most());
}

float MouseTools::radius(const Session& session) const {
  const ToolInfo* tool = info(session);
  return tool && tool->gesture == Gesture::Paint ? static_cast<float>(radiusOf(session, *tool)) : 0;
}

const ToolInfo* MouseTools::actingOn(const Session& session, const std::string& view) const {
  const ToolInfo* tool = session.takesInput() ? info(session) : nullptr;
  const Description& description = *session.scene.description;
  return tool && actsOn(description, *tool, description.view(view)) ? tool : nullptr;
}

bool MouseTools::hasRadius(const Session& session) const {
  const ToolInfo* tool = info(session);
  return tool && tool->gesture == Gesture::Paint && hasLine(shape(session));
}

void MouseTools::resize(const Session& session, float notches) {
  const ToolInfo* tool = info(session);
  if (!tool || notches == 0) return;
  const double wanted = radiusOf(session, *tool) * std::pow(kResizePerNotch, static_cast<double>(notches));
  settingsOf(session, *tool).share = std::clamp(wanted, least(), most()) / reference_;
}

// The radius reads in the units of the panel that the tool is on, else of the first that it acts on.
void MouseTools::measure(const Session& session, const Ui& ui, const PanelArea& panel) {
  units_per_point_ = unitsPerPixel(panel) * ui.pixel_ratio;
  const View& view = session.scene.description->view(panel.view);
  const double width = panel.area.width / ui.pixel_ratio, height = panel.area.height / ui.pixel_ratio;
  reference_ = std::max(domainOf(view) == Domain::Line ? width : std::min(width, height), 1.0);
  half_cell_ = 0;
  const auto* field = view.as<FieldView>();
  const Channel* channel = field && session.frame ? session.frame->find(field->channel) : nullptr;
  if (channel && channel->width > 0 && units_per_point_ > 0) {
    half_cell_ = 0.5 * std::abs(channel->x_max - channel->x_min) / channel->width / units_per_point_;
  }
}

void MouseTools::followMouse(Session& session, const Ui& ui, std::span<const PanelArea> panels, PixelPlace mouse,
                             int panel) {
  if (!info(session)) tool_.clear();
  const PanelArea* under = panel >= 0 ? &panels[static_cast<std::size_t>(panel)] : nullptr;
  const ToolInfo* tool = under ? actingOn(session, under->view) : nullptr;
  const bool any_button = ImGui::IsMouseDown(0) || ImGui::IsMouseDown(1) || ImGui::IsMouseDown(2);
  called_off_ = called_off_ && any_button;

  const PanelArea* at = stroke_ ? panelOf(panels, stroke_view_) : under;
  if (stroke_ && (!at || !actingOn(session, at->view))) stroke_.reset();
  const auto acts = [&](const PanelArea& each) { return actingOn(session, each.view) != nullptr; };
  const auto first = std::find_if(panels.begin(), panels.end(), acts);
  if (at && acts(*at)) {
    measure(session, ui, *at);
  } else if (first != panels.end()) {
    measure(session, ui, *first);
  }
  if (stroke_ && stroke_->gesture() == Gesture::Launch && ImGui::IsMouseClicked(1)) escape();

  const MouseStroke::Tip tip = tipOf(session);
  const auto send = [&](std::vector<Brush> events) {
    for (Brush& event : events) session.poke(std::move(event));
  };
  const bool strokes = tool && tool->gesture != Gesture::Edit;
  if (strokes && !holdsMouse() && ImGui::IsItemActive() && ImGui::IsMouseClicked(0)) {
    stroke_.emplace(tool_, tool->gesture, domainOf(session.scene.description->view(under->view)), shape(session));
    stroke_view_ = under->view;
    pokes_before_ = session.pokes;
    send(stroke_->press(spotAt(*under, mouse), tip));
  } else if (stroke_) {
    send(stroke_->move(spotAt(*at, mouse), tip, ImGui::GetIO().KeyShift));
  }
  if (stroke_ && !ImGui::IsMouseDown(0)) {
    send(stroke_->release(tip));
    stroke_.reset();
    const ToolInfo* used = info(session);
    if (session.pokes != pokes_before_ && used && !used->observes) session.finishStroke();
  }
}

void MouseTools::drawCursor(const Session& session, const Ui& ui, ImDrawList& list, std::span<const PanelArea> panels,
                            const Rect& place, int panel) const {
  if (called_off_) return;
  const PanelArea* used = panel >= 0 ? &panels[static_cast<std::size_t>(panel)] : nullptr;
  if (stroke_) used = panelOf(panels, stroke_view_);
  const ToolInfo* tool = used ? actingOn(session, used->view) : nullptr;
  if (!tool || tool->gesture == Gesture::Edit) return;
  const PanelArea& at = *used;
  const auto x = [&](double pixel) { return place.x + static_cast<float>(pixel) / ui.pixel_ratio; };
  const auto y = [&](double pixel) { return place.y + static_cast<float>(pixel) / ui.pixel_ratio; };
  const Rect plot{x(at.area.left), y(at.area.top), static_cast<float>(at.area.width) / ui.pixel_ratio,
                  static_cast<float>(at.area.height) / ui.pixel_ratio};
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  const View& view = session.scene.description->view(at.view);
  DrawnShape drawn = drawsShapes(*tool, domainOf(view)) ? shape(session) : DrawnShape::Freehand;
  if (stroke_) drawn = stroke_->shape();
  const auto reach = static_cast<float>(radiusOf(session, *tool));
  if (tool->gesture == Gesture::Paint && stroke_ && stroke_->begun() && drawn != DrawnShape::Freehand &&
      drawn != DrawnShape::Fill) {
    const ShapePreview preview{drawn, stroke_->start(), stroke_->last(), units_per_point_ * radiusOf(session, *tool),
                               reach};
    drawShapePreview(ui, list, at, place, preview);
    drawTag(ui, list, plot, mouse, sizeText(preview, xAxisOf(view).unit));
  } else if (tool->gesture == Gesture::Paint && !hasLine(drawn)) {
    drawCross(ui, list, mouse, stroking());
  } else if (tool->gesture == Gesture::Paint) {
    drawReach(ui, list, domainOf(view), plot, mouse, reach, stroking());
  } else if (!stroke_ || tool->gesture == Gesture::Place || !stroke_->begun()) {
    drawCross(ui, list, mouse, stroking());
  } else if (const auto start = pixelOf(at, stroke_->domain(), stroke_->start())) {
    const bool line = stroke_->domain() == Domain::Line;
    const ImVec2 from(x(start->x), line ? mouse.y : y(start->y));
    drawLaunch(ui, list, plot, from, mouse, launchText(session, *tool));
  }
  list.PopClipRect();
}

// In units where the simulation tells them, else how long the drag is.
std::string MouseTools::launchText(const Session& session, const ToolInfo& tool) const {
  std::string text;
  if (tool.readings && session.frame) {
    const Brush brush = stroke_->aimed(tipOf(session));
    for (const LaunchReading& each : tool.readings(session.scene.parameters, brush, *session.frame)) {
      text += fmt::format("{}{} = {}{}", text.empty() ? "" : "    ", each.symbol, shortNumber(each.value),
                          each.unit.empty() ? "" : " " + each.unit);
      if (!each.of.empty()) text += fmt::format(" = {} {}", shortNumber(each.share), each.of);
    }
  }
  if (!text.empty()) return text;
  const std::string& unit = xAxisOf(session.scene.description->view(stroke_view_)).unit;
  const std::string length = shortNumber(distance(stroke_->start(), stroke_->last()));
  return unit.empty() ? length : length + " " + unit;
}

MouseStroke::Tip MouseTools::tipOf(const Session& session) const {
  const ToolInfo* tool = info(session);
  if (!tool) return {};
  return {units_per_point_ * radiusOf(session, *tool), settingsOf(session, *tool).strength};
}

}  // namespace simscope::gui
