// Frames on a CUDA device: the same pixels as from the CPU, and nothing over the bus where OpenGL runs on that device.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/fault.h"
#include "sims/compute/test_devices.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

class InteropTest : public testing::Test {
 protected:
  void SetUp() override {
    SIMSCOPE_SKIP_WITHOUT("cuda");
    context = std::make_unique<HeadlessContext>();
    cuda = compute::Device::open("cuda");
    cpu = compute::Device::open("cpu", 1);
    figure = std::make_unique<Figure>();
  }
  void TearDown() override { figure.reset(); }

  std::vector<std::uint8_t> drawn(const Frame& frame) {
    figure->draw(sampleDescription(), sampleDescription().defaults(), frame, {});
    return figure->read();
  }

  std::unique_ptr<HeadlessContext> context;
  compute::DevicePtr cuda, cpu;
  std::unique_ptr<Figure> figure;
};

TEST_F(InteropTest, FramesOnTheGpuGiveTheSamePixels) {
  const auto expected = drawn(sampleFrame(cpu, 4096, tunnellingProfiles(), 1));
  EXPECT_EQ(drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 2)), expected);
  EXPECT_EQ(drawn(sampleFrame(cpu, 4096, tunnellingProfiles(), 3)), expected);
  EXPECT_EQ(drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 4)), expected);
}

TEST_F(InteropTest, ThePathIsReportedWithItsCost) {
  drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 1));
  const TransferReport& report = figure->transfer();
  if (glInfo().vendor.find("NVIDIA") != std::string::npos) {
    EXPECT_EQ(report.path, TransferPath::DeviceToDevice) << report.text;
    EXPECT_EQ(report.host_bytes, 0u);
  } else {
    EXPECT_EQ(report.path, TransferPath::PinnedCopy);
    // Density, phase, ghost, and potential; the hidden real part is not fetched.
    EXPECT_EQ(report.host_bytes, 4u * 4096 * sizeof(float));
    EXPECT_THAT(report.text, testing::HasSubstr(glInfo().renderer));
  }
}

// Whichever registration or mapping fails, be it once or from then on: the picture is the right one, and comes.
TEST_F(InteropTest, AnyRegistrationMayFailAndThePicturesStayRight) {
  const auto first = drawn(sampleFrame(cpu, 4096, tunnellingProfiles(), 1));
  const auto second = drawn(sampleFrame(cpu, 2048, tunnellingProfiles(), 2));
  for (const char* ending : {"", "+"}) {
    for (int nth = 1; nth <= 12; ++nth) {
      figure = std::make_unique<Figure>();
      compute::setFaults("interop:" + std::to_string(nth) + ending);
      EXPECT_EQ(drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 1)), first) << nth << ending;
      EXPECT_EQ(drawn(sampleFrame(cuda, 2048, tunnellingProfiles(), 2)), second) << nth << ending;
      EXPECT_EQ(drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 3)), first) << nth << ending;
      if (nth == 1) {
        EXPECT_EQ(figure->transfer().path, TransferPath::PinnedCopy);
      }
    }
  }
  compute::setFaults("");
}

TEST_F(InteropTest, FramesMayBeSentThroughTheHostAndBack) {
  const auto expected = drawn(sampleFrame(cpu, 4096, tunnellingProfiles(), 1));
  drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 2));
  const TransferPath usual = figure->transfer().path;
  figure->sendThroughHost(true);
  EXPECT_EQ(drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 2)), expected) << "the same frame, the other way";
  EXPECT_EQ(figure->transfer().path, TransferPath::PinnedCopy);
  EXPECT_EQ(figure->transfer().host_bytes, 4u * 4096 * sizeof(float));
  EXPECT_GT(figure->transfer().milliseconds, 0);
  figure->sendThroughHost(false);
  EXPECT_EQ(drawn(sampleFrame(cuda, 4096, tunnellingProfiles(), 3)), expected);
  EXPECT_EQ(figure->transfer().path, usual);
}

TEST_F(InteropTest, FieldsOnTheGpuGiveTheSamePixels) {
  const auto field = [&](const Frame& frame, const char* view) {
    FigureOptions options;
    options.view = view;
    figure->draw(fieldDescription(), fieldDescription().defaults(), frame, options);
    return figure->read();
  };
  const Frame on_cpu = sampleFields(cpu, {700, 700, -1, 1, -1, 1}),
              on_gpu = sampleFields(cuda, {700, 700, -1, 1, -1, 1});
  for (const char* view : {"heat", "wave", "light"}) EXPECT_EQ(field(on_gpu, view), field(on_cpu, view)) << view;
}

TEST_F(InteropTest, ChannelsMayChangeTheirLength) {
  const auto expected = drawn(sampleFrame(cpu, 1000, tunnellingProfiles(), 1));
  drawn(sampleFrame(cuda, 65536, tunnellingProfiles(), 2));
  EXPECT_EQ(drawn(sampleFrame(cuda, 1000, tunnellingProfiles(), 3)), expected);
}

}  // namespace
}  // namespace simscope::render
