// The look of the window: colours for dark and light, fonts, and Dear ImGui's style, at any content scale.
//
// Thread: the UI's, with its ImGui context current. Fonts belong to the context's atlas.
#pragma once

#include <imgui.h>

#include <string>

#include "app/render/figure/figure.h"

namespace simscope::gui {

struct UiColours {
  ImVec4 background;  // behind everything
  ImVec4 panel;       // panels
  ImVec4 raised;      // fields, buttons
  ImVec4 hovered;
  ImVec4 pressed;
  ImVec4 line;  // separators, borders
  ImVec4 text, dim;
  ImVec4 accent, on_accent;
  ImVec4 note, warning, error, good;
  ImVec4 exact;  // exact values in the time plots
};
const UiColours& uiColoursOf(render::Theme theme);

inline ImU32 toU32(const ImVec4& colour, float alpha = 1) {
  return ImGui::ColorConvertFloat4ToU32({colour.x, colour.y, colour.z, colour.w * alpha});
}

constexpr float kEquationSize = 22;  // of letters at scale 1

struct Fonts {
  ImFont* regular = nullptr;
  ImFont* bold = nullptr;
  ImFont* small = nullptr;
  ImFont* mono = nullptr;      // formulas
  ImFont* equation = nullptr;  // large; see kEquationSize
};

// Fills the atlas with the program's fonts for this scale and pixel ratio; the old ones are dropped. The caller must
// renew the backend's texture.
Fonts loadFonts(float scale, float pixel_ratio);
void applyStyle(const UiColours& palette, float scale);

}  // namespace simscope::gui
