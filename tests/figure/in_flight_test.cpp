// Pictures drawn while former ones are still on their way show what they show alone. What a picture is made of (the
// values of a channel, the columns of a curve, the vertices of the text) is written anew for the next one; where that
// does not wait for those who still read it, a picture shows the values of a later one.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/test_devices.h"
#include "tests/figure/point_sample.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

constexpr std::size_t kDifferent = 3;  // pictures, in turns
constexpr int kDrawn = 60;

class InFlightTest : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string name = GetParam();
    SIMSCOPE_SKIP_WITHOUT(name);
    context = std::make_unique<HeadlessContext>();
    device = compute::Device::open(name, 1);
    figure = std::make_unique<Figure>();
    options.width = 1920;
    options.height = 1080;
  }
  void TearDown() override { figure.reset(); }

  using Frames = std::array<Frame, kDifferent>;
  using Options = std::array<FigureOptions, kDifferent>;
  void expectAsAlone(const Description& description, const Frames& frames, const Options& of_each) {
    const ParameterSet parameters = description.defaults();
    const auto draw = [&](int i) {
      const std::size_t which = static_cast<std::size_t>(i) % kDifferent;
      figure->draw(description, parameters, frames[which], of_each[which]);
    };
    std::array<std::vector<std::uint8_t>, kDifferent> alone;
    for (std::size_t i = 0; i < kDifferent; ++i) {
      draw(static_cast<int>(i));
      alone[i] = figure->read();
    }
    for (std::size_t i = 0; i < kDifferent; ++i) ASSERT_NE(alone[i], alone[(i + 1) % kDifferent]);
    int taken = 0, wrong = 0;
    const auto take = [&] { wrong += figure->take() != alone[static_cast<std::size_t>(taken++) % kDifferent]; };
    for (int i = 0; i < kDrawn; ++i) {
      if (figure->readsInFlight() == Figure::kReadsInFlight) take();
      draw(i);
      figure->startRead();
    }
    while (figure->readsInFlight() > 0) take();
    EXPECT_EQ(taken, kDrawn);
    EXPECT_EQ(wrong, 0);
  }
  Options same() const { return {options, options, options}; }

  std::unique_ptr<HeadlessContext> context;
  compute::DevicePtr device;
  std::unique_ptr<Figure> figure;
  FigureOptions options;
};

TEST_P(InFlightTest, Curves) {
  Frames frames;
  for (std::size_t i = 0; i < kDifferent; ++i) {
    SampleProfiles p;
    p.density = [i](double) { return 0.2 + 0.3 * static_cast<double>(i); };
    p.phase = [](double) { return 0.0; };
    frames[i] = sampleFrame(device, 256, p, i + 1);
  }
  expectAsAlone(sampleDescription(), frames, same());
}

TEST_P(InFlightTest, Fields) {
  Frames frames;
  for (std::size_t i = 0; i < kDifferent; ++i) {
    frames[i] = sampleFields(device, {}, i + 1);
    addField(frames[i], device, "heat", {}, 1, [i](int column, int) {
      return std::vector<float>{static_cast<float>(column % (3 + static_cast<int>(i)))};
    });
  }
  expectAsAlone(fieldDescription(), frames, same());
}

TEST_P(InFlightTest, Points) {
  Frames frames;
  for (std::size_t i = 0; i < kDifferent; ++i) {
    std::vector<SamplePoint> points = plummerSphere(2000);
    for (SamplePoint& point : points) point.x += 0.5 * static_cast<double>(i);
    frames[i] = pointFrame(device, points, 4);
    frames[i].sequence = i + 1;
  }
  expectAsAlone(pointDescription(), frames, same());
}

TEST_P(InFlightTest, Words) {
  Frames frames;
  for (Frame& frame : frames) frame = sampleFrame(device, 256, tunnellingProfiles(), 1);
  Options each = same();
  for (std::size_t i = 0; i < kDifferent; ++i) each[i].x = Limits{-10, 10 + 7 * static_cast<double>(i)};
  expectAsAlone(sampleDescription(), frames, each);
}

INSTANTIATE_TEST_SUITE_P(Devices, InFlightTest, testing::Values("cpu", "cuda"),
                         [](const auto& each) { return std::string(each.param); });

}  // namespace
}  // namespace simscope::render
