#include "app/gui/panels/transport/keyframe_strip.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include "app/gui/panels/parameters/parameter_scale.h"
#include "app/scene/scene.h"
#include "sims/formula/quantity.h"

namespace simscope::gui {

namespace {

constexpr float kHeight = 54;
constexpr float kPoint = 4.5f;  // half a keyframe's width
constexpr float kReach = 10;

void drawPoint(ImDrawList& list, ImVec2 at, float radius, Easing easing, ImU32 fill, ImU32 line, float stroke) {
  if (easing == Easing::Smooth) {
    list.AddCircleFilled(at, radius, fill, 20);
    list.AddCircle(at, radius, line, 20, stroke);
    return;
  }
  const float r = radius * 1.2f;
  const ImVec2 corners[] = {{at.x, at.y - r}, {at.x + r, at.y}, {at.x, at.y + r}, {at.x - r, at.y}};
  list.AddConvexPolyFilled(corners, 4, fill);
  list.AddPolyline(corners, 4, line, ImDrawFlags_Closed, stroke);
}

template <std::size_t N>
void copyText(std::array<char, N>& to, const std::string& from) {
  std::snprintf(to.data(), to.size(), "%s", from.c_str());
}

ImVec2 onScreen(const Rect& place, StripPlace at) {
  return {place.x + static_cast<float>(at.x) * place.width, place.bottom() - static_cast<float>(at.y) * place.height};
}

StripPlace onStrip(const Rect& place, ImVec2 at) {
  return {(at.x - place.x) / place.width, (place.bottom() - at.y) / place.height};
}

Track withoutKeyframe(Track track, std::size_t index) {
  track.keyframes.erase(track.keyframes.begin() + static_cast<std::ptrdiff_t>(index));
  return track;
}

Track withoutKeyframes(const ParameterInfo& info) {
  return {info.key, {}};
}

void drawCurve(ImDrawList& list, const ParameterInfo& info, const Track& track, const StripRange& range,
               const Rect& place, ImU32 colour, float thickness) {
  std::vector<ImVec2> points;
  const auto add = [&](double time) {
    points.push_back(onScreen(place, stripPlace(info, range, time, track.valueAt(time))));
  };
  const int columns = std::max(static_cast<int>(place.width / 2), 2);
  std::size_t next = 0;
  for (int i = 0; i <= columns; ++i) {
    const double time = range.end * i / columns;
    // Corners lie between the columns.
    while (next < track.keyframes.size() && track.keyframes[next].time <= time) add(track.keyframes[next++].time);
    add(time);
  }
  list.AddPolyline(points.data(), static_cast<int>(points.size()), colour, 0, thickness);
}

}  // namespace

std::optional<Track> KeyframeStrip::drawDiamond(Ui& ui, const ParameterInfo& info, const Track* track, double now,
                                                double value, float width) {
  const UiColours& p = ui.colours();
  const std::optional<std::size_t> here = track ? keyframeAt(*track, now) : std::nullopt;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ImGui::GetFrameHeight();
  const bool clicked = ImGui::InvisibleButton("keyframe", {width, height});
  ui.mark("keyframe:" + info.key);
  const bool over = ImGui::IsItemHovered();
  const float alpha = ImGui::GetStyle().Alpha;
  const ImVec4& rest = track ? p.accent : p.dim;
  const ImU32 line = toU32(over ? p.text : rest, alpha * (track || over ? 1 : 0.6f));
  drawPoint(*ImGui::GetWindowDrawList(), {at.x + width / 2, at.y + height / 2}, ui.px(kPoint), Easing::Linear,
            here ? line : toU32(p.panel, 0), line, std::max(1.0f, 1.2f * ui.scale));
  const char* help = "Let the value follow keyframes. The first keyframe is the present value at the present time.";
  if (track) help = "Set a keyframe: the present value at the present time. Alt: remove all keyframes.";
  if (here) help = "Remove the keyframe at the present time. Alt: all of them.";
  tooltip(ui, help);
  if (!clicked) return std::nullopt;
  if (ImGui::GetIO().KeyAlt) return track ? std::optional(withoutKeyframes(info)) : std::nullopt;
  if (here) return withoutKeyframe(*track, *here);
  Track wanted = track ? *track : Track{info.key, {}};
  setKeyframe(wanted, now, value);
  return wanted;
}

void KeyframeStrip::drag(const ParameterInfo& info, const Rect& place) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  const Keyframe& start = hand_->before.keyframes[hand_->keyframe];
  const ImVec2 by(mouse.x - hand_->pressed.x, mouse.y - hand_->pressed.y);
  const bool one_axis = ImGui::GetIO().KeyShift;
  const bool along_time = !one_axis || std::abs(by.x) >= std::abs(by.y);
  const bool along_value = !one_axis || !along_time;
  // From where the keyframe was, not from the pointer: a press beside its centre does not move it.
  const StripPlace from = stripPlace(info, hand_->range, start.time, start.value);
  const StripPlace to = {from.x + by.x / place.width, from.y - by.y / place.height};
  hand_->track = hand_->before;
  if (!ImGui::IsMouseDragging(0, 2)) return;
  moveKeyframe(hand_->track, hand_->keyframe, along_time && by.x != 0 ? stripTime(hand_->range, to.x) : start.time,
               along_value && by.y != 0 ? stripValue(info, hand_->range, to.y) : start.value);
}

std::optional<Track> KeyframeStrip::handle(Ui& ui, const ParameterInfo& info, const Track& given, const Strip& strip) {
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  if (ImGui::IsItemActivated() && ImGui::IsMouseClicked(0) && strip.near) {
    hand_ = Hand{info.key, *strip.near, given, given, strip.range, mouse};
  }
  std::optional<Track> edit;
  if (holds(info) && ImGui::IsItemActive()) {
    drag(info, strip.place);
    if (ui.escape) hand_.reset();
  } else if (holds(info)) {
    if (hand_->track != given) edit = std::move(hand_->track);
    hand_.reset();
  } else if (ImGui::IsItemHovered() && !strip.near && ui.double_click) {
    const StripPlace there = onStrip(strip.place, mouse);
    edit = given;
    setKeyframe(*edit, stripTime(strip.range, there.x), stripValue(info, strip.range, there.y));
  } else if (ImGui::IsItemHovered() && ImGui::IsMouseReleased(1)) {
    chosen_ = strip.near.value_or(SIZE_MAX);
    refused_.clear();
    if (strip.near) {
      const Keyframe& each = given.keyframes[*strip.near];
      copyText(time_, fmt::format("{:.10g}", each.time));  // a drag leaves many digits without meaning
      copyText(value_, toText(valueOf(info, each.value)));
    }
    ImGui::OpenPopup("keyframe_menu");
  }
  return edit;
}

std::optional<Track> KeyframeStrip::drawStrip(Ui& ui, const ParameterInfo& info, const Track& given, StripTimes times,
                                              float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos(), size(width, ui.px(kHeight));
  ImGui::InvisibleButton("strip", size, ImGuiButtonFlags_MouseButtonLeft | ImGuiButtonFlags_MouseButtonRight);
  ui.mark("strip:" + info.key);
  if (holds(info) && hand_->before != given) hand_.reset();  // undone meanwhile, or another scene
  const float margin = ui.px(7);                             // for whole points at the edges
  Strip strip;
  strip.place = {at.x + margin, at.y + margin, size.x - 2 * margin, size.y - 2 * margin};
  strip.range = holds(info) ? hand_->range : stripRange(info, given, times.end);
  if (holds(info)) {
    strip.near = hand_->keyframe;
  } else if (ImGui::IsItemHovered()) {
    strip.near = keyframeNear(info, given, strip.range, onStrip(strip.place, ImGui::GetIO().MousePos),
                              strip.place.width, strip.place.height, ui.px(kReach));
  }
  std::optional<Track> edit = handle(ui, info, given, strip);
  if (!strip.near) {
    tooltip(ui, "Drag a keyframe (Shift: along one axis), double click for another, right click for more.");
  }

  const Track& before = holds(info) ? hand_->track : given;
  const Track& shown = edit ? *edit : before;
  if (edit) strip.near.reset();
  strip.range = widened(info, strip.range, shown);  // the hand may be outside
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  list.AddRectFilled(at, end, toU32(ui.colours().raised, ImGui::GetStyle().Alpha * 0.6f),
                     ImGui::GetStyle().FrameRounding);
  list.PushClipRect(at, end, true);
  drawTrack(ui, info, shown, strip, times.now);
  list.PopClipRect();
  drawCaption(ui, info, shown, strip, width);
  if (std::optional<Track> chosen = drawMenu(ui, info, given)) edit = std::move(chosen);
  return edit;
}

void KeyframeStrip::drawTrack(Ui& ui, const ParameterInfo& info, const Track& track, const Strip& strip, double now) {
  const UiColours& p = ui.colours();
  const float alpha = ImGui::GetStyle().Alpha, stroke = std::max(1.0f, ui.scale);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float playhead = onScreen(strip.place, {now / strip.range.end, 0}).x;
  list.AddLine({playhead, 0}, {playhead, ImGui::GetIO().DisplaySize.y}, toU32(p.dim, alpha * 0.8f), stroke);
  drawCurve(list, info, track, strip.range, strip.place, toU32(p.accent, alpha), 1.5f * stroke);
  for (std::size_t i = 0; i < track.keyframes.size(); ++i) {
    const Keyframe& each = track.keyframes[i];
    const ImVec2 centre = onScreen(strip.place, stripPlace(info, strip.range, each.time, each.value));
    if (ui.probing) ui.probes[fmt::format("keyframe:{}:{}", info.key, i)] = {centre.x - 1, centre.y - 1, 2, 2};
    drawPoint(list, centre, ui.px(kPoint), each.easing, toU32(strip.near == i ? p.text : p.accent, alpha),
              toU32(p.panel, alpha), stroke);
  }
}

// The keyframe under the hand, or the times that the strip spans.
void KeyframeStrip::drawCaption(Ui& ui, const ParameterInfo& info, const Track& track, const Strip& strip,
                                float width) {
  const UiColours& p = ui.colours();
  const ScopedFont font(ui.fonts.small);
  if (strip.near) {
    const Keyframe& each = track.keyframes[*strip.near];
    clippedText(fmt::format("{} at {}", toText(valueOf(info, each.value)), labelNumber(each.time)), width, p.text);
  } else {
    const float left = ImGui::GetCursorPosX();
    const std::string last = labelNumber(strip.range.end);
    const float room = ImGui::CalcTextSize(last.c_str()).x;
    clippedText("0", width - room, p.dim);
    ImGui::SameLine();
    ImGui::SetCursorPosX(left + width - room);
    clippedText(last, room + 1, p.dim);
  }
}

std::optional<Track> KeyframeStrip::drawNumbers(Ui& ui, const ParameterInfo& info, const Track& track) {
  static const ParameterInfo kTime{.key = "time", .kind = Kind::Real, .minimum = 0, .maximum = kFarthestTarget};
  const auto field = [&](const char* label, const std::string& id, std::array<char, 48>& text) {
    ImGui::AlignTextToFramePadding();
    ImGui::TextUnformatted(label);
    ImGui::SameLine(ui.px(64));
    ImGui::SetNextItemWidth(ui.px(110));
    const bool entered = ImGui::InputText(("##" + id).c_str(), text.data(), text.size(),
                                          ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    ui.mark(id);
    return entered || ImGui::IsItemDeactivatedAfterEdit();
  };
  const bool timed = field("Time", "keyframe_time", time_);
  const bool valued = field("Value", "keyframe_value", value_);
  std::optional<Track> edit;
  if (timed || valued) {
    try {
      // The time's own digits, of which the field shows ten, unless another was typed.
      const double time = timed ? numberOf(formula::readValue(kTime, time_.data(), {})) : track.keyframes[chosen_].time;
      const double value = numberOf(formula::readValue(info, value_.data(), info.unit));
      const std::optional<std::size_t> there = keyframeAt(track, time);
      if (there && *there != chosen_) throw UsageError(fmt::format("There is already a keyframe at {}.", time));
      const Easing easing = track.keyframes[chosen_].easing;
      Track wanted = withoutKeyframe(track, chosen_);
      chosen_ = setKeyframe(wanted, time, value);
      wanted.keyframes[chosen_].easing = easing;
      if (wanted != track) edit = std::move(wanted);
      refused_.clear();
    } catch (const UsageError& error) {
      refused_ = error.what();
    }
  }
  if (!refused_.empty()) {
    const ScopedWrap wrap(ui.px(240));
    const ScopedColour colour(ImGuiCol_Text, ui.colours().error);
    wrappedText(refused_);
  }
  return edit;
}

std::optional<Track> KeyframeStrip::drawMenu(Ui& ui, const ParameterInfo& info, const Track& track) {
  std::optional<Track> edit;
  if (!beginPopup("keyframe_menu", {ui.px(12), ui.px(10)})) return edit;
  ui.popups.push_back("keyframe");
  if (ui.escape) ImGui::CloseCurrentPopup();
  if (const std::size_t index = chosen_; index < track.keyframes.size()) {
    edit = drawNumbers(ui, info, track);
    const auto ease = [&](Easing easing, const char* label, const char* id) {
      const ScopedStyle padding(ImGuiStyleVar_FramePadding, {ui.px(4), ui.px(2)});
      const Easing present = track.keyframes[index].easing;
      if (ImGui::RadioButton(label, present == easing) && present != easing) {
        edit = track;
        edit->keyframes[index].easing = easing;
      }
      ui.mark(id);
    };
    ease(Easing::Linear, "Linear to the next", "keyframe_linear");
    ease(Easing::Smooth, "Smooth to the next", "keyframe_smooth");
    ImGui::Separator();
    if (ImGui::MenuItem("Remove this keyframe")) edit = withoutKeyframe(track, index);
    ui.mark("keyframe_remove");
  }
  if (ImGui::MenuItem("Remove all keyframes")) edit = withoutKeyframes(info);
  ui.mark("keyframe_remove_all");
  ImGui::EndPopup();
  return edit;
}

}  // namespace simscope::gui
