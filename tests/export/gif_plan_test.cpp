// What fits a number of bytes, and the bound on a recording.
#include "app/export/gif/gif_plan.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "app/export/encoder.h"
#include "sims/compute/error.h"
#include "tests/export/support.h"

namespace simscope::exporting::testing {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr int kWidth = 320, kHeight = 180, kFrames = 40;

GifOptions options(int width = kWidth, int height = kHeight) {
  GifOptions result;
  result.width = width;
  result.height = height;
  result.fps = 25;
  result.exact_colours = distinctColours(150);
  result.expected_frames = kFrames;
  return result;
}

// Waves that run through the whole picture, drawn at whatever size.
Picture wave(int frame, int width, int height) {
  const auto colours = distinctColours(150);
  Picture picture(static_cast<std::size_t>(width) * height * 3);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double u = static_cast<double>(x) / width, v = static_cast<double>(y) / height;
      const double value = std::sin(40 * std::hypot(u - 0.3, v - 0.4) - 0.3 * frame) * std::cos(9 * u - 0.1 * frame);
      setPixel(picture, static_cast<std::size_t>(y) * width + x, colours[static_cast<std::size_t>(74.9 * (value + 1))]);
    }
  }
  return picture;
}

GifPlanner probed() {
  GifPlanner planner(options());
  for (const int start : {0, 20}) {
    std::vector<Picture> pictures;
    for (int i = 0; i < 7; ++i) {
      pictures.push_back(wave(start + i, kWidth, kHeight));
    }
    planner.add(std::move(pictures));
  }
  return planner;
}

// The size of the file that the plan leads to.
std::uint64_t recorded(const GifPlan& plan, std::uint64_t max_bytes = 0) {
  const Folder folder;
  GifOptions chosen = options(plan.width, plan.height);
  chosen.fps = plan.fps;
  chosen.expected_frames = plan.frames;
  chosen.max_bytes = max_bytes;
  Encoder encoder(folder / "a.gif", chosen);
  for (int i = 0; i < kFrames; i += plan.frame_step) {
    encoder.add(wave(i, plan.width, plan.height));
  }
  encoder.finish();
  EXPECT_EQ(encoder.progress().frames, plan.frames);
  return fs::file_size(folder / "a.gif");
}

TEST(GifPlan, KeepsEverythingWhereItFits) {
  const GifPlan plan = probed().plan(100'000'000);
  EXPECT_EQ(plan.width, kWidth);
  EXPECT_EQ(plan.height, kHeight);
  EXPECT_EQ(plan.frame_step, 1);
  EXPECT_EQ(plan.frames, kFrames);
  EXPECT_EQ(plan.fps, 25);
  EXPECT_NEAR(static_cast<double>(plan.estimated_bytes), static_cast<double>(recorded(plan)),
              0.1 * plan.estimated_bytes);
}

TEST(GifPlan, ThePlannedRecordingFitsAndUsesMostOfWhatIsAllowed) {
  const GifPlanner planner = probed();
  const std::uint64_t whole = planner.plan(100'000'000).estimated_bytes;
  for (const int divisor : {2, 5}) {
    const std::uint64_t allowed = whole / divisor;
    const GifPlan plan = planner.plan(allowed);
    EXPECT_LT(plan.width, kWidth);
    EXPECT_LE(plan.estimated_bytes, allowed);
    EXPECT_NEAR(plan.height * kWidth, plan.width * kHeight, kWidth);  // one pixel off at most
    EXPECT_EQ(plan.height % 2, 0);
    EXPECT_EQ(plan.fps * plan.frame_step, 25);
    const std::uint64_t size = recorded(plan, allowed);
    EXPECT_LE(size, allowed) << toText(plan);
    EXPECT_GT(size, allowed / 2) << toText(plan);
  }
}

TEST(GifPlan, ACorrectionAsksForLess) {
  const GifPlanner planner = probed();
  const std::uint64_t allowed = planner.plan(100'000'000).estimated_bytes / 2;
  const GifPlan first = planner.plan(allowed), second = planner.plan(allowed, 1.5);
  EXPECT_LT(second.estimated_bytes, first.estimated_bytes);
}

TEST(GifPlan, DropsFramesNoFurtherThanTenASecond) {
  const GifPlanner planner = probed();
  const std::uint64_t whole = planner.plan(100'000'000).estimated_bytes;
  for (const int divisor : {3, 10, 30}) {
    EXPECT_GE(planner.plan(whole / divisor).fps, 10);
  }
}

TEST(GifPlan, SaysWhatWouldFitWhereNothingDoes) {
  const std::string message = messageOf<UsageError>([] { probed().plan(2000); });
  EXPECT_THAT(message, HasSubstr("fits in 2 kB"));
  EXPECT_THAT(message, HasSubstr("64x36 pixels"));
}

TEST(GifPlan, RefusesAProbeThatSaysNothing) {
  GifPlanner planner(options());
  EXPECT_THROW(planner.plan(1000), UsageError);
  planner.add({wave(0, kWidth, kHeight)});
  EXPECT_THROW(planner.plan(1000), UsageError);
  EXPECT_THROW(planner.add({Picture(7)}), Error);
  GifOptions unknown = options();
  unknown.expected_frames = 0;
  EXPECT_THROW(GifPlanner{unknown}, UsageError);
}

TEST(GifPlan, IsToldInWords) {
  GifPlan plan{640, 360, 2, 71, 12.5, 1'834'567};
  EXPECT_EQ(toText(plan), "640x360 pixels, every 2nd frame (71 at 12.5 fps), about 1.835 MB");
  plan.frame_step = 1;
  plan.estimated_bytes = 12'300;
  EXPECT_EQ(toText(plan), "640x360 pixels, every frame (71 at 12.5 fps), about 12.3 kB");
  for (const auto& [number, text] : {std::pair{3, "3rd"}, {11, "11th"}, {21, "21st"}, {112, "112th"}}) {
    EXPECT_EQ(ordinal(number), text);
  }
}

TEST(MaxBytes, EndTheRecordingWithWhatWouldFitAndLeaveNothing) {
  const Folder folder;
  GifOptions bounded = options();
  bounded.max_bytes = 100'000;
  Encoder encoder(folder / "a.gif", bounded);
  try {
    for (int i = 0; i < kFrames; ++i) {
      encoder.add(wave(i, kWidth, kHeight));
    }
    encoder.finish();
    ADD_FAILURE() << "no bound";
  } catch (const GifTooLarge& error) {
    EXPECT_GT(error.estimatedBytes(), bounded.max_bytes);
    EXPECT_THAT(error.what(), HasSubstr("the limit of 100 kB"));
    EXPECT_THAT(error.what(), HasSubstr("choose about"));
  }
  EXPECT_THAT(folder.names(), IsEmpty());
}

TEST(MaxBytes, AFileOfExactlyTheBoundIsWritten) {
  const GifPlan plan{60, 40, 10, 4, 2.5, 0};
  const std::uint64_t size = recorded(plan);
  EXPECT_EQ(recorded(plan, size), size);
  EXPECT_THROW(recorded(plan, size - 1), GifTooLarge);
}

}  // namespace
}  // namespace simscope::exporting::testing
