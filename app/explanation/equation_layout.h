// Where the parts of an equation lie on paper: letters with their sizes, and strokes for fractions, roots, and tall
// parentheses. Plain data, y down, the first baseline at 0; any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "app/explanation/equation.h"

namespace simscope {

// How wide a text is at a size [pixels].
using TextWidth = std::function<float(const std::string& text, float size, bool italic)>;

struct PlacedText {
  float x = 0, baseline = 0, size = 0, width = 0;
  bool italic = false;
  std::string text = {};
  std::string symbol = {};  // symbolName() of what it is a part of; empty: of none
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

// Statements stand below each other. One that is wider than `room` is broken before a sign between its terms, and
// set smaller where that does not do (to three fifths at the least).
PlacedEquation layoutEquation(const std::string& text, float size, float room, const TextWidth& width);

}  // namespace simscope
