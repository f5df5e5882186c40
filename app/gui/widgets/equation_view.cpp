#include "app/gui/widgets/equation_view.h"

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <vector>

#include "app/explanation/equation_layout.h"
#include "app/explanation/symbols.h"

namespace simscope::gui {

namespace {

constexpr float kBaseline = 0.797f;  // of a line's height, in DejaVu
constexpr float kSlant = 0.2f;       // of italic letters, which are leant by hand
constexpr float kLetterRise = 0.66f, kLetterFall = 0.2f;

void drawLetters(ImDrawList& list, ImFont* font, const PlacedText& part, ImVec2 origin, ImU32 colour) {
  const ImVec2 at(origin.x + part.x, origin.y + part.baseline - kBaseline * part.size);
  const int first = list.VtxBuffer.Size;
  list.AddText(font, part.size, at, colour, part.text.c_str());
  if (!part.italic) return;
  const float baseline = origin.y + part.baseline;
  for (int i = first; i < list.VtxBuffer.Size; ++i) {
    list.VtxBuffer[i].pos.x += kSlant * (baseline - kLetterFall * part.size - list.VtxBuffer[i].pos.y);
  }
}

// For these letters and this room; equations are few, and set anew only where either changes.
const PlacedEquation& placed(const std::string& text, ImFont* font, float size, float room) {
  struct Known {
    std::string text;
    ImFont* font;
    float size, room;
    PlacedEquation equation;
  };
  static std::vector<Known> known;  // of the UI's thread
  constexpr std::size_t kMost = 24;
  const auto same = std::find_if(known.begin(), known.end(), [&](const Known& each) {
    return each.text == text && each.font == font && each.size == size && each.room == room;
  });
  if (same != known.end()) return same->equation;
  if (known.size() == kMost) known.erase(known.begin());
  const TextWidth width = [font](const std::string& part, float letters, bool) {
    return font->CalcTextSizeA(letters, FLT_MAX, 0, part.c_str()).x;
  };
  known.push_back({text, font, size, room, layoutEquation(text, size, room, width)});
  return known.back().equation;
}

}  // namespace

void drawEquation(Ui& ui, const std::string& text, const ParameterSet& parameters, float width) {
  ImFont* const font = ui.fonts.equation;
  const float size = ui.px(kEquationSize), pad = ui.px(4);
  const PlacedEquation& equation = placed(text, font, size, width - 2 * pad);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::Dummy({width, equation.bottom - equation.top + 2 * pad});
  const bool over = ImGui::IsItemHovered();
  const ImVec2 origin(at.x + pad, at.y + pad - equation.top);

  std::vector<std::string> symbols;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    symbols.push_back(parameters.matters(i) ? symbolOf(parameters, i) : std::string());
  }
  std::string pointed, meant;
  const ImVec2 mouse = ImGui::GetIO().MousePos;
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (parameters.infos()[i].key == ui.symbols.parameter) meant = symbols[i];
  }
  const auto box = [&](const PlacedText& part) {
    const float y = origin.y + part.baseline;
    return Rect{origin.x + part.x - ui.px(2), y - kLetterRise * part.size - ui.px(2), part.width + ui.px(4),
                (kLetterRise + kLetterFall) * part.size + ui.px(4)};
  };
  for (const PlacedText& part : equation.texts) {
    const Rect r = box(part);
    if (over && !part.symbol.empty() && mouse.x >= r.x && mouse.x < r.right() && mouse.y >= r.y &&
        mouse.y < r.bottom()) {
      pointed = part.symbol;
    }
  }
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (means(pointed, symbols[i], symbols)) ui.symbols.next_lit.insert(parameters.infos()[i].key);
  }

  ImDrawList& list = *ImGui::GetWindowDrawList();
  const UiColours& p = ui.colours();
  for (const PlacedText& part : equation.texts) {
    const bool lit = !part.symbol.empty() && (part.symbol == pointed || means(part.symbol, meant, symbols));
    if (lit) {
      const Rect r = box(part);
      list.AddRectFilled({r.x, r.y}, {r.right(), r.bottom()}, toU32(p.accent, 0.28f), ui.px(3));
    }
    drawLetters(list, font, part, origin, toU32(lit ? p.accent : p.text));
  }
  for (const PlacedStroke& stroke : equation.strokes) {
    for (const auto& [x, y] : stroke.points) list.PathLineTo({origin.x + x, origin.y + y});
    list.PathStroke(toU32(p.text), 0, std::max(1.0f, stroke.thickness));
  }
}

}  // namespace simscope::gui
