// Single elements of a frame's channels: from the host's memory at once, through OpenGL without waiting, and alike.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "tests/figure/sample_field.h"

namespace simscope::render {
namespace {

using Values = std::vector<std::vector<float>>;

struct ElementReaderTest : testing::Test {
  HeadlessContext context;
  Frame frame = sampleFields(compute::Device::open("cpu", 2), {64, 48, 0, 4, 0, 4});
  const std::vector<ElementRequest> requests = {
      {"heat", {0, 63, 64, 3071, 17, 17}}, {"wave", {5, 1000}}, {"light", {2000, 0, 3071}}, {"heat", {}}};

  FigureOptions options;
  void draw(Figure& figure) { figure.draw(fieldDescription(), fieldDescription().defaults(), frame, options); }
  static Values wait(Figure& figure) {
    for (int i = 0; i < 20'000; ++i) {
      if (auto values = figure.takeElements()) return *values;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    ADD_FAILURE() << "the elements do not come";
    return {};
  }
  void expectElements(const Values& values) const {
    ASSERT_EQ(values.size(), requests.size());
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Channel& channel = *frame.find(requests[i].channel);
      const auto components = static_cast<std::size_t>(channel.components);
      ASSERT_EQ(values[i].size(), requests[i].elements.size() * components);
      for (std::size_t k = 0; k < values[i].size(); ++k) {
        const std::size_t at = requests[i].elements[k / components] * components + k % components;
        EXPECT_EQ(values[i][k], channel.data.data()[at]) << "request " << i << ", number " << k;
      }
    }
  }
};

TEST_F(ElementReaderTest, OfTheHostsMemoryAreThereAtOnce) {
  Figure figure;
  draw(figure);
  EXPECT_FALSE(figure.takeElements());
  ASSERT_TRUE(figure.startElements(frame, requests));
  const auto values = figure.takeElements();
  ASSERT_TRUE(values);
  expectElements(*values);
  EXPECT_FALSE(figure.takeElements());
}

TEST_F(ElementReaderTest, ThroughOpenGlAreTheSameAndOneQuestionWaitsForTheOther) {
  Figure figure({}, ReducedBy::Shaders);
  draw(figure);
  for (int round = 0; round < 3; ++round) {
    ASSERT_TRUE(figure.startElements(frame, requests));
    EXPECT_FALSE(figure.startElements(frame, requests)) << "the first is still being read";
    expectElements(wait(figure));
  }
}

TEST_F(ElementReaderTest, BeyondAChannelAndOfChannelsThatAreNotThereAreNoNumbers) {
  for (const ReducedBy by : {ReducedBy::Suits, ReducedBy::Shaders}) {
    Figure figure({}, by);
    draw(figure);
    ASSERT_TRUE(figure.startElements(frame, {{"no_such", {0, 1}}, {"heat", {3072, 3}}}));
    const Values values = wait(figure);
    ASSERT_EQ(values.size(), 2u);
    ASSERT_EQ(values[0].size(), 2u);
    EXPECT_TRUE(std::isnan(values[0][0]));
    ASSERT_EQ(values[1].size(), 2u);
    EXPECT_TRUE(std::isnan(values[1][0]));
    EXPECT_EQ(values[1][1], frame.find("heat")->data.data()[3]);
  }
}

}  // namespace
}  // namespace simscope::render
