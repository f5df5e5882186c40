// The layout of an equation: letters with their sizes, and strokes for fractions, roots, and tall parentheses. Plain
// data, y down, the first baseline at 0; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/explanation/equation.h"

namespace simscope {

// The width of a text at a size [pixels].
using TextWidth = std::function<float(const std::string& text, float size, bool italic)>;

struct PlacedText {
  float x = 0, baseline = 0, size = 0, width = 0;
  bool italic = false;
  std::string text = {};
  std::string symbol = {};  // symbolName() of the symbol that it belongs to; empty: none
};
struct PlacedStroke {
  std::vector<std::pair<float, float>> points;
  float thickness = 1;
};
struct PlacedEquation {
  std::vector<PlacedText> texts;
  std::vector<PlacedStroke> strokes;
  float width = 0, top = 0, bottom = 0;  // of the ink; top is negative
};

// Statements are placed below each other. A statement wider than `room` is broken before a sign between its terms, and
// made smaller if that is not enough (to no less than three fifths).
PlacedEquation layoutEquation(const std::string& text, float size, float room, const TextWidth& width);

}  // namespace simscope
