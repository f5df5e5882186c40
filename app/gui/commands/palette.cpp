#include "app/gui/commands/palette.h"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace simscope::gui {

namespace {

constexpr const char* kPopup = "command_palette";
constexpr float kWidth = 620, kRow = 28, kKindWidth = 84;
constexpr float kNarrow = 420;  // rows of this width, and narrower ones, do not tell the kind of what they name
constexpr std::size_t kMostRows = 12;

// The title with its matched letters in the accent's colour; returns how wide it is.
float drawMatched(const Ui& ui, ImDrawList& list, ImVec2 at, const std::string& title,
                  const std::vector<std::size_t>& letters) {
  float x = at.x;
  for (std::size_t begin = 0; begin < title.size();) {
    const bool matched = std::binary_search(letters.begin(), letters.end(), begin);
    std::size_t end = begin;
    // Whole characters that are alike in that.
    do {
      ++end;
      while (end < title.size() && (static_cast<unsigned char>(title[end]) & 0xC0) == 0x80) ++end;
    } while (end < title.size() && std::binary_search(letters.begin(), letters.end(), end) == matched);
    const char* const first = title.data() + begin;
    const char* const last = title.data() + end;
    list.AddText({x, at.y}, toU32(matched ? ui.colours().accent : ui.colours().text), first, last);
    x += ImGui::CalcTextSize(first, last).x;
    begin = end;
  }
  return x - at.x;
}

std::string markOf(const PaletteItem& item) {
  static constexpr const char* kMarks[] = {"command", "parameter", "preset", "view", "simulation"};
  const std::string whose = item.simulation.empty() ? "" : item.simulation + ":";
  return std::string(kMarks[static_cast<std::size_t>(item.kind)]) + ":" + whose + item.key;
}

}  // namespace

void CommandPalette::take(const Key& key) {
  const std::size_t last = hits_.empty() ? 0 : hits_.size() - 1;
  switch (key.key) {
    case GLFW_KEY_ESCAPE:
      return close();
    case GLFW_KEY_ENTER:
    case GLFW_KEY_KP_ENTER:
      entered_ = true;
      return;
    case GLFW_KEY_DOWN:
      chosen_ = chosen_ < last ? chosen_ + 1 : 0;
      break;
    case GLFW_KEY_UP:
      chosen_ = chosen_ > 0 ? chosen_ - 1 : last;
      break;
    case GLFW_KEY_PAGE_DOWN:
      chosen_ = std::min(chosen_ + page(), last);
      break;
    case GLFW_KEY_PAGE_UP:
      chosen_ -= std::min(page(), chosen_);
      break;
    default:
      if (pressed("Ctrl+P", key)) close();
      return;
  }
  moved_ = true;
}

void CommandPalette::search(const Session& session, const std::vector<Command>& commands) {
  if (searched_once_ && searched_ == query_) return;
  items_ = paletteItems(commands, session);
  hits_ = searchPalette(items_, query_);
  searched_ = query_;
  searched_once_ = true;
  refusal_.clear();
  chosen_ = 0;
  moved_ = true;
}

std::vector<std::string> CommandPalette::firstHits() const {
  std::vector<std::string> marks;
  for (std::size_t i = 0; open_ && i < std::min<std::size_t>(hits_.size(), 8); ++i) {
    marks.push_back(markOf(items_[hits_[i].item]));
  }
  return marks;
}

bool CommandPalette::drawRow(Ui& ui, std::size_t row, float width) {
  const PaletteHit& hit = hits_[row];
  const PaletteItem& item = items_[hit.item];
  const UiColours& p = ui.colours();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = ui.px(kRow), y = std::round(at.y + (height - ImGui::GetFontSize()) / 2);
  const ScopedId id(row);
  const bool pressed = ImGui::InvisibleButton("row", {width, height});
  if (ImGui::IsItemHovered() && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0)) chosen_ = row;
  ui.mark("palette:" + markOf(item), false);
  if (row == chosen_ && moved_) ImGui::SetScrollHereY(0.5f);
  ImDrawList& list = *ImGui::GetWindowDrawList();
  if (row == chosen_) {
    list.AddRectFilled(at, {at.x + width, at.y + height}, toU32(p.pressed), ui.px(4));
    list.AddRectFilled(at, {at.x + ui.px(3), at.y + height}, toU32(p.accent), ui.px(2));
  }
  float right = at.x + width - ui.px(10);
  const bool narrow = width <= ui.px(kNarrow);
  const float left = at.x + ui.px(narrow ? 10 : kKindWidth), title_width = ImGui::CalcTextSize(item.title.c_str()).x;
  {
    const ScopedFont font(ui.fonts.small);
    const float small_y = std::round(at.y + (height - ImGui::GetFontSize()) / 2);
    if (!narrow) list.AddText({at.x + ui.px(10), small_y}, toU32(p.dim), nameOf(item.kind));
    const float keys = ImGui::CalcTextSize(item.keys.c_str()).x, pad = ui.px(6), taken = keys + 2 * pad + ui.px(10);
    // The name comes before its keys.
    if (!item.keys.empty() && left + title_width <= right - taken) {
      const float key_left = right - keys - 2 * pad;
      list.AddRect({key_left, at.y + ui.px(4)}, {right, at.y + height - ui.px(4)}, toU32(p.dim, 0.6f), ui.px(4), 0,
                   std::max(1.0f, ui.scale));
      list.AddText({key_left + pad, small_y}, toU32(p.dim), item.keys.c_str());
      right -= taken;
    }
  }
  const std::string title = fitted(item.title, right - left);
  float x =
      left + drawMatched(ui, list, {left, y}, title, title == item.title ? hit.letters : std::vector<std::size_t>{});
  x += ui.px(12);
  const std::string beside = hit.value.empty() ? item.detail : "set to " + hit.value;
  if (!beside.empty() && right - x > ui.px(40)) {
    list.AddText({x, y}, toU32(hit.value.empty() ? p.dim : p.accent), fitted(beside, right - x).c_str());
  }
  return pressed;
}

void CommandPalette::drawHits(Ui& ui, float width, std::optional<Choice>& choice) {
  const ScopedStyle spacing(ImGuiStyleVar_ItemSpacing, {0, 0});
  ImGui::BeginChild("hits", {width, ui.px(kRow) * static_cast<float>(rows_shown_)}, false, ImGuiWindowFlags_NoNav);
  const float row_width = ImGui::GetContentRegionAvail().x;
  for (std::size_t row = 0; row < hits_.size(); ++row) {
    if (drawRow(ui, row, row_width)) choice = Choice{items_[hits_[row].item], hits_[row]};
  }
  if (hits_.empty()) {
    ImGui::SetCursorPos({ui.px(10), ui.px(6)});
    ImGui::TextDisabled("No match.");
  }
  moved_ = false;
  ImGui::EndChild();
}

std::optional<CommandPalette::Choice> CommandPalette::draw(const Session& session, Ui& ui,
                                                           const std::vector<Command>& commands) {
  if (std::exchange(wanted_, false)) {
    query_.clear();
    searched_once_ = false;
    focus_ = true;
    closing_ = entered_ = false;
    ImGui::OpenPopup(kPopup);
  }
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float width = std::min(ui.px(kWidth), screen.x - 2 * ui.px(8));
  ImGui::SetNextWindowPos({std::round((screen.x - width) / 2), std::min(ui.px(44), screen.y * 0.06f)});
  ImGui::SetNextWindowSize({width, 0});
  open_ = beginPopup(kPopup, {ui.px(10), ui.px(10)},
                     ImGuiWindowFlags_NoMove | ImGuiWindowFlags_NoNav | ImGuiWindowFlags_NoSavedSettings);
  if (!open_) return std::nullopt;
  ui.popups.emplace_back("palette");
  if (std::exchange(focus_, false)) ImGui::SetKeyboardFocusHere();
  const float inner = ImGui::GetContentRegionAvail().x;
  ImGui::SetNextItemWidth(inner);
  const char* const hint = "Command, parameter, preset, view, simulation   or: name value";
  const bool told = ImGui::CalcTextSize(hint).x < inner - ui.px(24);
  {
    const ScopedStyle padding(ImGuiStyleVar_FramePadding, {ui.px(10), ui.px(7)});
    textLine("##query", told ? hint : "Type to search", query_, 0);
  }
  ui.mark("palette_query");
  search(session, commands);

  std::optional<Choice> choice;
  if (!refusal_.empty()) messageCard(ui, refusal_, ui.colours().error);
  const float room = screen.y - ImGui::GetCursorScreenPos().y - ui.px(24);
  const auto fits = static_cast<std::size_t>(std::max(room / ui.px(kRow), 2.0f));
  rows_shown_ = std::min({kMostRows, fits, std::max<std::size_t>(hits_.size(), 1)});
  drawHits(ui, inner, choice);
  if (std::exchange(entered_, false)) {
    focus_ = true;  // Enter has left the line
    if (chosen_ < hits_.size()) choice = Choice{items_[hits_[chosen_].item], hits_[chosen_]};
  }
  if (std::exchange(closing_, false)) {
    open_ = false;
    ImGui::CloseCurrentPopup();
  }
  ImGui::EndPopup();
  return choice;
}

}  // namespace simscope::gui
