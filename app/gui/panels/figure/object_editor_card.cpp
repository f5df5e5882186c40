// The card beside the selected object: its values as fields, and refusals with the nearest valid value.
#include "app/gui/panels/figure/object_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "app/gui/widgets/focus.h"

namespace simscope::gui {

namespace {

constexpr float kCardWidth = 210, kFoldedWidth = 168, kCardPad = 9, kSymbolWidth = 24, kCardGap = 26;
constexpr float kUsualHeight = 165;  // with a vector and a number
constexpr float kSmallPlot = 3;      // areas of a card

}  // namespace

// Places the card beside the object while the object rests. It does not move with the object: numbers could not be
// typed.
void ObjectEditor::placeCard(const Session& session, const Ui& ui, const PanelArea& panel, const Rect& place) {
  const std::optional<PixelPlace> at = pixel(panel);
  const std::uint64_t frame = session.frame ? session.frame->sequence : 0;
  const auto length = [&](double pixels) { return static_cast<float>(pixels) / ui.pixel_ratio; };
  const Rect plot{place.x + length(panel.area.left), place.y + length(panel.area.top), length(panel.area.width),
                  length(panel.area.height)};
  const bool fresh = card_.width <= 0;
  small_plot_ = plot.width * plot.height < kSmallPlot * ui.px(kCardWidth) * ui.px(kUsualHeight);
  card_.width = std::min(ui.px(folded() ? kFoldedWidth : kCardWidth), plot.width);
  const bool moves = fresh || (!session.playing() && !card_held_ && !dragged_ && frame != card_frame_);
  if (moves && at) {
    card_frame_ = frame;
    const float x = place.x + length(at->x), y = place.y + length(at->y), gap = ui.px(kCardGap);
    // On the side where the arrow does not point.
    const std::optional<PixelPlace> tip = tipPixel(session, panel);
    const bool left =
        (tip && tip->x > at->x + 1) != (x < plot.x + card_.width + gap && x + gap + card_.width < plot.right());
    card_.x = left ? x - gap - card_.width : x + gap;
    if (card_.x < plot.x || card_.x + card_.width > plot.right()) card_.x = left ? x + gap : x - gap - card_.width;
    card_.y = y + gap;
  }
  const float height = std::max(card_.height, ui.px(60));
  card_.x = std::round(std::clamp(card_.x, plot.x, std::max(plot.x, plot.right() - card_.width)));
  card_.y = std::round(std::clamp(card_.y, plot.y, std::max(plot.y, plot.bottom() - height)));
}

void ObjectEditor::drawCard(Session& session, Ui& ui, std::span<const PanelArea> panels, const Rect& place) {
  const PanelArea* panel = panelOf(session, panels);
  const bool known = std::any_of(edit_.values().begin(), edit_.values().end(),
                                 [](const ObjectEdit::Known& each) { return each.value.has_value(); });
  if (!panel || !known) return;
  placeCard(session, ui, *panel, place);
  const UiColours& p = ui.colours();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  // Its height is that of the picture before; the first one is not seen.
  const ImVec2 low(card_.x, card_.y), high(card_.x + card_.width, card_.y + card_.height);
  list.AddRectFilled(low, high, toU32(p.panel, 0.95f), ui.px(6));
  list.AddRect(low, high, toU32(p.accent, 0.8f), ui.px(6), 0, std::max(1.0f, ui.scale));

  const float pad = ui.px(kCardPad), inner = card_.width - 2 * pad;
  ImGui::SetCursorScreenPos({card_.x + pad, card_.y + pad});
  ImGui::BeginGroup();
  const ScopedId id("object_card");
  const std::string& object = edit_.values().front().tool->edit.object;
  clippedText(fmt::format("{} {}{}", object, edit_.number(), name_.empty() ? "" : ": " + name_), inner - ui.px(46),
              p.text);
  const float title_bottom = ImGui::GetCursorScreenPos().y;
  const bool summary = folded();
  ImGui::SetCursorScreenPos({card_.x + card_.width - pad - ui.px(40), card_.y + ui.px(4)});
  if (iconButton(ui, "object:fold", summary ? Icon::Plus : Icon::Minus, "",
                 summary ? "Show the fields" : "Show only the values", Emphasis::Quiet, ui.px(20))) {
    folded_ = !summary;
  }
  ImGui::SetCursorScreenPos({card_.x + card_.width - pad - ui.px(20), card_.y + ui.px(4)});
  const bool closed = iconButton(ui, "object:close", Icon::Cross, "", "Deselect  (Esc)", Emphasis::Quiet, ui.px(20));
  ImGui::SetCursorScreenPos({card_.x + pad, std::max(title_bottom, card_.y + ui.px(28))});
  for (const ObjectEdit::Known& each : edit_.values()) {
    if (each.value && summary) drawSummary(ui, each, inner);
    if (each.value && !summary) drawValue(session, ui, each, inner);
  }
  ImGui::EndGroup();
  card_.height = ImGui::GetItemRectMax().y + pad - card_.y;

  // What lies behind it belongs to it.
  ImGui::SetCursorScreenPos(low);
  const MouseOnly mouse_only;
  ImGui::InvisibleButton("object_card_ground", {card_.width, card_.height});
  const bool hovered = ImGui::IsMouseHoveringRect(low, {low.x + card_.width, low.y + card_.height}, false);
  card_held_ = hovered || ImGui::GetIO().WantTextInput;
  if (closed) forget();
}

void ObjectEditor::drawSummary(const Ui& ui, const ObjectEdit::Known& known, float width) const {
  const EditInfo& edit = known.tool->edit;
  const std::string text =
      edit.vector ? fmt::format("|{}| = {:.4g} {}", edit.symbol, lengthOf(dragged_.value_or(*known.value)), edit.unit)
                  : fmt::format("{} = {:.4g} {}", edit.symbol, (*known.value)[0], edit.unit);
  const ScopedFont font(ui.fonts.small);
  clippedText(text, width, ui.colours().dim);
}

void ObjectEditor::drawValue(Session& session, Ui& ui, const ObjectEdit::Known& known, float width) {
  const EditInfo& edit = known.tool->edit;
  if (edit.vector) drawSummary(ui, known, width);
  const std::size_t components = edit.vector ? 3 : 1;
  for (std::size_t k = 0; k < components; ++k) drawField(session, ui, known, k, width);
  if (refused_.tool == known.tool) drawRefusal(session, ui, width);
}

void ObjectEditor::drawField(Session& session, Ui& ui, const ObjectEdit::Known& known, std::size_t component,
                             float width) {
  const ToolInfo& tool = *known.tool;
  const std::string symbol = symbolOf(tool.edit, component);
  const float left = ImGui::GetCursorScreenPos().x, symbol_width = ui.px(kSymbolWidth);
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(symbol.c_str());
  ImGui::SameLine(0, 0);
  ImGui::SetCursorScreenPos({left + symbol_width, ImGui::GetCursorScreenPos().y});
  const bool refused = refused_.tool == &tool && refused_.component == component;
  const ObjectValue value = tool.edit.vector ? dragged_.value_or(*known.value) : *known.value;
  const ParameterField::Shown shown{refused ? refused_.typed : digitsOf(value[component]), tool.edit.unit, refused};
  const auto index = static_cast<std::size_t>(&known - edit_.values().data()) * 3 + component;
  const float gap = ui.px(6), least = ui.px(50);
  const float unit_width = std::min(
      {ImGui::CalcTextSize(tool.edit.unit.c_str()).x, ui.px(80), std::max(width - symbol_width - least - gap, 0.0f)});
  const float room = std::max(width - symbol_width - unit_width - gap, least);
  const ScopedId id(index);
  const std::optional<std::string> typed = field_.draw(ui, index, "object:" + symbol, shown, room);
  const bool over = ImGui::IsItemHovered();
  if (field_.escaped() && refused) refused_ = {};
  ImGui::SameLine(0, ui.px(6));
  clippedText(tool.edit.unit, unit_width, ui.colours().dim);

  const float wheel = ImGui::GetIO().MouseWheel;
  if (over && wheel != 0 && !tool.edit.vector && !field_.typed(index)) turn(session, known, wheel);
  if (!typed || *typed == shown.text) return;
  const TypedValue meant = typedValue(tool, *known.value, component, *typed, tool.edit.unit);
  if (meant.value) {
    refused_ = {};
    send(session, tool, *meant.value);
  } else {
    refused_ = {&tool, component, *typed, meant.why, meant.offer};
  }
}

void ObjectEditor::drawRefusal(Session& session, Ui& ui, float width) {
  const ScopedFont font(ui.fonts.small);
  {
    const ScopedWrap wrap(ImGui::GetCursorPosX() + width);
    const ScopedColour colour(ImGuiCol_Text, ui.colours().error);
    wrappedText(refused_.why);
  }
  const ToolInfo& tool = *refused_.tool;
  std::optional<ObjectValue> chosen;
  if (refused_.offer) {
    const std::string label = fmt::format("Set to {:g} {}", (*refused_.offer)[refused_.component], tool.edit.unit);
    const std::string fits = fitted(label, width - ui.px(16));
    if (iconButton(ui, "object:nearest", Icon::None, fits.c_str(), "", Emphasis::Accent)) chosen = refused_.offer;
  }
  if (iconButton(ui, "object:keep", Icon::None, "Keep the value", "")) refused_ = {};
  if (!chosen) return;
  refused_ = {};
  send(session, tool, *chosen);
}

}  // namespace simscope::gui
