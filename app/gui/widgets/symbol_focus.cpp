#include "app/gui/widgets/symbol_focus.h"

#include "app/gui/widgets/widgets.h"

namespace simscope::gui {

void focusRow(Ui& ui, const std::string& key, float width) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const ImVec2 end(at.x + width, at.y + ImGui::GetFrameHeight());
  if (ui.symbols.lit.contains(key)) {
    ImGui::GetWindowDrawList()->AddRectFilled({at.x - ui.px(4), at.y}, end, toU32(ui.colours().accent, 0.28f),
                                              ui.px(4));
  }
  if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(at, end)) ui.symbols.next_parameter = key;
}

}  // namespace simscope::gui
