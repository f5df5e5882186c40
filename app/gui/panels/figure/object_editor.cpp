#include "app/gui/panels/figure/object_editor.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/figure/mouse_tools.h"
#include "app/gui/panels/figure/tool_cursor.h"

namespace simscope::gui {

namespace {

constexpr double kWheelSeconds = 0.6;  // between two notches of one turn
constexpr float kClickReach = 3, kTipReach = 11, kRing = 13;

}  // namespace

const PanelArea* ObjectEditor::panelOf(const Session& session, std::span<const PanelArea> panels) const {
  if (!edit_.selected() || description_ != session.scene.description) return nullptr;
  const std::string& points = edit_.values().front().tool->edit.points;
  for (const PanelArea& panel : panels) {
    const View* view = session.scene.description->findView(panel.view);
    const auto* shown = view ? view->as<PointView>() : nullptr;
    if (panel.projection && shown && shown->channel == points) return &panel;
  }
  return nullptr;
}

std::optional<PixelPlace> ObjectEditor::pixel(const PanelArea& panel) const {
  return edit_.place() ? pixelOf(panel, Domain::Space, *edit_.place()) : std::nullopt;
}

const ObjectEdit::Known* ObjectEditor::vector() const {
  for (const ObjectEdit::Known& each : edit_.values()) {
    if (each.tool->edit.vector && each.value) return &each;
  }
  return nullptr;
}

const ObjectEdit::Known* ObjectEditor::number() const {
  for (const ObjectEdit::Known& each : edit_.values()) {
    if (!each.tool->edit.vector && each.value) return &each;
  }
  return nullptr;
}

std::optional<PixelPlace> ObjectEditor::tipPixel(const Session& session, const PanelArea& panel) const {
  const ObjectEdit::Known* known = vector();
  const std::optional<PixelPlace> at = pixel(panel);
  if (!known || !at || !session.frame) return std::nullopt;
  const ObjectArrow arrow(*panel.projection, known->tool->edit, *session.frame,
                          std::min(panel.area.width, panel.area.height));
  const auto [x, y] = arrow.tip(dragged_.value_or(*known->value));
  return PixelPlace{at->x + x, at->y + y};
}

void ObjectEditor::forget() {
  edit_.clear();
  name_.clear();
  field_.forget();
  refused_ = {};
  dragged_.reset();
  card_ = {};
  card_held_ = false;
  turned_ = nullptr;
}

void ObjectEditor::select(const Session& session, render::Figure& figure, const ToolInfo& tool, std::int64_t object) {
  if (edit_.selected() && object == edit_.number() && description_ == session.scene.description) return;
  forget();
  if (object < 0) return;
  description_ = session.scene.description;
  preset_ = session.scene.preset;
  edit_.select(editsOf(*description_, session.scene.parameters, tool.edit.object), object);
  try {
    name_ = figure.kindName(object);
  } catch (const std::exception&) {
    // It has its number.
  }
}

void ObjectEditor::step(const Session& session, const MouseTools& tools, render::Figure& figure, int by) {
  const ToolInfo* tool = tools.editing(session);
  const Channel* points = tool && session.frame ? session.frame->find(tool->edit.points) : nullptr;
  if (!points || points->width < 1) return;
  const std::int64_t drawn = points->width, every = std::max(points->every, 1);
  const std::int64_t outside = by > 0 ? -1 : drawn;
  const std::int64_t now = edit_.selected() ? edit_.number() / every : outside;
  select(session, figure, *tool, (now + by + drawn) % drawn * every);
}

void ObjectEditor::send(Session& session, const ToolInfo& tool, const ObjectValue& value, bool begins) {
  const std::uint64_t sequence = session.frame ? session.frame->sequence : 0;
  session.poke(edit_.set(tool, value, sequence, begins));
  session.finishStroke();
  if (refused_.tool == &tool) refused_ = {};
}

bool ObjectEditor::turn(Session& session, const ObjectEdit::Known& known, float notches) {
  const double now = known.value->front();
  const double wanted = turnedBy(known.tool->edit, now, static_cast<double>(notches), ImGui::GetIO().KeyAlt);
  const bool goes_on = turned_ == known.tool && inHand();
  turned_ = known.tool;
  turned_at_ = ImGui::GetTime();
  if (wanted != now) send(session, *known.tool, {wanted, 0, 0}, !goes_on);
  return true;
}

bool ObjectEditor::inHand() const {
  return turned_ && ImGui::GetTime() - turned_at_ < kWheelSeconds;
}

bool ObjectEditor::followMouse(Session& session, const Ui& ui, render::Figure& figure, const MouseTools& tools,
                               const Mouse& mouse) {
  const ToolInfo* tool = tools.editing(session);
  const bool shown = session.frame && session.status.description == session.scene.description;
  const bool other = description_ != session.scene.description || preset_ != session.scene.preset;
  if (edit_.selected() && (!tool || other || (shown && !edit_.isIn(*session.frame)))) forget();
  called_off_ = called_off_ && ImGui::IsMouseDown(0);
  if (!tool) {
    pressed_.reset();
    return false;
  }
  const PanelArea* panel = panelOf(session, figure.panels());
  const bool here =
      mouse.hovered && mouse.panel >= 0 && figure.panels()[static_cast<std::size_t>(mouse.panel)].projection;
  const auto near = [&](const std::optional<PixelPlace>& spot, float reach) {
    return spot && std::hypot(spot->x - mouse.at.x, spot->y - mouse.at.y) < ui.px(reach) * ui.pixel_ratio;
  };

  if (dragged_) {
    const ObjectEdit::Known* known = vector();
    const std::optional<PixelPlace> from = panel ? pixel(*panel) : std::nullopt;
    if (!known || !from || !session.frame || ImGui::IsMouseClicked(1)) {
      escape();
      return true;
    }
    const ObjectArrow arrow(*panel->projection, known->tool->edit, *session.frame,
                            std::min(panel->area.width, panel->area.height));
    const bool moved = ImGui::GetIO().MouseDragMaxDistanceSqr[0] > 1;
    if (moved) dragged_ = arrow.vectorTo(mouse.at.x - from->x, mouse.at.y - from->y, *known->value);
    if (!ImGui::IsMouseDown(0)) {
      const ObjectValue wanted = *std::exchange(dragged_, std::nullopt);
      if (moved && wanted != *known->value) send(session, *known->tool, wanted);
    }
    return true;
  }
  if (here && ImGui::IsItemActive() && ImGui::IsMouseClicked(0)) {
    if (panel && near(tipPixel(session, *panel), kTipReach)) {
      dragged_ = vector()->value;
      return true;
    }
    try {
      pressed_ = figure.pick(mouse.at.x, mouse.at.y);
    } catch (const std::exception&) {
      pressed_.reset();
    }
  } else if (pressed_ && !ImGui::IsMouseDown(0)) {
    const std::int64_t object = *std::exchange(pressed_, std::nullopt);
    const float reach = ui.px(kClickReach);
    if (ImGui::GetIO().MouseDragMaxDistanceSqr[0] < reach * reach) select(session, figure, *tool, object);
  }
  const float wheel = ImGui::GetIO().MouseWheel;
  const ObjectEdit::Known* const turning = number();
  if (here && wheel != 0 && panel && turning && near(pixel(*panel), kRing)) return turn(session, *turning, wheel);
  return called_off_;
}

void ObjectEditor::read(const Session& session, render::Figure& figure) {
  if (!edit_.selected() || description_ != session.scene.description) return;
  edit_.follow(*session.frame, figure);
}

bool ObjectEditor::escape() {
  if (dragged_) {
    dragged_.reset();
    called_off_ = true;
    return true;
  }
  if (!edit_.selected()) return false;
  forget();
  return true;
}

void ObjectEditor::draw(const Session& session, Ui& ui, ImDrawList& list, std::span<const PanelArea> panels,
                        const Rect& place) const {
  const PanelArea* panel = panelOf(session, panels);
  const std::optional<PixelPlace> at = panel ? pixel(*panel) : std::nullopt;
  if (!at) return;
  const auto inWindow = [&](const PixelPlace& spot) {
    return ImVec2(place.x + static_cast<float>(spot.x) / ui.pixel_ratio,
                  place.y + static_cast<float>(spot.y) / ui.pixel_ratio);
  };
  const auto length = [&](double pixels) { return static_cast<float>(pixels) / ui.pixel_ratio; };
  const Rect plot{place.x + length(panel->area.left), place.y + length(panel->area.top), length(panel->area.width),
                  length(panel->area.height)};
  const ImVec2 centre = inWindow(*at);
  list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
  drawReach(ui, list, Domain::Space, plot, centre, ui.px(kRing), true);
  if (ui.probing) ui.probes["object"] = {centre.x, centre.y, 0, 0};
  if (const std::optional<PixelPlace> tip = tipPixel(session, *panel)) {
    const ImVec2 end = inWindow(*tip);
    const ObjectEdit::Known& known = *vector();
    drawLaunch(ui, list, plot, centre, end, dragged_ ? readingOf(known.tool->edit, *dragged_) : std::string());
    // A handle, also where the arrow has no length.
    list.AddCircleFilled(end, ui.px(dragged_ ? 5 : 4), toU32(ui.colours().accent), 16);
    list.AddCircle(end, ui.px(dragged_ ? 6 : 5), IM_COL32(255, 255, 255, 230), 16, std::max(1.0f, ui.scale));
    if (ui.probing) ui.probes["object:tip"] = {end.x, end.y, 0, 0};
  }
  list.PopClipRect();
}

}  // namespace simscope::gui
