#include "app/gui/widgets/widgets.h"

#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace simscope::gui {

namespace {

// Within the panel, however close the control is to its edge.
void drawRing(const Ui& ui) {
  const float out = ui.px(2), thick = std::max(2.0f, ui.px(2));
  const ImVec2 window = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
  ImVec2 low = ImGui::GetItemRectMin(), high = ImGui::GetItemRectMax();
  low = {std::max(low.x - out, window.x + thick / 2), std::max(low.y - out, window.y + thick / 2)};
  high = {std::min(high.x + out, window.x + size.x - thick / 2), std::min(high.y + out, window.y + size.y - thick / 2)};
  if (low.x >= high.x || low.y >= high.y) return;
  ImGui::GetWindowDrawList()->AddRect(low, high, toU32(ui.colours().accent), ImGui::GetStyle().FrameRounding + out, 0,
                                      thick);
}

}  // namespace

float Ui::px(float units) const {
  return std::round(units * scale);
}

void Ui::mark(std::string_view name, bool stop, bool ring) {
  if (!std::exchange(list_opened, false)) {
    focus.note(name, stop);
    if (ring && focus.onLastItem()) drawRing(*this);
  }
  if (!probing) return;
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 size = ImGui::GetItemRectSize();
  probes[std::string(name)] = {low.x, low.y, size.x, size.y};
}

namespace {

constexpr double kTooltipDelay = 0.4;                  // seconds
constexpr float kSliderWidth = 76, kNumberWidth = 46;  // of labelled sliders

struct ButtonLook {
  ImVec4 rest, hovered, pressed, content;
};

ImVec4 mixed(const ImVec4& a, const ImVec4& b, float t) {
  return {a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, a.z + (b.z - a.z) * t, 1};
}

ButtonLook lookOf(const UiColours& p, Emphasis emphasis) {
  switch (emphasis) {
    case Emphasis::Accent:
      return {p.accent, mixed(p.accent, p.text, 0.15f), mixed(p.accent, p.background, 0.2f), p.on_accent};
    case Emphasis::Danger:
      return {p.raised, p.hovered, p.pressed, p.error};
    case Emphasis::Quiet:
      return {{0, 0, 0, 0}, p.hovered, p.pressed, p.dim};
    case Emphasis::Plain:
      break;
  }
  return {p.raised, p.hovered, p.pressed, p.text};
}

}  // namespace

float iconButtonWidth(const Ui& ui, Icon icon, const char* label) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float icon_size = icon == Icon::None ? 0 : ImGui::GetFontSize() * 0.8f;
  const float text = label && *label ? ImGui::CalcTextSize(label).x : 0;
  const float gap = icon_size > 0 && text > 0 ? ui.px(7) : 0;
  return std::max(icon_size + gap + text + 2 * style.FramePadding.x + ui.px(2), ImGui::GetFrameHeight());
}

bool iconButton(Ui& ui, const char* id, Icon icon, const char* label, const char* help, Emphasis emphasis,
                float width) {
  const UiColours& p = ui.colours();
  const ButtonLook look = lookOf(p, emphasis);
  const ImVec2 size(width > 0 ? width : iconButtonWidth(ui, icon, label), ImGui::GetFrameHeight());
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, size);
  const bool over = ImGui::IsItemHovered();
  const bool held = ImGui::IsItemActive();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float alpha = ImGui::GetStyle().Alpha;
  const ImVec4& free = over ? look.hovered : look.rest;
  const ImU32 fill = toU32(held ? look.pressed : free, alpha);
  list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, fill, ImGui::GetStyle().FrameRounding);
  const ImU32 content = toU32(over && emphasis == Emphasis::Quiet ? p.text : look.content, alpha);
  const float icon_size = icon == Icon::None ? 0 : ImGui::GetFontSize() * 0.8f;
  const float text = label && *label ? ImGui::CalcTextSize(label).x : 0;
  const float gap = icon_size > 0 && text > 0 ? ui.px(7) : 0;
  float x = std::round(at.x + (size.x - icon_size - gap - text) / 2);
  if (icon_size > 0) {
    const ImU32 icon_colour = icon == Icon::Record ? toU32(p.error, alpha) : content;
    drawIcon(list, icon, {x + icon_size / 2, at.y + size.y / 2}, icon_size, icon_colour);
    x += icon_size + gap;
  }
  if (text > 0) list.AddText({x, std::round(at.y + ImGui::GetStyle().FramePadding.y)}, content, label);
  ui.mark(id);
  if (help && *help) tooltip(ui, help);
  return pressed;
}

float chipWidth(const Ui& ui, const std::string& label) {
  return ImGui::CalcTextSize(label.c_str()).x + ImGui::GetFontSize() * 0.72f + ui.px(26);
}

bool chip(Ui& ui, const char* id, const std::string& label, const ImVec4& colour, bool on) {
  const UiColours& p = ui.colours();
  const float height = ImGui::GetFrameHeight();
  const float dot = ImGui::GetFontSize() * 0.36f;
  const ImVec2 text = ImGui::CalcTextSize(label.c_str());
  const ImVec2 size(chipWidth(ui, label), height);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const bool pressed = ImGui::InvisibleButton(id, size);
  const bool over = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  const float alpha = ImGui::GetStyle().Alpha;
  const ImVec4& rest = on ? p.raised : p.panel;
  list.AddRectFilled(at, end, toU32(over ? p.hovered : rest, alpha), height / 2);
  list.AddRect(at, end, toU32(p.line, alpha), height / 2, 0, std::max(1.0f, ui.scale));
  const ImVec2 centre(at.x + ui.px(10) + dot, at.y + height / 2);
  if (on) {
    list.AddCircleFilled(centre, dot, toU32(colour, alpha), 20);
  } else {
    list.AddCircle(centre, dot, toU32(p.dim, alpha), 20, std::max(1.0f, ui.scale));
  }
  list.AddText({centre.x + dot + ui.px(6), std::round(at.y + (height - text.y) / 2)}, toU32(on ? p.text : p.dim, alpha),
               label.c_str());
  ui.mark(id);
  return pressed;
}

float pillWidth(const Ui& ui, const std::string& label) {
  return ImGui::CalcTextSize(label.c_str()).x + ui.px(12 + 8 + 12) + ImGui::GetFontSize() * 0.7f;
}

bool removablePill(Ui& ui, const char* id, const std::string& label, const char* help) {
  const UiColours& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 size(pillWidth(ui, label), ImGui::GetFrameHeight());
  const bool pressed = ImGui::InvisibleButton(id, size);
  const bool over = ImGui::IsItemHovered();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const ImVec2 end(at.x + size.x, at.y + size.y);
  list.AddRectFilled(at, end, toU32(over ? p.hovered : p.panel, 0.92f), size.y / 2);
  list.AddRect(at, end, toU32(p.accent, over ? 1 : 0.7f), size.y / 2, 0, std::max(1.0f, ui.scale));
  list.AddText({at.x + ui.px(12), std::round(at.y + ImGui::GetStyle().FramePadding.y)}, toU32(p.text), label.c_str());
  const float cross = ImGui::GetFontSize() * 0.7f;
  drawIcon(list, Icon::Cross, {end.x - ui.px(12) - cross / 2, at.y + size.y / 2}, cross, toU32(over ? p.text : p.dim));
  ui.mark(id);
  tooltip(ui, help);
  return pressed;
}

double dragFactor() {
  if (ImGui::GetIO().KeyAlt) return 0.1;
  return ImGui::GetIO().KeyShift ? 4 : 1;
}

bool sliderBar(Ui& ui, const char* id, float width, double& fraction, double initial, bool& released) {
  const UiColours& p = ui.colours();
  const float height = ui.px(16);
  const float knob = ui.px(6);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton(id, {width, height});
  const bool active = ImGui::IsItemActive();
  const bool over = ImGui::IsItemHovered();
  released = ImGui::IsItemDeactivated();
  bool moved = false;
  const float low = at.x + knob;
  const float span = std::max(width - 2 * knob, 1.0f);
  if (ui.focus.onLastItem()) {
    // Left and right by a hundredth; with Shift finer, with Ctrl coarser.
    const ImGuiIO& io = ImGui::GetIO();
    const double coarse = io.KeyCtrl ? 0.1 : 0.01, by = io.KeyShift ? 0.001 : coarse;
    const int way = ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_RightArrow)) -
                    ImGui::IsKeyPressed(ImGui::GetKeyIndex(ImGuiKey_LeftArrow));
    if (way != 0) {
      ui.focus.keepArrow();
      const double wanted = std::clamp(fraction + way * by, 0.0, 1.0);
      moved = wanted != fraction;
      released = moved;
      fraction = wanted;
    }
  }
  // The place of a stroke that goes by distances, more exact than what the caller rounds it to; below 0: it does not.
  float& by_distance = *ImGui::GetStateStorage()->GetFloatRef(ImGui::GetID(id), -1);
  if (ImGui::IsItemActivated()) by_distance = -1;
  if (active && ImGui::IsMouseDown(0)) {
    const double factor = dragFactor();
    if (factor != 1 && by_distance < 0) by_distance = static_cast<float>(fraction);
    double wanted = std::clamp((ImGui::GetIO().MousePos.x - low) / span, 0.0f, 1.0f);
    if (by_distance >= 0) {
      const double way = factor * ImGui::GetIO().MouseDelta.x / span;
      by_distance = static_cast<float>(std::clamp(by_distance + way, 0.0, 1.0));
      wanted = by_distance;
      moved = way != 0 && wanted != fraction;
      if (moved) fraction = wanted;
    } else if (ImGui::IsMouseDragging(0, 1) || std::abs(wanted - fraction) * span > knob) {
      // A press without a move beyond a pixel leaves the value as it is.
      moved = wanted != fraction;
      fraction = wanted;
    }
  }
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float alpha = ImGui::GetStyle().Alpha;
  const float middle = std::round(at.y + height / 2);
  const float thick = ui.px(4);
  const float x = low + span * static_cast<float>(fraction);
  list.AddRectFilled({at.x, middle - thick / 2}, {at.x + width, middle + thick / 2}, toU32(p.raised, alpha), thick / 2);
  list.AddRectFilled({at.x, middle - thick / 2}, {x, middle + thick / 2}, toU32(p.accent, 0.75f * alpha), thick / 2);
  const float tick = low + span * static_cast<float>(initial);
  list.AddLine({tick, middle - ui.px(5)}, {tick, middle + ui.px(5)}, toU32(p.dim, 0.6f * alpha),
               std::max(1.0f, ui.scale));
  list.AddCircleFilled({x, middle}, active || over ? knob : knob - ui.px(1),
                       toU32(active || over ? p.text : p.accent, alpha), 24);
  return moved;
}

float labelledSliderWidth(const Ui& ui, const char* label) {
  return ImGui::CalcTextSize(label).x + ui.px(6 + kSliderWidth + 6 + kNumberWidth);
}

bool labelledSlider(Ui& ui, const SliderLabel& slider, double& place, double usual) {
  const float top = ImGui::GetCursorPosY(), origin = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  ImGui::TextUnformatted(slider.label);
  tooltip(ui, slider.help);
  ImGui::SameLine(0, ui.px(6));
  if (slider.label_width > 0) ImGui::SetCursorPosX(origin + slider.label_width + ui.px(6));
  ImGui::SetCursorPosY(top + (ImGui::GetFrameHeight() - ui.px(16)) / 2);
  bool released = false;
  const bool moved = sliderBar(ui, slider.id, ui.px(kSliderWidth), place, usual, released);
  ui.mark(slider.id);
  tooltip(ui, slider.help);
  ImGui::SameLine(0, ui.px(6));
  ImGui::SetCursorPosY(top);
  const float left = ImGui::GetCursorPosX();
  ImGui::AlignTextToFramePadding();
  clippedText(slider.shown, ui.px(kNumberWidth), ui.colours().dim);
  ImGui::SameLine(0, 0);
  ImGui::SetCursorPos({left + ui.px(kNumberWidth), top});
  ImGui::Dummy({0, ImGui::GetFrameHeight()});
  return moved;
}

Card::Card(const Ui& ui, const ImVec4& colour) : ui_(ui), colour_(colour) {
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSplit(2);
  list.ChannelsSetCurrent(1);
  ImGui::PushStyleColor(ImGuiCol_Border, colour);  // of tooltips, too
  ImGui::BeginGroup();
  ImGui::Dummy({0, ui.px(2)});
  ImGui::Indent(ui.px(12));
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - ui.px(8));
}

Card::~Card() {
  ImGui::PopTextWrapPos();
  ImGui::Unindent(ui_.px(12));
  ImGui::Dummy({0, ui_.px(2)});
  ImGui::EndGroup();
  ImGui::PopStyleColor();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  list.ChannelsSetCurrent(0);
  const ImVec2 low = ImGui::GetItemRectMin();
  const ImVec2 high(low.x + ImGui::GetContentRegionAvail().x, ImGui::GetItemRectMax().y);
  list.AddRectFilled(low, high, toU32(mixed(ui_.colours().panel, colour_, 0.13f)), ui_.px(4));
  list.AddRectFilled(low, {low.x + ui_.px(3), high.y}, toU32(colour_), ui_.px(2));
  list.ChannelsMerge();
}

void beginFloating(const char* id, float padding, const ImVec4& border) {
  const ScopedStyle inside(ImGuiStyleVar_WindowPadding, {padding, padding});
  const ScopedColour edge(ImGuiCol_Border, border);
  ImGui::Begin(id, nullptr,
               ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoSavedSettings |
                   ImGuiWindowFlags_NoFocusOnAppearing | ImGuiWindowFlags_NoNav);
}

bool beginPopup(const char* id, const ImVec2& padding, ImGuiWindowFlags flags) {
  const ScopedStyle inside(ImGuiStyleVar_WindowPadding, padding);
  return ImGui::BeginPopup(id, flags);
}

void beginPadded(const char* id, const ImVec2& size, ImGuiWindowFlags flags) {
#if IMGUI_VERSION_NUM >= 19000
  ImGui::BeginChild(id, size, ImGuiChildFlags_AlwaysUseWindowPadding, flags);
#else
  ImGui::BeginChild(id, size, false, ImGuiWindowFlags_AlwaysUseWindowPadding | flags);
#endif
}

RefusedFrame::RefusedFrame(const Ui& ui, bool refused)
    : colour_(ImGuiCol_Border, ui.colours().error),
      width_(ImGuiStyleVar_FrameBorderSize, refused ? std::max(1.0f, ui.scale) : 0.0f) {}

bool textLine(const char* id, const char* hint, std::string& text, ImGuiInputTextFlags flags) {
  const auto resize = [](ImGuiInputTextCallbackData* data) {
    if (data->EventFlag != ImGuiInputTextFlags_CallbackResize) return 0;
    auto& kept = *static_cast<std::string*>(data->UserData);
    kept.resize(static_cast<std::size_t>(data->BufTextLen));
    data->Buf = kept.data();
    return 0;
  };
  return ImGui::InputTextWithHint(id, hint, text.data(), text.capacity() + 1,
                                  flags | ImGuiInputTextFlags_CallbackResize, resize, &text);
}

std::string linesOf(std::string text, float width) {
  const char* line = text.data();
  for (std::size_t at = 0, blank = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    if (blank && ImGui::CalcTextSize(line, text.data() + end).x > width) {
      text[blank] = '\n';
      line = text.data() + blank + 1;
    }
    blank = end < text.size() && text[end] == ' ' ? end : 0;
    if (end < text.size() && text[end] == '\n') line = text.data() + end + 1;
    at = end + 1;
  }
  return text;
}

void wrappedText(const std::string& text) {
  const float width =
      ImGui::CalcWrapWidthForPos(ImGui::GetCursorScreenPos(), ImGui::GetCurrentWindow()->DC.TextWrapPos);
  ImGui::TextUnformatted((width > 0 ? linesOf(text, width) : text).c_str());
}

void smallLine(const Ui& ui, const std::string& text, const ImVec4& colour) {
  const ScopedFont font(ui.fonts.small);
  const ScopedColour letters(ImGuiCol_Text, colour);
  const ScopedWrap wrap;
  wrappedText(text);
}

void boldLine(const Ui& ui, const std::string& text) {
  const ScopedFont font(ui.fonts.bold);
  ImGui::TextUnformatted(text.c_str());
}

ImVec2 smallTextSize(const Ui& ui, const std::string& text) {
  const ScopedFont font(ui.fonts.small);
  return ImGui::CalcTextSize(text.c_str());
}

void messageCard(const Ui& ui, const std::string& text, const ImVec4& colour) {
  const Card card(ui, colour);
  wrappedText(text);
}

void tooltip(Ui& ui, const std::string& text) {
  if (text.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
  const ImVec2 low = ImGui::GetItemRectMin(), size = ImGui::GetItemRectSize();
  if (low.x != ui.resting.x || low.y != ui.resting.y || size.x != ui.resting.width || size.y != ui.resting.height) {
    ui.resting = {low.x, low.y, size.x, size.y};
    ui.resting_since = ImGui::GetTime();
  }
  if (ImGui::GetTime() - ui.resting_since < kTooltipDelay) return;
  const ScopedStyle padding(ImGuiStyleVar_WindowPadding, {ui.px(10), ui.px(8)});
  const ScopedStyle opaque(ImGuiStyleVar_Alpha, 1);
  const ScopedTooltip window;
  const ScopedFont font(ui.fonts.small);
  const ScopedWrap wrap(ImGui::GetFontSize() * 28);
  wrappedText(text);
  if (!ui.probing) return;
  const ImVec2 at = ImGui::GetWindowPos(), extent = ImGui::GetWindowSize();
  ui.probes["tooltip"] = {at.x, at.y, extent.x, extent.y};
}

float comboWidth(const char* shown, const char* label) {
  const ImGuiStyle& style = ImGui::GetStyle();
  const float words = label ? ImGui::CalcTextSize(label).x + style.ItemInnerSpacing.x : 0;
  return words + ImGui::CalcTextSize(shown).x + 3 * style.FramePadding.x + ImGui::GetFrameHeight();
}

bool beginCombo(Ui& ui, const char* id, const char* label, const char* shown, ImGuiComboFlags flags) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = ImGui::CalcItemWidth();
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const float inside = width - 2 * ImGui::GetStyle().FramePadding.x - ImGui::GetFrameHeight();
  const bool open = ImGui::BeginCombo(id, label ? "" : fitted(shown, inside).c_str(), flags);
  if (label) {
    const ImGuiStyle& style = ImGui::GetStyle();
    const float x = at.x + style.FramePadding.x, y = at.y + style.FramePadding.y;
    const float words = ImGui::CalcTextSize(label).x + style.ItemInnerSpacing.x;
    const float room = width - words - 2 * style.FramePadding.x - ImGui::GetFrameHeight();
    list.AddText({x, y}, toU32(ui.colours().dim, style.Alpha), label);
    list.AddText({x + words, y}, toU32(ui.colours().text, style.Alpha), fitted(shown, room).c_str());
  }
  if (!open) return false;
  ui.list_opened = true;
  ui.dropdown = true;
  ui.popups.emplace_back("dropdown");
  if (ui.close_dropdown) ImGui::CloseCurrentPopup();
  return true;
}

std::vector<std::string>& cutTexts() {
  static std::vector<std::string> texts;  // all are drawn by the UI's thread
  return texts;
}

std::string fitted(const std::string& text, float width) {
  if (ImGui::CalcTextSize(text.c_str()).x <= width) return text;
  cutTexts().push_back(text);
  std::string cut = text;
  while (!cut.empty()) {
    do cut.pop_back();
    while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80);  // into a UTF-8 sequence
    if (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0xC0) cut.pop_back();
    const std::string with_dots = cut + "...";
    if (ImGui::CalcTextSize(with_dots.c_str()).x <= width) return with_dots;
  }
  return cut;
}

void clippedText(const std::string& text, float width, const ImVec4& colour) {
  ImGui::TextColored(colour, "%s", fitted(text, width).c_str());
}

void heading(const Ui& ui, const std::string& text, float width) {
  ImGui::Dummy({0, ui.px(2)});
  boldLine(ui, text);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::GetWindowDrawList()->AddLine({at.x, at.y - ui.px(3)},
                                      {at.x + (width > 0 ? width : ImGui::GetContentRegionAvail().x), at.y - ui.px(3)},
                                      toU32(ui.colours().line), std::max(1.0f, ui.scale));
  ImGui::Dummy({0, 0});
}

std::string shortNumber(double value) {
  if (std::isnan(value)) return "n/a";
  if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
  const double magnitude = std::abs(value);
  if (magnitude == 0) return "0";
  if (magnitude < 1e-3 || magnitude >= 1e6) return fmt::format("{:.2e}", value);
  return magnitude >= 999.95 ? fmt::format("{:.0f}", value) : fmt::format("{:#.4g}", value);
}

std::string labelNumber(double value) {
  std::string text = shortNumber(value);
  if (text.find('.') == std::string::npos || text.find('e') != std::string::npos) return text;
  while (text.back() == '0') text.pop_back();
  if (text.back() == '.') text.pop_back();
  return text;
}

std::string bytesText(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB"};
  int unit = 0;
  while (bytes >= 999.5 && unit < 4) {
    bytes /= 1000;
    ++unit;
  }
  return unit == 0 || bytes >= 99.5 ? fmt::format("{:.0f} {}", bytes, units[unit])
                                    : fmt::format("{:.1f} {}", bytes, units[unit]);
}

}  // namespace simscope::gui
