// Equations: what a line means, and where it lies on paper.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "app/explanation/equation_layout.h"
#include "app/explanation/page.h"
#include "sims/core/registry.h"

namespace simscope {
namespace {

using testing::ElementsAre;
using Sort = EquationNode::Kind;

// Every character is half as wide as the letters are large.
float halfAsWide(const std::string& text, float size, bool) {
  std::size_t at = 0, count = 0;
  for (; at < text.size(); ++count) nextCharacter(text, at);
  return 0.5f * size * static_cast<float>(count);
}

PlacedEquation placed(const std::string& text, float room = 1e6f) {
  return layoutEquation(text, 20, room, halfAsWide);
}

const PlacedText& part(const PlacedEquation& equation, const std::string& text) {
  const auto found = std::find_if(equation.texts.begin(), equation.texts.end(),
                                  [&](const PlacedText& each) { return each.text == text; });
  if (found == equation.texts.end()) throw Error("no " + text);
  return *found;
}

std::string lettersOf(const PlacedEquation& equation) {
  std::string all;
  for (const PlacedText& each : equation.texts) all += each.text;
  return all;
}

TEST(Equation, SymbolsHaveTheirIndicesHoweverTheyAreWritten) {
  EXPECT_THAT(symbolsOf(parseEquation("V₀ + D_u - k₀x + Δt + dt")), ElementsAre("V_0", "D_u", "k_0", "x", "Δt", "dt"));
  EXPECT_THAT(symbolsOf(parseEquation("exp(-mv²/2kT)")), ElementsAre("m", "v", "k", "T"));
  EXPECT_THAT(symbolsOf(parseEquation("z_n+1")), ElementsAre("z_n"));
  EXPECT_THAT(symbolsOf(parseEquation("r the residual of the equation")), ElementsAre("r"));
}

TEST(Equation, StrokesBetweenTermsAreFractionsAndWithSpacesTheyAreNot) {
  const EquationNode row = parseEquation("∂ψ/∂t = -(ħ²/2m) v");
  ASSERT_EQ(row.children[0].kind, Sort::Fraction);
  EXPECT_EQ(textOf(row.children[0].children[0]), "∂ψ");
  EXPECT_EQ(textOf(row.children[0].children[1]), "∂t");
  EXPECT_EQ(parseEquation("a / b").children[2].kind, Sort::Upright);
  const EquationNode long_one = parseEquation("(r - s)/(x² + y²)^(3/2)");
  ASSERT_EQ(long_one.children[0].kind, Sort::Fraction);
  EXPECT_EQ(textOf(long_one.children[0].children[0]), "r − s") << "without its parentheses";
  EXPECT_EQ(textOf(long_one.children[0].children[1]), "(x2 + y2)3/2") << "with an exponent it keeps them";
}

TEST(Equation, StatementsAreParted) {
  EXPECT_THAT(equationStatements("a = b,  c = d;  e"), ElementsAre("a = b", "c = d", "e"));
  EXPECT_THAT(equationStatements("f(x, y) = 1"), ElementsAre("f(x, y) = 1"));
  EXPECT_THAT(equationStatements(""), ElementsAre());
}

TEST(EquationLayout, ExponentsAreSmallAndHighIndicesSmallAndLow) {
  const PlacedEquation e = placed("x² + y₁");
  EXPECT_LT(part(e, "2").size, 0.8f * part(e, "x").size);
  EXPECT_LT(part(e, "2").baseline, part(e, "x").baseline - 5);
  EXPECT_GT(part(e, "1").baseline, part(e, "y").baseline + 2);
  EXPECT_EQ(part(e, "1").symbol, "y_1");
  EXPECT_TRUE(part(e, "x").italic);
  EXPECT_FALSE(part(e, "+").italic);
}

TEST(EquationLayout, NumeratorAndDenominatorLieAboveAndBelowTheirRule) {
  const PlacedEquation e = placed("a/b");
  ASSERT_EQ(e.strokes.size(), 1u);
  const float rule = e.strokes[0].points[0].second;
  EXPECT_LT(part(e, "a").baseline, rule);
  EXPECT_GT(part(e, "b").baseline - 0.66f * part(e, "b").size, rule);
  EXPECT_NEAR(part(e, "a").x, part(e, "b").x, 0.01) << "one above the other";
}

TEST(EquationLayout, RootsAndTallParenthesesAreDrawnAroundWhatTheyHold) {
  const PlacedEquation root = placed("√(x + y)");
  ASSERT_EQ(root.strokes.size(), 1u);
  EXPECT_LT(root.strokes[0].points.front().first, part(root, "x").x);
  EXPECT_GE(root.strokes[0].points.back().first, part(root, "y").x + part(root, "y").width);
  EXPECT_EQ(placed("(x)").strokes.size(), 0u);
  EXPECT_EQ(placed("(a/b)").strokes.size(), 3u) << "the rule and two parentheses";
}

TEST(EquationLayout, WideStatementsAreBrokenAtASign) {
  const PlacedEquation one = placed("a + b + c + d"), two = placed("a + b + c + d", 60);
  EXPECT_EQ(one.bottom - one.top, placed("a").bottom - placed("a").top);
  EXPECT_GT(two.bottom - two.top, 1.8f * (one.bottom - one.top));
  EXPECT_LE(two.width, 60);
  EXPECT_EQ(lettersOf(one), lettersOf(two));
}

// No letter is lost, nothing lies outside, and letters of one line do not cover each other.
void expectSound(const std::string& text, float room) {
  const PlacedEquation e = placed(text, room);
  ASSERT_FALSE(e.texts.empty()) << text;
  EXPECT_LE(e.width, room) << text;
  for (const PlacedText& each : e.texts) {
    EXPECT_GE(each.x, -0.01f) << text;
    EXPECT_LE(each.x + each.width, e.width + 0.01f) << text << ": " << each.text;
    EXPECT_GE(each.size, 6) << text << ": " << each.text;
    for (const PlacedText& other : e.texts) {
      const bool apart = &each == &other || other.x >= each.x + each.width - 0.01f ||
                         each.x >= other.x + other.width - 0.01f ||
                         std::abs(each.baseline - other.baseline) >= 0.3f * std::min(each.size, other.size);
      EXPECT_TRUE(apart) << text << ": '" << each.text << "' and '" << other.text << "'";
    }
  }
  std::string letters;
  for (const std::string& statement : equationStatements(text)) letters += textOf(parseEquation(statement));
  const auto bare = [](std::string all) {
    std::string kept;
    for (std::size_t at = 0; at < all.size();) {
      const std::string_view c = nextCharacter(all, at);
      if (c != " " && c != "/" && c != "√" && c != "(" && c != ")" && c != "[" && c != "]" && c != "⟨" && c != "⟩")
        kept += c;
    }
    std::sort(kept.begin(), kept.end());
    return kept;
  };
  EXPECT_EQ(bare(lettersOf(e)), bare(letters)) << text;
}

TEST(EquationLayout, EveryEquationOfEverySimulationIsSetSoundlyInAPage) {
  for (const Description* each : simulations()) {
    expectSound(each->equation, 440);
    for (const Preset& preset : each->presets) expectSound(each->equationOf(each->preset(preset.key)), 440);
    const Page* const page = pageOf(each->id);
    ASSERT_NE(page, nullptr) << each->id;
    for (const PageBlock& block : page->physics) {
      if (block.equation) expectSound(block.text, 440);
    }
  }
}

}  // namespace
}  // namespace simscope
