// The rows of the panel of parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/gui/panels/parameters/parameter_scale.h"
#include "app/gui/panels/parameters/parameter_words.h"
#include "app/gui/panels/parameters/parameters_panel.h"
#include "sims/formula/quantity.h"

namespace simscope::gui {

namespace {

constexpr float kRowFieldWidth = 96;
constexpr float kRowResetWidth = 22;
constexpr float kTitleStroke = 400;  // a drag of a title over so much is the whole range

}  // namespace

// Parameters that are not used now are folded below the others.
void ParametersPanel::drawGroup(Session& session, Ui& ui, const std::string& group, const Listing& listing) {
  const std::span<const ParameterInfo> infos = listing.wanted.infos();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  heading(ui, group.empty() ? "Parameters" : group);
  drawGroupReset(session, ui, group, listing, at);
  const bool filtered = listing.searching || bar_.changedOnly();
  std::vector<std::size_t> folded;
  for (std::size_t i = 0; i < infos.size(); ++i) {
    if (infos[i].group != group || !isListed(session, listing, i)) continue;
    const bool matters = session.scene.parameters.matters(i) || listing.wanted.matters(i) || isRefused(session, i);
    if (matters || filtered) {
      drawRow(session, ui, i, listing);
    } else {
      folded.push_back(i);
      if (ui.focus.asksFor("value:" + infos[i].key)) unfolded_.insert(group);
    }
  }
  if (!folded.empty()) {
    const bool open = unfolded_.contains(group);
    const std::string label = fmt::format("{} not used here", folded.size());
    std::string help = open ? "Hide:" : "Show:";
    for (const std::size_t i : folded) help += "\n" + infos[i].title;
    if (const ScopedFont font(ui.fonts.small);
        iconButton(ui, ("fold:" + group).c_str(), Icon::None, label.c_str(), help.c_str(), Emphasis::Quiet)) {
      if (!unfolded_.erase(group)) unfolded_.insert(group);
    }
    for (const std::size_t i : folded) {
      if (open) drawRow(session, ui, i, listing);
    }
  }
  ImGui::Dummy({0, ui.px(4)});
}

void ParametersPanel::drawGroupReset(Session& session, Ui& ui, const std::string& group, const Listing& listing,
                                     ImVec2 heading_at) {
  std::vector<std::size_t> members;
  for (const std::size_t index : listing.differs) {
    if (listing.wanted.infos()[index].group == group) members.push_back(index);
  }
  if (members.empty()) return;
  const ImVec2 below = ImGui::GetCursorScreenPos();
  const float width = ui.px(kRowResetWidth);
  std::string help = "Reset this group to the preset:";
  for (const std::size_t index : members) {
    help += fmt::format("\n{}: {}", listing.wanted.title(index),
                        valueText(listing.wanted, index, listing.reference[index]));
  }
  const ScopedFont font(ui.fonts.small);
  const float top = heading_at.y + std::round((below.y - heading_at.y - ImGui::GetFrameHeight()) / 2) - ui.px(1);
  ImGui::SetCursorScreenPos({heading_at.x + ImGui::GetContentRegionAvail().x - width, top});
  const ScopedDisabled recording(session.recording());
  if (iconButton(ui, ("reset_group:" + group).c_str(), Icon::Undo, "", help.c_str(), Emphasis::Quiet, width)) {
    reset(session, members, listing.reference);
  }
  ImGui::SetCursorScreenPos(below);
}

void ParametersPanel::drawRow(Session& session, Ui& ui, std::size_t index, const Listing& listing) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const UiColours& p = ui.colours();
  const bool followed = trackOf(session, index) != nullptr;
  const bool changed = listing.differs.contains(index);
  const bool waiting = staged_.find(index) != nullptr;
  const bool number = isSlidable(info), text = info.kind == Kind::Text;
  const ScopedId id(index);
  const ScopedDisabled busy(!session.takes(index));

  const ImVec2 corner = ImGui::GetCursorScreenPos();
  const float full = ImGui::GetContentRegionAvail().x;
  focusRow(ui, info.key, full);
  const float reset_width = ui.px(kRowResetWidth);
  const float mark = info.applies == Applies::OnReset || canFollowKeyframes(info) ? ui.px(16) : 0;
  float field = std::min(number ? ui.px(kRowFieldWidth) : ui.px(kRowFieldWidth + 44), full * 0.46f);
  if (info.kind == Kind::Choice) {
    // As wide as its longest choice, where the title leaves so much.
    const float title = ImGui::CalcTextSize(info.title.c_str()).x;
    const float room = full - reset_width - mark - title - ui.px(4 + 8 + 6);
    float longest = 0;
    for (const Choice& each : info.choices) longest = std::max(longest, comboWidth(each.title.c_str()));
    field = std::max(field, std::min(longest, room));
  }
  const float field_left = full - reset_width - ui.px(4) - (text ? 0 : field);
  const float origin = ImGui::GetCursorPosX(), room = field_left - mark - ui.px(8);
  const bool above = !text && smallTextSize(ui, session.scene.parameters.title(index)).x > room;
  const ImVec4* title_colour = session.scene.parameters.matters(index) ? &p.text : &p.dim;
  if (changed || followed) title_colour = &p.accent;
  if (waiting) title_colour = &p.warning;
  drawTitle(session, ui, index, above ? full : room, *title_colour);
  if (mark > 0) {
    if (!above) ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(origin + field_left - mark - ui.px(3));
    drawMark(session, ui, index, mark);
  }
  if (!above || mark > 0) ImGui::SameLine();
  ImGui::SetCursorPosX(origin + field_left);
  if (number) {
    drawField(session, ui, index, field);
  } else if (text) {
    ImGui::Dummy({0, ImGui::GetFrameHeight()});
  } else {
    drawChoice(session, ui, index, field);
  }
  if (changed || waiting || (text && session.refusals.contains(index))) {
    ImGui::SameLine();
    ImGui::SetCursorPosX(origin + full - reset_width);
    drawTakeBack(session, ui, index, listing, reset_width);
  }
  if (number) {
    drawSlider(session, ui, index, numberOf(listing.reference[index]), std::max(field_left - ui.px(10), ui.px(30)));
    ImGui::SameLine();
    ImGui::SetCursorPosX(origin + field_left);
    drawCaption(session, ui, index, field + reset_width);
    if (trackOf(session, index)) drawStrip(session, ui, index);  // the diamond may have changed that
  }
  if (text) drawText(session, ui, index);
  if (changed && bar_.changedOnly()) {
    const ScopedFont font(ui.fonts.small);
    clippedText((bar_.reference(session.scene.preset).empty() ? "Default: " : "Preset: ") +
                    valueText(session.scene.parameters, index, listing.reference[index]),
                full, p.dim);
    ui.mark("reference:" + info.key);
  }
  // Told apart without colours, too: beside the list.
  if (changed || waiting) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float top = ImGui::GetWindowPos().y;
    list.PushClipRect({corner.x - ui.px(8), top}, {corner.x, top + ImGui::GetWindowHeight()}, false);
    list.AddRectFilled({corner.x - ui.px(7), corner.y + ui.px(3)},
                       {corner.x - ui.px(4), ImGui::GetCursorScreenPos().y - ui.px(6)},
                       toU32(waiting ? p.warning : p.accent, ImGui::GetStyle().Alpha), ui.px(1));
    list.PopClipRect();
  }
  drawRefusal(session, ui, index, corner.y);
}

// Of a number it can be dragged.
void ParametersPanel::drawTitle(Session& session, Ui& ui, std::size_t index, float room, const ImVec4& colour) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const std::string& title = session.scene.parameters.title(index);
  const bool narrow = ImGui::CalcTextSize(title.c_str()).x > room;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  if (isSlidable(info)) {
    ImGui::InvisibleButton("title", {room, height});
    ui.mark("title:" + info.key);
    if (ImGui::IsItemHovered() || ImGui::IsItemActive()) ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
    if (ImGui::IsItemActive() && ImGui::IsMouseDragging(0, 2)) {
      const double way = dragFactor() * ImGui::GetIO().MouseDelta.x / ui.px(kTitleStroke);
      if (way != 0) drag(session, index, std::clamp(sliderAt(session, index) + way, 0.0, 1.0));
    }
    if (ImGui::IsItemDeactivated()) release(session, index);
  } else {
    ImGui::Dummy({room, height});
  }
  if (!isRefused(session, index) && typing_.empty()) helpTip(session, ui, index);
  const ScopedFont font(narrow ? ui.fonts.small : ImGui::GetFont());
  const float top = at.y + std::round((height - ImGui::GetFontSize()) / 2);
  ImGui::GetWindowDrawList()->AddText({at.x, top}, toU32(colour, ImGui::GetStyle().Alpha), fitted(title, room).c_str());
}

// The diamond of keyframes, or that a change restarts the run.
void ParametersPanel::drawMark(Session& session, Ui& ui, std::size_t index, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  if (canFollowKeyframes(info)) {
    const ScopedDisabled recording(session.recording());
    auto edit = strip_.drawDiamond(ui, info, trackOf(session, index), session.status.time,
                                   numberOf(present(session, index)), width);
    if (edit) applyTrack(session, index, *std::move(edit));
    return;
  }
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool waiting = waits(info);
  ImGui::Dummy({width, ImGui::GetFrameHeight()});
  drawIcon(*ImGui::GetWindowDrawList(), Icon::Restarts, {at.x + width * 0.6f, at.y + ImGui::GetFrameHeight() / 2},
           ui.px(9), toU32(waiting ? ui.colours().warning : ui.colours().dim, 0.8f));
  tooltip(ui, waiting ? "A change waits until you apply all changes; then the run restarts once."
                      : "A change restarts the run.");
}

void ParametersPanel::drawTakeBack(Session& session, Ui& ui, std::size_t index, const Listing& listing, float width) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const ParameterSet& parameters = session.scene.parameters;
  const std::string& preset = bar_.reference(session.scene.preset);
  // What waits and is the preset's own goes back to what the run has.
  const bool to_run = !listing.differs.contains(index) && staged_.find(index);
  const Value& value = to_run ? parameters[index] : listing.reference[index];
  std::string whose = "the default";
  if (!preset.empty()) whose = "the preset " + session.scene.description->presetInfo(preset).title;
  if (to_run) whose = "the run's value";
  const std::string help = fmt::format("Back to {} ({})", valueText(parameters, index, value), whose);
  if (!iconButton(ui, ("default:" + info.key).c_str(), Icon::Undo, "", help.c_str(), Emphasis::Quiet, width)) return;
  apply(session, index, value);
}

// The number's unit; while the user types, the value that the text means.
void ParametersPanel::drawCaption(Session& session, Ui& ui, std::size_t index, float width) {
  const UiColours& p = ui.colours();
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const std::string& unit = session.scene.parameters.unit(index);
  const Value value = present(session, index);
  const auto refused = refused_.find(index);
  std::string text = refused != refused_.end() ? refused->second.unit : formula::shownUnit(info, value, unit);
  ImVec4 colour = p.dim;
  if (const std::string* typed = field_.typed(index)) {
    text = field_.unit();
    try {
      const Value meant = formula::readValue(info, *typed, unit, field_.unit());
      if (meant != value || formula::numberIn(meant, unit, field_.unit()) != *typed) {
        text = "= " + formula::quantityText(info, meant, unit);
        colour = p.accent;
      }
    } catch (const formula::QuantityError& error) {
      if (error.nearest) {
        text = "out of range";
        colour = p.warning;
      }
    } catch (const UsageError&) {
      // Nothing is typed yet.
    }
  } else if (staged_.find(index)) {
    text += text.empty() ? "waits" : " · waits";
    colour = p.warning;
  }
  const ScopedFont font(ui.fonts.small);
  clippedText(text, width, colour);
  ui.mark("unit:" + info.key, false);
}

// What is refused and why, with what may be chosen instead.
ParametersPanel::Answer ParametersPanel::drawRefusalCard(const Session& session, Ui& ui, std::size_t index,
                                                         const std::string& why) {
  const ParameterInfo& info = session.scene.parameters.infos()[index];
  const Card card(ui, ui.colours().error);
  const ScopedFont font(ui.fonts.small);
  wrappedText(why);
  Answer answer;
  const auto field = refused_.find(index);
  const std::vector<Value> offers = field == refused_.end() ? std::vector<Value>() : field->second.offers;
  for (std::size_t i = 0; i < offers.size(); ++i) {
    const std::string label = "Set to " + valueText(session.scene.parameters, index, offers[i]);
    const std::string id = (i == 0 ? "nearest:" : "meant:") + info.key;
    if (iconButton(ui, id.c_str(), Icon::None, label.c_str(), "", Emphasis::Accent)) answer.chosen = offers[i];
  }
  const std::string keep =
      "Keep " + (info.kind == Kind::Text ? std::string("the old text")
                                         : valueText(session.scene.parameters, index, session.scene.parameters[index]));
  const float right = ImGui::GetWindowPos().x + ImGui::GetContentRegionMax().x - ui.px(8);
  const float end = ImGui::GetItemRectMax().x + ui.px(6) + iconButtonWidth(ui, Icon::None, keep.c_str());
  if (!offers.empty() && end <= right) ImGui::SameLine(0, ui.px(6));
  answer.kept = iconButton(ui, ("keep:" + info.key).c_str(), Icon::None, keep.c_str(), "");
  return answer;
}

// Below its row and in view: nothing covers it, and it stays until the user has answered.
void ParametersPanel::drawRefusal(Session& session, Ui& ui, std::size_t index, float row_top) {
  const auto field = refused_.find(index);
  const auto run = session.refusals.find(index);
  if (field == refused_.end() && run == session.refusals.end()) return;
  const std::string why = field != refused_.end() ? field->second.why : run->second.why;
  const Answer answer = drawRefusalCard(session, ui, index, why);

  const float top = ImGui::GetWindowPos().y, bottom = top + ImGui::GetWindowHeight();
  if (told_[index] != why) {
    told_[index] = why;
    if (ImGui::GetItemRectMax().y > bottom) {
      ImGui::SetScrollHereY(1);
    } else if (row_top < top) {
      ImGui::SetScrollFromPosY(row_top - top, 0);
    }
  }
  if (answer.chosen) {
    apply(session, index, *answer.chosen);
  } else if (answer.kept) {
    refused_.erase(index);
    session.forgetRefusal(index);
  }
}

}  // namespace simscope::gui
