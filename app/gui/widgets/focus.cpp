#include "app/gui/widgets/focus.h"

#include <imgui_internal.h>

#include <algorithm>
#include <utility>

namespace simscope::gui {

namespace {

constexpr int kAskedFrames = 30;  // a panel that opens needs one or two

void showCursor(bool on) {
#if IMGUI_VERSION_NUM >= 19140
  ImGui::GetCurrentContext()->NavCursorVisible = on;
  ImGui::GetCurrentContext()->NavHighlightItemUnderNav = on;
#else
  ImGui::GetCurrentContext()->NavDisableHighlight = !on;
  ImGui::GetCurrentContext()->NavDisableMouseHover = on;
#endif
}

// Panels are the children of the root, lists are within them.
ImGuiWindow* panelOf(ImGuiWindow* window) {
  while (window->ParentWindow && window->ParentWindow != window->RootWindow && window != window->RootWindow) {
    window = window->ParentWindow;
  }
  return window;
}

}  // namespace

void Focus::begin() {
  ImGuiIO& io = ImGui::GetIO();
  const bool clicked = ImGui::IsMouseClicked(0) || ImGui::IsMouseClicked(1) || ImGui::IsMouseClicked(2);
  if (shown_ && clicked) hide();
  if (shown_) {
    io.ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
  } else {
    io.ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
  }
  before_ = std::exchange(stops_, {});
  name_.clear();
  if (!asked_.empty() && ++asked_frames_ > kAskedFrames) asked_.clear();
}

void Focus::hide() {
  shown_ = false;
  wanted_ = 0;
  name_.clear();
  showCursor(false);
  ImGui::GetIO().ConfigFlags &= ~ImGuiConfigFlags_NavEnableKeyboard;
}

bool Focus::onLastItem() const {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  return shown_ && g.LastItemData.ID != 0 && g.NavId == g.LastItemData.ID;
}

void Focus::note(std::string_view name, bool stop) {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  ImGuiWindow* const window = g.CurrentWindow;
  const ImGuiID id = g.LastItemData.ID;
  if (id == 0) return;
  const ImGuiItemFlags flags = ImGui::GetItemFlags();
  if ((flags & (ImGuiItemFlags_Disabled | ImGuiItemFlags_NoNav)) != 0) return;
  stops_.push_back({std::string(name), id, panelOf(window), window->RootWindow, stop});
  const bool asked = !asked_.empty() && asked_ == name;
  if (wanted_ == id || asked) {
    wanted_ = 0;
    asked_.clear();
    shown_ = true;
    ImGui::SetFocusID(id, window);
    showCursor(true);
    ImGui::ScrollToRect(window, g.LastItemData.Rect, ImGuiScrollFlags_KeepVisibleEdgeY);
    if ((flags & ImGuiItemFlags_Inputable) != 0) {
      g.NavNextActivateId = id;
      g.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
    }
  }
  if (onLastItem()) {
    name_ = name;
    on_field_ = (flags & ImGuiItemFlags_Inputable) != 0;
  }
}

void Focus::give(const Stop& stop) {
  if (ImGui::GetCurrentContext()->ActiveId != 0) ImGui::ClearActiveID();  // what is typed there is applied
  wanted_ = stop.id;
  shown_ = true;
  ImGui::GetIO().ConfigFlags |= ImGuiConfigFlags_NavEnableKeyboard;
}

void Focus::move(int direction) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  // Of a popup that is open, those within it alone; else those of the window in front.
  const void* root = before_.empty() ? nullptr : before_.front().root;
  const auto in_front = [&](const Stop& each) { return g.NavWindow && each.root == g.NavWindow->RootWindow; };
  if (const auto stop = std::find_if(before_.begin(), before_.end(), in_front); stop != before_.end())
    root = stop->root;
  if (g.OpenPopupStack.Size > 0 && g.OpenPopupStack.back().Window) root = g.OpenPopupStack.back().Window->RootWindow;
  std::vector<Stop> stops;
  std::ptrdiff_t here = -1;
  for (const Stop& each : before_) {
    const bool has_it = shown_ && each.id == g.NavId;
    if (each.root != root || (!each.stop && !has_it)) continue;
    if (has_it) here = static_cast<std::ptrdiff_t>(stops.size());
    stops.push_back(each);
  }
  const auto count = static_cast<std::ptrdiff_t>(stops.size());
  if (count == 0) return;
  const std::ptrdiff_t first = direction > 0 ? 0 : count - 1;
  std::ptrdiff_t next = here < 0 ? first : (here + direction + count) % count;
  // Off a line of a list that is no stop: past the list's own stop.
  if (here >= 0 && !stops[static_cast<std::size_t>(here)].stop && next != here) {
    const auto same = [&](std::ptrdiff_t i) {
      return stops[static_cast<std::size_t>(i)].name.substr(0, 7) ==
             stops[static_cast<std::size_t>(here)].name.substr(0, 7);
    };
    if (same(next)) next = (next + direction + count) % count;
  }
  give(stops[static_cast<std::size_t>(next)]);
}

void Focus::movePanel(int direction) {
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  if (before_.empty() || g.OpenPopupStack.Size > 0) return;
  std::vector<const Stop*> firsts;
  std::ptrdiff_t here = -1;
  const void* panel = nullptr;
  for (const Stop& each : before_) {
    if (shown_ && each.id == g.NavId) panel = each.panel;
  }
  for (const Stop& each : before_) {
    if (each.root != before_.front().root || !each.stop) continue;
    const bool known = std::any_of(firsts.begin(), firsts.end(), [&](const Stop* s) { return s->panel == each.panel; });
    if (known) continue;
    if (each.panel == panel) here = static_cast<std::ptrdiff_t>(firsts.size());
    firsts.push_back(&each);
  }
  const auto count = static_cast<std::ptrdiff_t>(firsts.size());
  const std::ptrdiff_t next = here < 0 ? 0 : (here + direction + count) % count;
  give(*firsts[static_cast<std::size_t>(next)]);
}

// Dear ImGui does it itself since 1.89; before, Enter is for fields alone.
void Focus::press() const {
  ImGuiContext& g = *ImGui::GetCurrentContext();
  if (!shown_ || on_field_ || g.NavId == 0 || g.NavActivateId != 0) return;
  g.NavNextActivateId = g.NavId;
  g.NavNextActivateFlags = ImGuiActivateFlags_None;
}

MouseOnly::MouseOnly() {
  ImGui::PushItemFlag(ImGuiItemFlags_NoNav, true);
}
MouseOnly::~MouseOnly() {
  ImGui::PopItemFlag();
}

void Focus::keepArrow() const {
  ImGui::NavMoveRequestCancel();
}

}  // namespace simscope::gui
