#include "app/gui/panels/figure/measure_tools.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/gui/panels/figure/measure_drawing.h"
#include "app/gui/panels/figure/tool_cursor.h"
#include "app/gui/widgets/plot_drawing.h"

namespace simscope::gui {

namespace {

constexpr float kHandleReach = 9;  // window coordinates at a scale of 1, around a handle
constexpr double kShortest = 4;    // pixels of the figure; a shorter line counts as a click
constexpr std::array kKinds = {FieldMark::Kind::Probe, FieldMark::Kind::Cut, FieldMark::Kind::Ruler};

const char* helpOf(FieldMark::Kind kind) {
  switch (kind) {
    case FieldMark::Kind::Probe:
      return "Click on the field: plots its value there over time";
    case FieldMark::Kind::Cut:
      return "Drag over the field: plots its values along the line";
    case FieldMark::Kind::Ruler:
      break;
  }
  return "Drag over the field: measures the distance";
}

const PanelArea* areaOf(std::span<const PanelArea> panels, const std::string& view) {
  for (const PanelArea& each : panels) {
    if (each.view == view) return &each;
  }
  return nullptr;
}

MarkPixel figurePixel(const PanelArea& panel, double x, double y) {
  const auto pixel = pixelOf(panel, Domain::Plane, {x, y, 0});
  return pixel ? MarkPixel{pixel->x, pixel->y} : MarkPixel{std::nan(""), std::nan("")};
}

std::string rulerText(const FieldMark& mark, const FieldView& view) {
  const double dx = mark.to_x - mark.x, dy = mark.to_y - mark.y;
  const std::string parts =
      fmt::format("Δ{} {}, Δ{} {}", view.x.title.empty() ? "x" : view.x.title, valueText(dx, view.x.unit),
                  view.y.title.empty() ? "y" : view.y.title, valueText(dy, view.y.unit));
  // Lengths along axes of different units do not add up.
  if (view.x.unit != view.y.unit) return parts;
  return fmt::format("{}   ({})", valueText(std::hypot(dx, dy), view.x.unit), parts);
}

}  // namespace

bool MeasureTools::isField(const Session& session, const PanelArea& panel) {
  const View* view = session.scene.description->findView(panel.view);
  return view && view->as<FieldView>() && panel.area.width > 0 && panel.area.height > 0;
}

const PanelArea* MeasureTools::firstField(const Session& session, std::span<const PanelArea> panels) {
  for (const PanelArea& each : panels) {
    if (isField(session, each)) return &each;
  }
  return nullptr;
}

float MeasureTools::buttonWidth(const Session& session, const Ui& ui, std::span<const PanelArea> panels,
                                bool labelled) const {
  if (!firstField(session, panels)) return 0;
  return iconButtonWidth(ui, Icon::Measure, labelled ? "Measure" : "");
}

void MeasureTools::drawButton(Session& session, Ui& ui, std::span<const PanelArea> panels, bool labelled) {
  if (!firstField(session, panels)) {
    taken_.reset();
    return;
  }
  const float width = buttonWidth(session, ui, panels, labelled);
  const std::string label = taken_ ? titleOf(*taken_) : "Measure";
  const std::string shown = labelled ? fitted(label, width - ui.px(30)) : "";
  if (iconButton(ui, "measure", Icon::Measure, shown.c_str(),
                 "Probes, line cuts, and rulers on the field  (M; Delete removes one)",
                 taken_ ? Emphasis::Accent : Emphasis::Plain, width)) {
    ImGui::OpenPopup("measure");
  }
  if (!ImGui::BeginPopup("measure")) return;
  ui.popups.emplace_back("measure");
  if (ui.escape) ImGui::CloseCurrentPopup();
  for (const FieldMark::Kind kind : kKinds) {
    if (ImGui::MenuItem(titleOf(kind), nullptr, taken_ == kind)) {
      taken_ = taken_ == kind ? std::nullopt : std::optional(kind);
    }
    ui.mark("measure:" + markKindNames()[static_cast<std::size_t>(kind)]);
    tooltip(ui, helpOf(kind));
  }
  ImGui::Separator();
  if (ImGui::MenuItem("Remove all", nullptr, false, !session.scene.marks.empty())) session.scene.marks.clear();
  ui.mark("measure:clear");
  ImGui::EndPopup();
}

std::optional<std::size_t> MeasureTools::selected(const Session& session) const {
  const std::vector<FieldMark>& marks = session.scene.marks;
  for (std::size_t i = 0; i < marks.size(); ++i) {
    if (nameOf(marks[i]) == selected_) return i;
  }
  return std::nullopt;
}

void MeasureTools::setDown(Session& session, const PanelArea& panel, const Spot& from, const Spot& to) {
  FieldMark mark{*taken_, panel.view, 1, from.x, from.y, to.x, to.y};
  if (mark.kind == FieldMark::Kind::Probe) mark.to_x = mark.to_y = 0;
  if (const auto index = addMark(session.scene.marks, mark)) {
    selected_ = nameOf(session.scene.marks[*index]);
  } else {
    session.say(Message::Level::Warning,
                fmt::format("The scene has {} probes and lines, the maximum: remove one first", kMostMarks));
  }
}

bool MeasureTools::followMouse(Session& session, const Ui& ui, std::span<const PanelArea> panels, const Mouse& mouse) {
  std::vector<FieldMark>& marks = session.scene.marks;
  if (held_) {
    const PanelArea* panel = areaOf(panels, held_->view);
    if (!panel || held_->hit.mark >= marks.size()) {
      held_.reset();
      return true;
    }
    const Spot now = spotAt(*panel, mouse.at);
    FieldMark& mark = marks[held_->hit.mark];
    if (isFinite(now)) {
      const render::PlotArea& a = panel->area;
      const auto inside = [](double value, const render::Limits& limits) {
        return std::clamp(value, std::min(limits.low, limits.high), std::max(limits.low, limits.high));
      };
      const Spot to{inside(now.x, a.x), inside(now.y, a.y), 0};
      if (to.x != held_->last.x || to.y != held_->last.y) {
        mark = movedMark(mark, held_->hit.part, to.x - held_->last.x, to.y - held_->last.y);
        held_->last = to;
      }
    }
    if (!ImGui::IsMouseDown(0)) {
      const MarkPixel from = figurePixel(*panel, mark.x, mark.y), to = figurePixel(*panel, mark.to_x, mark.to_y);
      const bool line = mark.kind != FieldMark::Kind::Probe;
      if (held_->fresh && line && std::hypot(to.x - from.x, to.y - from.y) < kShortest * ui.pixel_ratio) {
        marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(held_->hit.mark));
      } else if (held_->fresh) {
        taken_.reset();  // one at a time; M takes the next
      }
      held_.reset();
    }
    return true;
  }
  if (!mouse.hovered || mouse.panel < 0) return false;
  const PanelArea& panel = panels[static_cast<std::size_t>(mouse.panel)];
  if (!isField(session, panel)) return false;
  const double reach = ui.px(kHandleReach) * ui.pixel_ratio;
  const auto hit = markAt(marks, panel.view, {mouse.at.x, mouse.at.y}, reach,
                          [&](double x, double y) { return figurePixel(panel, x, y); });
  if (hit) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeAll);
  const bool pressed = ImGui::IsMouseClicked(0);
  const Spot spot = spotAt(panel, mouse.at);
  if (!pressed || !mouse.active || !isFinite(spot)) return (hit || taken_) && ui.double_click;
  if (hit) {
    selected_ = nameOf(marks[hit->mark]);
    held_ = Held{*hit, panel.view, spot};
    return true;
  }
  if (!taken_) {
    selected_.clear();
    return false;
  }
  const std::size_t before = marks.size();
  setDown(session, panel, spot, spot);
  if (marks.size() > before) {
    const MarkPart part = *taken_ == FieldMark::Kind::Probe ? MarkPart::Whole : MarkPart::To;
    held_ = Held{{before, part}, panel.view, spot, true};
  }
  return true;
}

bool MeasureTools::escape() {
  if (!taken_ && selected_.empty()) return false;
  taken_.reset();
  selected_.clear();
  return true;
}

bool MeasureTools::key(Session& session, const Key& key, std::span<const PanelArea> panels) {
  const PanelArea* panel = firstField(session, panels);
  if (!panel || key.control || held_) return false;
  if (key.letter == 'm') {
    if (!taken_) {
      taken_ = FieldMark::Kind::Probe;
    } else if (*taken_ == FieldMark::Kind::Ruler) {
      taken_.reset();
    } else {
      taken_ = kKinds[static_cast<std::size_t>(*taken_) + 1];
    }
    return true;
  }
  const render::PlotArea& a = panel->area;
  if ((key.key == GLFW_KEY_ENTER || key.key == GLFW_KEY_KP_ENTER) && taken_) {
    const double y = (a.y.low + a.y.high) / 2, middle = (a.x.low + a.x.high) / 2, quarter = (a.x.high - a.x.low) / 4;
    const bool line = *taken_ != FieldMark::Kind::Probe;
    setDown(session, *panel, {line ? middle - quarter : middle, y, 0}, {middle + quarter, y, 0});
    taken_.reset();
    return true;
  }
  const auto index = selected(session);
  if (!index) return false;
  std::vector<FieldMark>& marks = session.scene.marks;
  if (key.key == GLFW_KEY_DELETE || key.key == GLFW_KEY_BACKSPACE) {
    marks.erase(marks.begin() + static_cast<std::ptrdiff_t>(*index));
    selected_.clear();
    return true;
  }
  const PanelArea* on = areaOf(panels, marks[*index].view);
  if (!on) return false;
  const double step = key.shift ? 10 : 1;  // pixels
  const double dx = step * (on->area.x.high - on->area.x.low) / on->area.width;
  const double dy = step * (on->area.y.high - on->area.y.low) / on->area.height;
  const auto move = [&](double x, double y) {
    marks[*index] = movedMark(marks[*index], MarkPart::Whole, x, y);
    return true;
  };
  switch (key.key) {
    case GLFW_KEY_LEFT:
      return move(-dx, 0);
    case GLFW_KEY_RIGHT:
      return move(dx, 0);
    case GLFW_KEY_UP:
      return move(0, dy);
    case GLFW_KEY_DOWN:
      return move(0, -dy);
    default:
      return false;
  }
}

void MeasureTools::draw(const Session& session, Ui& ui, ImDrawList& list, std::span<const PanelArea> panels,
                        const Rect& place, const FieldReadings& readings) const {
  const auto at = [&](const MarkPixel& pixel) {
    return ImVec2(place.x + static_cast<float>(pixel.x) / ui.pixel_ratio,
                  place.y + static_cast<float>(pixel.y) / ui.pixel_ratio);
  };
  for (const PanelArea& panel : panels) {
    if (!isField(session, panel)) continue;
    const FieldView& view = *session.scene.description->view(panel.view).as<FieldView>();
    const Rect plot{place.x + static_cast<float>(panel.area.left) / ui.pixel_ratio,
                    place.y + static_cast<float>(panel.area.top) / ui.pixel_ratio,
                    static_cast<float>(panel.area.width) / ui.pixel_ratio,
                    static_cast<float>(panel.area.height) / ui.pixel_ratio};
    list.PushClipRect({plot.x, plot.y}, {plot.right(), plot.bottom()}, true);
    for (const FieldMark& mark : session.scene.marks) {
      if (mark.view != panel.view) continue;
      const std::string name = nameOf(mark);
      DrawnMark drawn{mark.kind, at(figurePixel(panel, mark.x, mark.y)), {}, name, name == selected_};
      drawn.to = mark.kind == FieldMark::Kind::Probe ? drawn.from : at(figurePixel(panel, mark.to_x, mark.to_y));
      const FieldReadings::Reading* reading = readings.find(mark);
      if (mark.kind == FieldMark::Kind::Probe && reading) {
        drawn.text += "  " + (std::isfinite(reading->now) ? valueText(reading->now, reading->value.unit) : "no value");
      }
      if (mark.kind == FieldMark::Kind::Ruler) drawn.text += "  " + rulerText(mark, view);
      drawMark(ui, list, plot, drawn);
      if (!ui.probing) continue;
      for (const auto& [end, where] : {std::pair{":from", drawn.from}, {":to", drawn.to}}) {
        ui.probes["mark:" + name + end] = {where.x - 4, where.y - 4, 8, 8};
      }
    }
    list.PopClipRect();
  }
}

}  // namespace simscope::gui
