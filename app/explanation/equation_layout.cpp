#include "app/explanation/equation_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace simscope {

namespace {

using Sort = EquationNode::Kind;

// Shares of the size of letters.
constexpr float kRise = 0.66f, kFall = 0.20f;             // of any text
constexpr float kAxis = 0.26f;                            // of fractions, over the baseline
constexpr float kScript = 0.68f, kScriptOfScript = 0.8f;  // size of indices
constexpr float kLift = 0.40f, kDrop = 0.18f;             // of an exponent, an index
constexpr float kFraction = 0.94f, kNested = 0.8f;        // size of a fraction's sides
constexpr float kGap = 0.13f, kStroke = 0.055f;
constexpr float kRootWidth = 0.62f;
constexpr float kTall = 1.25f;  // parentheses around more are drawn
constexpr float kLineGap = 0.55f, kIndent = 1.4f;
constexpr float kSmallest = 0.6f;

struct Box {
  PlacedEquation ink;  // from x = 0 on
  float rise() const { return -ink.top; }
  float fall() const { return ink.bottom; }
};

void place(PlacedEquation& into, const PlacedEquation& part, float x, float y) {
  const bool empty = into.texts.empty() && into.strokes.empty();
  for (PlacedText each : part.texts) {
    each.x += x;
    each.baseline += y;
    into.texts.push_back(std::move(each));
  }
  for (PlacedStroke each : part.strokes) {
    for (auto& [px, py] : each.points) px += x, py += y;
    into.strokes.push_back(std::move(each));
  }
  into.top = empty ? part.top + y : std::min(into.top, part.top + y);
  into.bottom = empty ? part.bottom + y : std::max(into.bottom, part.bottom + y);
  into.width = std::max(into.width, x + part.width);
}

class Setter {
 public:
  explicit Setter(const TextWidth& width) : width_(width) {}

  PlacedEquation node(const EquationNode& node, float size, int depth, const std::string& symbol) const {
    switch (node.kind) {
      case Sort::Symbol:
        return text(node.text, size, true, symbol.empty() ? symbolName(node) : symbol);
      case Sort::Upright:
      case Sort::Operator:
        return text(node.text, size, false, symbol);
      case Sort::Space: {
        PlacedEquation space;
        space.width = 0.24f * size;
        return space;
      }
      case Sort::Fraction:
        return fraction(node, size, depth);
      case Sort::Root:
        return root(node, size, depth);
      case Sort::Group:
        return group(node, size, depth);
      case Sort::Scripts:
        return scripts(node, size, depth);
      case Sort::Row:
        break;
    }
    return row(node.children, 0, node.children.size(), size, depth);
  }

  PlacedEquation row(const std::vector<EquationNode>& parts, std::size_t begin, std::size_t end, float size,
                     int depth) const {
    PlacedEquation all;
    float x = 0;
    for (std::size_t i = begin; i < end; ++i) {
      if (parts[i].kind == Sort::Space && (i == begin || i + 1 == end)) continue;
      const PlacedEquation part = node(parts[i], size, depth, {});
      if (parts[i].kind == Sort::Space) {
        x += part.width;
        continue;
      }
      place(all, part, x, 0);
      x += part.width;
      // A function stands a little apart from what it is of, and letters of two words likewise.
      if (parts[i].kind == Sort::Upright && parts[i].text.size() >= 3 && i + 1 < end &&
          parts[i + 1].kind == Sort::Symbol && parts[i].text[0] >= 'a' && parts[i].text[0] <= 'z') {
        x += 0.16f * size;
      }
    }
    all.width = std::max(all.width, x);
    return all;
  }

 private:
  PlacedEquation text(const std::string& what, float size, bool italic, const std::string& symbol) const {
    PlacedEquation one;
    one.width = width_(what, size, italic);
    one.top = -kRise * size;
    one.bottom = kFall * size;
    one.texts.push_back({0, 0, size, one.width, italic, what, symbol});
    return one;
  }

  PlacedEquation fraction(const EquationNode& node, float size, int depth) const {
    const float side = size * (depth == 0 ? kFraction : kNested);
    const PlacedEquation over = this->node(node.children[0], side, depth + 1, {}),
                         under = this->node(node.children[1], side, depth + 1, {});
    const float pad = 0.14f * size, gap = kGap * size, axis = -kAxis * size;
    const float width = std::max(over.width, under.width) + 2 * pad;
    PlacedEquation all;
    place(all, over, (width - over.width) / 2, axis - gap - over.bottom);
    place(all, under, (width - under.width) / 2, axis + gap - under.top);
    all.strokes.push_back({{{0.06f * size, axis}, {width - 0.06f * size, axis}}, kStroke * size});
    all.width = width;
    return all;
  }

  PlacedEquation root(const EquationNode& node, float size, int depth) const {
    const PlacedEquation body = this->node(node.children[0], size, depth, {});
    const float left = kRootWidth * size, top = std::min(body.top, -kRise * size) - 0.12f * size;
    const float low = std::max(body.bottom, 0.05f * size), height = low - top;
    PlacedEquation all;
    place(all, body, left, 0);
    all.strokes.push_back({{{0.04f * size, low - 0.42f * height},
                            {0.16f * size, low - 0.5f * height},
                            {0.36f * size, low},
                            {left - 0.04f * size, top},
                            {left + body.width + 0.06f * size, top}},
                           kStroke * size});
    all.top = std::min(all.top, top);
    all.bottom = std::max(all.bottom, low);
    all.width = left + body.width + 0.1f * size;
    return all;
  }

  PlacedEquation group(const EquationNode& node, float size, int depth) const {
    const PlacedEquation body = this->node(node.children[0], size, depth, {});
    std::size_t at = 0;
    const std::string open(nextCharacter(node.text, at)), close = node.text.substr(at);
    PlacedEquation all;
    if (body.bottom - body.top <= kTall * size) {
      const PlacedEquation left = text(open, size, false, {}), right = text(close, size, false, {});
      place(all, left, 0, 0);
      place(all, body, left.width, 0);
      place(all, right, left.width + body.width, 0);
      return all;
    }
    const float wide = 0.34f * size, top = body.top - 0.06f * size, bottom = body.bottom + 0.06f * size;
    place(all, body, wide, 0);
    all.strokes.push_back(fence(open, 0.06f * size, wide - 0.06f * size, top, bottom, size));
    all.strokes.push_back(
        fence(close, 2 * wide + body.width - 0.06f * size, wide + body.width + 0.06f * size, top, bottom, size));
    all.top = std::min(all.top, top);
    all.bottom = std::max(all.bottom, bottom);
    all.width = body.width + 2 * wide;
    return all;
  }

  // From `inner` above to `inner` below, `outer` in the middle.
  static PlacedStroke fence(const std::string& sign, float outer, float inner, float top, float bottom, float size) {
    PlacedStroke stroke{{}, kStroke * size};
    if (sign == "[" || sign == "]") {
      stroke.points = {{inner, top}, {outer, top}, {outer, bottom}, {inner, bottom}};
    } else if (sign == "⟨" || sign == "⟩") {
      stroke.points = {{inner, top}, {outer, (top + bottom) / 2}, {inner, bottom}};
    } else {
      constexpr int kPieces = 14;
      for (int i = 0; i <= kPieces; ++i) {
        const float t = static_cast<float>(i) / kPieces, bend = 4 * t * (1 - t);
        stroke.points.emplace_back(inner + (outer - inner) * (1 - (1 - bend) * (1 - bend)), top + (bottom - top) * t);
      }
    }
    return stroke;
  }

  PlacedEquation scripts(const EquationNode& node, float size, int depth) const {
    const std::string symbol = symbolName(node);
    const PlacedEquation base = this->node(node.children[0], size, depth, symbol);
    const float small = size * (depth == 0 ? kScript : kScriptOfScript);
    PlacedEquation all = base;
    const auto add = [&](const EquationNode& script, float lift, const std::string& part_of) {
      if (script.children.empty()) return;
      PlacedEquation part = row(script.children, 0, script.children.size(), small, depth + 1);
      if (!part_of.empty()) {
        for (PlacedText& each : part.texts) each.symbol = part_of;
      }
      const float wide = base.width;
      place(all, part, wide + 0.04f * size, lift);
    };
    const float over = std::min(-kLift * size, base.top + 0.36f * size),
                under = std::max(kDrop * size, base.bottom - 0.1f * size);
    add(node.children[1], under, symbol);
    add(node.children[2], over, {});
    return all;
  }

  const TextWidth& width_;
};

// Where a line may be broken: before a sign that has spaces around it.
std::vector<std::size_t> breaks(const EquationNode& row) {
  std::vector<std::size_t> places;
  for (std::size_t i = 1; i + 1 < row.children.size(); ++i) {
    const EquationNode& node = row.children[i];
    const bool sign = node.kind == Sort::Operator && node.text != "," && node.text != ":";
    if (sign && row.children[i - 1].kind == Sort::Space && row.children[i + 1].kind == Sort::Space) places.push_back(i);
  }
  return places;
}

// A statement in as many lines as it takes.
std::vector<PlacedEquation> linesOf(const EquationNode& row, float size, float room, const Setter& setter) {
  std::vector<PlacedEquation> lines;
  std::vector<std::size_t> places = breaks(row);
  places.push_back(row.children.size());
  std::size_t begin = 0, end = 0;
  for (const std::size_t place : places) {
    const float indent = begin > 0 ? kIndent * size : 0;
    if (end > begin && setter.row(row.children, begin, place, size, 0).width + indent > room) {
      lines.push_back(setter.row(row.children, begin, end, size, 0));
      begin = end;
    }
    end = place;
  }
  lines.push_back(setter.row(row.children, begin, row.children.size(), size, 0));
  return lines;
}

}  // namespace

PlacedEquation layoutEquation(const std::string& text, float size, float room, const TextWidth& width) {
  const Setter setter(width);
  PlacedEquation all;
  float baseline = 0;
  bool first = true;
  for (const std::string& statement : equationStatements(text)) {
    const EquationNode row = parseEquation(statement);
    std::vector<PlacedEquation> lines = linesOf(row, size, room, setter);
    float used = size;
    const auto tooWide = [&] {
      float widest = 0;
      for (std::size_t i = 0; i < lines.size(); ++i)
        widest = std::max(widest, lines[i].width + (i > 0 ? kIndent * used : 0));
      return widest > room;
    };
    while (tooWide() && used > kSmallest * size) {
      used *= 0.94f;
      lines = linesOf(row, used, room, setter);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      if (!first) baseline += (i > 0 ? 0.3f : kLineGap) * size - lines[i].top;
      place(all, lines[i], i > 0 ? kIndent * used : 0, baseline);
      baseline += lines[i].bottom;
      first = false;
    }
  }
  return all;
}

}  // namespace simscope
