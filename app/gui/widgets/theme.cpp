#include "app/gui/widgets/theme.h"

#include <cmath>
#include <span>
#include <vector>

#include "app/render/figure/fonts.h"

namespace simscope::gui {
namespace {

ImVec4 rgb(unsigned hex, float alpha = 1) {
  return {static_cast<float>(hex >> 16 & 255) / 255, static_cast<float>(hex >> 8 & 255) / 255,
          static_cast<float>(hex & 255) / 255, alpha};
}

ImFont* addFont(render::FontFace face, float pixels) {
  static const std::vector<ImWchar> ranges(render::kGlyphRanges.begin(), render::kGlyphRanges.end());
  const std::span<const unsigned char> file = render::fontFile(face);
  ImFontConfig config;
  config.OversampleH = 2;
  config.OversampleV = 1;
  config.PixelSnapH = true;
  config.FontDataOwnedByAtlas = false;
  return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<unsigned char*>(file.data()),
                                                    static_cast<int>(file.size()), pixels, &config, ranges.data());
}

}  // namespace

const UiColours& uiColoursOf(render::Theme theme) {
  static const UiColours dark = {.background = rgb(0x0F1116),
                                 .panel = rgb(0x171A21),
                                 .raised = rgb(0x252A34),
                                 .hovered = rgb(0x303745),
                                 .pressed = rgb(0x3A4353),
                                 .line = rgb(0x2B303B),
                                 .text = rgb(0xE4E7EC),
                                 .dim = rgb(0x939BAA),
                                 .accent = rgb(0x4FA3F7),
                                 .on_accent = rgb(0x0B1018),
                                 .note = rgb(0x5BA7F0),
                                 .warning = rgb(0xEBAA3C),
                                 .error = rgb(0xF0625B),
                                 .good = rgb(0x58B978),
                                 .exact = rgb(0xEBC76B)};
  static const UiColours light = {.background = rgb(0xDDE1E7),
                                  .panel = rgb(0xF4F6F8),
                                  .raised = rgb(0xE2E6EC),
                                  .hovered = rgb(0xD3D9E2),
                                  .pressed = rgb(0xC3CBD7),
                                  .line = rgb(0xCBD1DA),
                                  .text = rgb(0x1C222B),
                                  .dim = rgb(0x545E6C),
                                  .accent = rgb(0x1A60B6),
                                  .on_accent = rgb(0xFFFFFF),
                                  .note = rgb(0x1A60B6),
                                  .warning = rgb(0x875100),
                                  .error = rgb(0xB52823),
                                  .good = rgb(0x1C6B3C),
                                  .exact = rgb(0x7D5300)};
  return theme == render::Theme::Dark ? dark : light;
}

Fonts loadFonts(float scale, float pixel_ratio) {
  ImGuiIO& io = ImGui::GetIO();
  io.Fonts->Clear();
  const auto pixels = [&](float size) { return std::round(size * scale * pixel_ratio); };
  Fonts fonts;
  fonts.regular = addFont(render::FontFace::Regular, pixels(14));
  fonts.bold = addFont(render::FontFace::Bold, pixels(14));
  fonts.small = addFont(render::FontFace::Regular, pixels(12));
  fonts.mono = addFont(render::FontFace::Mono, pixels(13));
  fonts.equation = addFont(render::FontFace::Regular, pixels(kEquationSize));
#if IMGUI_VERSION_NUM >= 19200
  ImGui::GetStyle().FontScaleMain = 1 / pixel_ratio;
#else
  io.FontGlobalScale = 1 / pixel_ratio;
#endif
  return fonts;
}

void applyStyle(const UiColours& p, float scale) {
  ImGuiStyle style;
#if IMGUI_VERSION_NUM >= 19200
  style.FontScaleMain = ImGui::GetStyle().FontScaleMain;
#endif
  style.WindowPadding = {12, 10};
  style.FramePadding = {8, 4};
  style.ItemSpacing = {8, 6};
  style.ItemInnerSpacing = {6, 4};
  style.ScrollbarSize = 10;
  style.GrabMinSize = 12;
  style.WindowRounding = 6;
  style.ChildRounding = 6;
  style.FrameRounding = 4;
  style.PopupRounding = 6;
  style.ScrollbarRounding = 5;
  style.GrabRounding = 4;
  style.WindowBorderSize = 1;
  style.ChildBorderSize = 0;
  style.PopupBorderSize = 1;
  style.FrameBorderSize = 0;
  style.DisabledAlpha = 0.45f;
  style.ScaleAllSizes(scale);
  style.WindowBorderSize = style.PopupBorderSize = std::fmax(1.0f, std::round(scale));

  const ImVec4 clear = {0, 0, 0, 0};
  ImVec4* c = style.Colors;
  c[ImGuiCol_Text] = p.text;
  c[ImGuiCol_TextDisabled] = p.dim;
  c[ImGuiCol_WindowBg] = p.panel;
  c[ImGuiCol_ChildBg] = p.panel;
  c[ImGuiCol_PopupBg] = p.panel;
  c[ImGuiCol_Border] = p.line;
  c[ImGuiCol_BorderShadow] = clear;
  c[ImGuiCol_FrameBg] = p.raised;
  c[ImGuiCol_FrameBgHovered] = p.hovered;
  c[ImGuiCol_FrameBgActive] = p.pressed;
  c[ImGuiCol_TitleBg] = c[ImGuiCol_TitleBgActive] = c[ImGuiCol_TitleBgCollapsed] = p.raised;
  c[ImGuiCol_MenuBarBg] = p.panel;
  c[ImGuiCol_ScrollbarBg] = clear;
  c[ImGuiCol_ScrollbarGrab] = p.hovered;
  c[ImGuiCol_ScrollbarGrabHovered] = c[ImGuiCol_ScrollbarGrabActive] = p.pressed;
  c[ImGuiCol_CheckMark] = p.accent;
  c[ImGuiCol_SliderGrab] = c[ImGuiCol_SliderGrabActive] = p.accent;
  c[ImGuiCol_Button] = p.raised;
  c[ImGuiCol_ButtonHovered] = p.hovered;
  c[ImGuiCol_ButtonActive] = p.pressed;
  c[ImGuiCol_Header] = {p.accent.x, p.accent.y, p.accent.z, 0.24f};
  c[ImGuiCol_HeaderHovered] = {p.accent.x, p.accent.y, p.accent.z, 0.14f};
  c[ImGuiCol_HeaderActive] = {p.accent.x, p.accent.y, p.accent.z, 0.34f};
  c[ImGuiCol_Separator] = c[ImGuiCol_SeparatorHovered] = c[ImGuiCol_SeparatorActive] = p.line;
  c[ImGuiCol_NavHighlight] = clear;  // Ui::mark draws the ring of the control that has the keyboard
  c[ImGuiCol_PlotHistogram] = p.accent;
  c[ImGuiCol_TextSelectedBg] = {p.accent.x, p.accent.y, p.accent.z, 0.35f};
  c[ImGuiCol_ModalWindowDimBg] = {0, 0, 0, 0.35f};
  ImGui::GetStyle() = style;
}

}  // namespace simscope::gui
