// The symbols of parameters.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "app/explanation/equation.h"
#include "app/explanation/page.h"
#include "app/explanation/symbols.h"
#include "sims/core/registry.h"

namespace simscope {
namespace {

TEST(Symbols, StandInTheTitles) {
  const std::pair<const char*, const char*> cases[] = {{"Barrier height V₀", "V₀"},   {"Packet width σ", "σ"},
                                                       {"Time step dt", "dt"},        {"Learning rate η, last", "η"},
                                                       {"Darts a step", ""},          {"Barrier width a", "a"},
                                                       {"Formula V(x, y)", "V"},      {"Packet momentum k₀, x", "k₀"},
                                                       {"Diffusion D_u", "D_u"},      {"Drag k/m", "k/m"},
                                                       {"Largest |η|", "η"},          {"Potential", ""},
                                                       {"Time step / limit", ""},     {"A step makes", ""},
                                                       {"Schrödinger's equation", ""}};
  for (const auto& [title, symbol] : cases) EXPECT_EQ(symbolIn(title), symbol) << title;
}

TEST(Symbols, APlainLetterMeansTheOneWithTheIndexNoughtWhereThereIsNoOther) {
  EXPECT_TRUE(means("V_0", "V_0", {}));
  EXPECT_TRUE(means("V", "V_0", {"V_0", "a"}));
  EXPECT_FALSE(means("V", "V_0", {"V_0", "V"}));
  EXPECT_FALSE(means("", "", {}));
  EXPECT_FALSE(means("x", "", {""}));
}

// Something of every page answers to the mouse.
TEST(Symbols, EveryPageHasSymbolsThatStandForParameters) {
  for (const Description* each : simulations()) {
    std::vector<std::string> on_page = symbolsOf(parseEquation(each->equation)), of_parameters;
    for (const PageBlock& block : pageOf(each->id)->physics) {
      if (!block.equation) continue;
      for (const std::string& symbol : symbolsOf(parseEquation(block.text))) on_page.push_back(symbol);
    }
    const ParameterSet parameters = each->preset(each->presets.front().key);
    for (std::size_t i = 0; i < parameters.size(); ++i) of_parameters.push_back(symbolOf(parameters, i));
    // Whose parameters have no symbols (how many darts) has nothing to tie.
    if (std::all_of(of_parameters.begin(), of_parameters.end(), [](const std::string& one) { return one.empty(); }))
      continue;
    int tied = 0;
    for (const std::string& one : on_page) {
      for (const std::string& other : of_parameters) tied += means(one, other, of_parameters) ? 1 : 0;
    }
    EXPECT_GE(tied, 1) << each->id;
  }
}

}  // namespace
}  // namespace simscope
