// The window's symbols, drawn as shapes: sharp at any scale, without a font. Thread: the UI's.
#pragma once

#include <imgui.h>

namespace simscope::gui {

enum class Icon {
  None,
  Play,
  Pause,
  Step,
  StepBack,
  Reset,
  Record,
  Picture,
  Fit,
  Theme,
  Help,
  Cross,
  Plus,
  Minus,
  Restarts,
  Undo,
  Redo,
  Measure,
  PanelLeft,
  PanelRight,
  PanelBelow,
  FullScreen,
  Present,
  Search
};

// Draws `icon` into the square centred at `centre`.
void drawIcon(ImDrawList& list, Icon icon, ImVec2 centre, float size, ImU32 colour);

}  // namespace simscope::gui
