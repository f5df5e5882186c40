// Contexts without a window, reading back, and the way of the data to OpenGL.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "app/render/figure/figure.h"
#include "app/render/figure/theme.h"
#include "app/render/gl/gl_context.h"
#include "tests/figure/sample_field.h"
#include "tests/figure/sample_view.h"

namespace simscope::render {
namespace {

SampleProfiles level(double height) {
  SampleProfiles p;
  p.density = [=](double) { return height; };
  p.phase = [](double) { return 0.0; };
  return p;
}

TEST(HeadlessContextTest, NamesItsRenderer) {
  const HeadlessContext context;
  const GlInfo info = glInfo();
  EXPECT_FALSE(info.vendor.empty());
  EXPECT_FALSE(info.renderer.empty());
  EXPECT_THAT(info.version, testing::HasSubstr("4."));
}

TEST(HeadlessContextTest, OneEndsWithoutHurtingAnother) {
  const auto device = compute::Device::open("cpu", 1);
  auto first = std::make_unique<HeadlessContext>();
  first.reset();
  const HeadlessContext second;
  { const auto third = std::make_unique<HeadlessContext>(); }
  // `third` took over this thread and left no context current; a new one works as ever.
  const HeadlessContext fourth;
  Figure figure;
  EXPECT_NO_THROW(
      figure.draw(sampleDescription(), sampleDescription().defaults(), sampleFrame(device, 256, level(0.5)), {}));
}

class ReaderTest : public testing::Test {
 protected:
  void draw(const Frame& frame, int width = 320, int height = 240) {
    FigureOptions options;
    options.width = width;
    options.height = height;
    figure.draw(sampleDescription(), sampleDescription().defaults(), frame, options);
  }
  std::vector<std::uint8_t> drawn(double height) {
    draw(sampleFrame(device, 256, level(height)));
    return figure.read();
  }

  HeadlessContext context;
  compute::DevicePtr device = compute::Device::open("cpu", 1);
  Figure figure;
};

TEST_F(ReaderTest, PicturesComeInTheOrderInWhichTheyWereDrawn) {
  const auto a = drawn(0.2), b = drawn(0.5), c = drawn(0.8);
  ASSERT_NE(a, b);
  ASSERT_NE(b, c);
  for (int round = 0; round < 3; ++round) {
    draw(sampleFrame(device, 256, level(0.2)));
    figure.startRead();
    draw(sampleFrame(device, 256, level(0.5)));
    figure.startRead();
    draw(sampleFrame(device, 256, level(0.8)));
    figure.startRead();
    EXPECT_EQ(figure.readsInFlight(), 3);
    EXPECT_EQ(figure.take(), a);
    draw(sampleFrame(device, 256, level(0.5)));
    figure.startRead();
    EXPECT_EQ(figure.take(), b);
    EXPECT_EQ(figure.take(), c);
    EXPECT_EQ(figure.take(), b);
    EXPECT_EQ(figure.readsInFlight(), 0);
  }
}

// A figure keeps what it can from picture to picture; what it draws does not depend on it.
TEST_F(ReaderTest, APictureIsTheSameWhateverWasDrawnBefore) {
  const Frame curves = sampleFrame(device, 256, tunnellingProfiles(), 1);
  const Frame fields = sampleFields(device, {}, 1);
  std::vector<FigureOptions> looks(6);
  for (FigureOptions& each : looks) {
    each.width = 320;
    each.height = 240;
  }
  looks[1].theme = Theme::Light;
  looks[2].x = Limits{-3, 5};
  looks[3].width = 400;
  looks[4].view = "two";
  looks[5].view = "plate";
  looks[5].x = Limits{-2, 6};  // wider than the field
  const auto pictureOf = [&](Figure& by, const FigureOptions& look) {
    const bool field = !look.view.empty();
    const Description& description = field ? fieldDescription() : sampleDescription();
    by.draw(description, description.defaults(), field ? fields : curves, look);
    return by.read();
  };
  std::vector<std::vector<std::uint8_t>> alone;
  for (const FigureOptions& look : looks) {
    Figure fresh;
    alone.push_back(pictureOf(fresh, look));
  }
  for (std::size_t a = 0; a < looks.size(); ++a) {
    for (std::size_t b = 0; b < looks.size(); ++b) {
      for (int repeated = 0; repeated < 3; ++repeated) {
        ASSERT_EQ(pictureOf(figure, looks[a]), alone[a]) << a << ", repeated " << repeated;
      }
      ASSERT_EQ(pictureOf(figure, looks[b]), alone[b]) << b << " after " << a;
    }
  }
}

TEST_F(ReaderTest, SizesMayChangeBetweenReads) {
  draw(sampleFrame(device, 256, level(0.2)), 320, 240);
  figure.startRead();
  draw(sampleFrame(device, 256, level(0.2)), 640, 480);
  figure.startRead();
  EXPECT_EQ(figure.take().size(), 320u * 240 * 3);
  EXPECT_EQ(figure.take().size(), 640u * 480 * 3);
}

TEST_F(ReaderTest, ReadsBeyondTheRingAreRefused) {
  EXPECT_THROW(figure.startRead(), UsageError);  // nothing drawn yet
  EXPECT_THROW(figure.take(), UsageError);
  const auto picture = drawn(0.2);
  for (int i = 0; i < Figure::kReadsInFlight; ++i) figure.startRead();
  EXPECT_THROW(figure.startRead(), UsageError);
  EXPECT_THROW(figure.read(), UsageError);
  for (int i = 0; i < Figure::kReadsInFlight; ++i) EXPECT_EQ(figure.take(), picture);
  EXPECT_EQ(figure.read(), picture);
}

TEST_F(ReaderTest, TheTopRowComesFirst) {
  const auto rgb = drawn(0.3);
  const PlotArea& a = figure.plotArea();
  const auto middle = static_cast<int>(a.left + a.width / 2);
  const Colour fill = themeColours(Theme::Dark).phase[0];
  EXPECT_EQ(pixelAt(rgb, 320, middle, static_cast<int>(a.top + a.height) - 8), fill);
  EXPECT_NE(pixelAt(rgb, 320, middle, static_cast<int>(a.top) + 8), fill);
}

TEST_F(ReaderTest, DataOnTheCpuGoesStraightToOpenGl) {
  drawn(0.5);
  EXPECT_EQ(figure.transfer().path, TransferPath::HostMemory);
  EXPECT_EQ(figure.transfer().host_bytes, 0u);
  EXPECT_FALSE(figure.transfer().text.empty());
}

TEST_F(ReaderTest, NewContentsAreDrawnWhateverTheSequenceSays) {
  const auto a = drawn(0.2), b = drawn(0.8);
  draw(sampleFrame(device, 128, level(0.2)));
  const auto shorter = figure.read();
  draw(sampleFrame(device, 256, level(0.2), 7));
  EXPECT_EQ(figure.read(), a);
  const Frame other = sampleFrame(device, 256, level(0.8), 8);
  draw(other);
  EXPECT_EQ(figure.read(), b);
  draw(other);
  EXPECT_EQ(figure.read(), b);
  draw(sampleFrame(device, 128, level(0.2), 8));  // another run that counts alike
  EXPECT_EQ(figure.read(), shorter);
}

TEST_F(ReaderTest, TransferNamesAMissingChannel) {
  Transfer transfer;
  const Frame frame = sampleFrame(device, 16, level(1));
  EXPECT_NE(transfer.buffer(frame, "density"), 0u);
  EXPECT_THROW(transfer.buffer(frame, "nothing"), Error);
}

}  // namespace
}  // namespace simscope::render
