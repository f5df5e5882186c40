#include "app/gui/widgets/prose.h"

#include <algorithm>
#include <cfloat>
#include <vector>

#include "app/explanation/page.h"

namespace simscope::gui {

namespace {

struct PlacedWord {
  PageWord word;
  float x = 0, y = 0, width = 0;
};
struct PlacedProse {
  std::vector<PlacedWord> words;
  float height = 0;
};

ImFont* fontOf(const Ui& ui, PageWord::Kind kind, ImFont* plain) {
  if (kind == PageWord::Kind::Code) return ui.fonts.mono;
  return kind == PageWord::Kind::Strong ? ui.fonts.bold : plain;
}

float sizeOf(PageWord::Kind kind, float letters) {
  return kind == PageWord::Kind::Code ? letters * 0.93f : letters;
}

PlacedProse setInLines(const Ui& ui, const std::string& paragraph, float width, ImFont* font, float letters) {
  PlacedProse prose;
  const float space = font->CalcTextSizeA(letters, FLT_MAX, 0, " ").x, line = letters * 1.32f;
  float x = 0, y = 0;
  for (const PageWord& word : wordsOf(paragraph)) {
    const float size = sizeOf(word.kind, letters);
    const float wide = fontOf(ui, word.kind, font)->CalcTextSizeA(size, FLT_MAX, 0, word.text.c_str()).x;
    const float gap = x > 0 && word.spaced ? space : 0;
    // What hangs on the word before (a full stop behind code) goes with it.
    if (x > 0 && word.spaced && x + gap + wide > width) {
      x = 0;
      y += line;
    } else {
      x += gap;
    }
    prose.words.push_back({word, x, y, wide});
    x += wide;
  }
  prose.height = y + line;
  return prose;
}

}  // namespace

void drawProse(Ui& ui, const std::string& paragraph, float width, const ImVec4& colour) {
  ImFont* const font = ImGui::GetFont();
  const float letters = ImGui::GetFontSize();
  const PlacedProse prose = setInLines(ui, paragraph, width, font, letters);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, prose.height});
  if (!ImGui::IsItemVisible()) return;
  ImDrawList& list = *ImGui::GetWindowDrawList();
  const UiColours& p = ui.colours();
  for (const PlacedWord& each : prose.words) {
    const float size = sizeOf(each.word.kind, letters);
    const ImVec2 place(at.x + each.x, at.y + each.y + (letters - size) / 2);
    if (each.word.kind == PageWord::Kind::Code) {
      list.AddRectFilled({place.x - ui.px(2), place.y - ui.px(1)},
                         {place.x + each.width + ui.px(2), place.y + size + ui.px(2)}, toU32(p.raised), ui.px(3));
    }
    list.AddText(fontOf(ui, each.word.kind, font), size, place, toU32(colour), each.word.text.c_str());
  }
}

}  // namespace simscope::gui
