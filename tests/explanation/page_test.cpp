// A simulation's page, read from its README.md.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/explanation/page.h"
#include "sims/core/registry.h"
#include "sims/core/testing/refusal.h"

namespace simscope {
namespace {

const char* const kReadme = R"(# A title

What is not on the page.

## The physics

One paragraph
in two lines.

    a = b
    c = d

Another.

## Try

### First

    simscope gui tunneling --preset tunnelling

See `this`.

After 10 steps: `norm` 1 ± 1e-3, `energy` -2.5 ± 0.5.

### Second

    simscope gui tunneling

Look.

## Scheme

    not on the page

## Sources

- One,
  in two lines.
- Two.
)";

TEST(Page, HasWhatStandsUnderItsHeadings) {
  const Page page = parsePage(kReadme);
  EXPECT_EQ(page.title, "A title");
  ASSERT_EQ(page.physics.size(), 3u);
  EXPECT_EQ(page.physics[0].text, "One paragraph in two lines.");
  EXPECT_TRUE(page.physics[1].equation);
  EXPECT_EQ(page.physics[1].text, "a = b,  c = d");
  ASSERT_EQ(page.experiments.size(), 2u);
  EXPECT_EQ(page.experiments[0].command, "simscope gui tunneling --preset tunnelling");
  EXPECT_THAT(page.experiments[0].paragraphs, testing::ElementsAre("See `this`."));
  EXPECT_EQ(page.experiments[0].steps, 10);
  ASSERT_EQ(page.experiments[0].expected.size(), 2u);
  EXPECT_EQ(page.experiments[0].expected[1].key, "energy");
  EXPECT_EQ(page.experiments[0].expected[1].value, -2.5);
  EXPECT_EQ(page.experiments[0].expected[1].tolerance, 0.5);
  EXPECT_EQ(page.experiments[1].steps, 0);
  EXPECT_THAT(page.sources, testing::ElementsAre("One, in two lines.", "Two."));
}

TEST(Page, AnotherFormIsRefusedWithItsLine) {
  const auto why = [](const std::string& text) { return tests::refusal([&] { parsePage(text); }); };
  EXPECT_THAT(why("## Try\n\nText without a title.\n"), testing::HasSubstr("line 3"));
  EXPECT_THAT(why("## Try\n\n### A\n\nAfter x steps: `norm` 1 ± 1.\n"), testing::HasSubstr("'x' is not a number"));
  EXPECT_THAT(why("## Try\n\n### A\n\nAfter 5 steps: `norm` 1.\n"), testing::HasSubstr("TOLERANCE"));
  EXPECT_THAT(why("## Try\n\n### A\n\n    one\n\n    two\n"), testing::HasSubstr("one command"));
}

TEST(Page, WordsLoseTheirMarksAndKeepWhatHangsOnThem) {
  const std::vector<PageWord> words = wordsOf("See `a b`, and **very** *so* [here](x.md).");
  ASSERT_EQ(words.size(), 7u);
  EXPECT_EQ(words[1].kind, PageWord::Kind::Code);
  EXPECT_EQ(words[1].text, "a b");
  EXPECT_EQ(words[2].text, ",");
  EXPECT_FALSE(words[2].spaced);
  EXPECT_EQ(words[4].kind, PageWord::Kind::Strong);
  EXPECT_EQ(words[5].text, "so");
  EXPECT_EQ(words[6].text, "here.");
}

// The fixed form: two paragraphs of physics with an equation between them, three experiments, sources.
TEST(Page, EverySimulationHasOneInTheFixedForm) {
  for (const Description* each : simulations()) {
    SCOPED_TRACE(each->id);
    const Page* const page = pageOf(each->id);
    ASSERT_NE(page, nullptr);
    int paragraphs = 0, equations = 0;
    for (const PageBlock& block : page->physics) {
      ++(block.equation ? equations : paragraphs);
      EXPECT_TRUE(block.equation || block.text.size() > 200) << "a paragraph says something";
    }
    EXPECT_EQ(paragraphs, 2);
    EXPECT_GE(equations, 1);
    EXPECT_EQ(page->experiments.size(), 3u);
    EXPECT_FALSE(page->sources.empty());
    for (const Experiment& experiment : page->experiments) {
      EXPECT_FALSE(experiment.title.empty());
      EXPECT_FALSE(experiment.command.empty()) << experiment.title;
      EXPECT_FALSE(experiment.paragraphs.empty()) << experiment.title << ": what one sees";
    }
  }
  EXPECT_EQ(pageOf("no such simulation"), nullptr);
}

}  // namespace
}  // namespace simscope
