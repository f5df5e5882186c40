// Dear ImGui's stacks as objects: the constructor pushes, and the end of the object's scope pops.
//
// Thread: the UI's, between NewFrame and Render.
#pragma once

#include <imgui.h>

#include <concepts>
#include <string>

namespace simscope::gui {

template <void (*pop)()>
class Scoped {
 public:
  ~Scoped() { pop(); }
  Scoped(const Scoped&) = delete;
  Scoped& operator=(const Scoped&) = delete;

 protected:
  Scoped() = default;
};

inline void popColour() {
  ImGui::PopStyleColor();
}
inline void popStyle() {
  ImGui::PopStyleVar();
}

struct ScopedColour : Scoped<popColour> {
  ScopedColour(ImGuiCol which, const ImVec4& colour) { ImGui::PushStyleColor(which, colour); }
};

struct ScopedStyle : Scoped<popStyle> {
  ScopedStyle(ImGuiStyleVar which, float value) { ImGui::PushStyleVar(which, value); }
  ScopedStyle(ImGuiStyleVar which, const ImVec2& value) { ImGui::PushStyleVar(which, value); }
};

struct ScopedFont : Scoped<ImGui::PopFont> {
  explicit ScopedFont(ImFont* font) {
#if IMGUI_VERSION_NUM >= 19200
    ImGui::PushFont(font, font->LegacySize);
#else
    ImGui::PushFont(font);
#endif
  }
};

// Texts are wrapped at `right`, in the window's coordinates; 0: at its edge.
struct ScopedWrap : Scoped<ImGui::PopTextWrapPos> {
  explicit ScopedWrap(float right = 0) { ImGui::PushTextWrapPos(right); }
};

struct ScopedId : Scoped<ImGui::PopID> {
  explicit ScopedId(std::integral auto index) { ImGui::PushID(static_cast<int>(index)); }
  explicit ScopedId(const std::string& name) { ImGui::PushID(name.c_str()); }
};

struct ScopedTooltip : Scoped<ImGui::EndTooltip> {
  ScopedTooltip() { ImGui::BeginTooltip(); }
};

// Controls are shown and do not react.
struct ScopedDisabled : Scoped<ImGui::EndDisabled> {
  explicit ScopedDisabled(bool disabled) { ImGui::BeginDisabled(disabled); }
};

}  // namespace simscope::gui
