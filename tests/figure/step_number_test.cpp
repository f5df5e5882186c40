// The picture is that of the frame it was drawn from, never an old one, whatever way the frame came: the simulation
// writes the number of its step into its field, and the pixels tell it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "app/doctor/step_simulation.h"
#include "app/render/figure/figure.h"
#include "app/render/gl/gl_context.h"
#include "sims/compute/fault.h"
#include "sims/compute/test_devices.h"
#include "sims/core/run/runner.h"

namespace simscope::render {
namespace {

using doctor::stepDescription;

constexpr int kPictures = 12;

class StepNumberTest : public testing::Test {
 protected:
  void TearDown() override {
    runner.reset();
    figure.reset();
    compute::setFaults("");
  }

  void run(const std::string& device, ReducedBy reduced_by = ReducedBy::Suits) {
    runner = std::make_unique<Runner>(stepDescription(), stepDescription().defaults(), 1, device, 1);
    runner->waitUntilIdle();
    figure = std::make_unique<Figure>(FigureLimits{}, reduced_by);
  }

  // The step that the picture shows.
  std::int64_t shown() { return doctor::shownStep(*figure); }
  void draw(const Frame& frame) { figure->draw(stepDescription(), stepDescription().defaults(), frame, {}); }

  // Plays, and holds each picture to its frame. A run that hangs ends it.
  void expectRightPictures(const std::string& what) {
    runner->setPace({.mode = Pace::Mode::StepsPerFrame, .steps_per_frame = 37, .frames_per_second = 0});
    runner->play();
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    std::int64_t last = -1;
    for (int drawn = 0; drawn < kPictures;) {
      ASSERT_LT(std::chrono::steady_clock::now(), limit) << what << ": no new frame after step " << last;
      const Frame* frame = runner->newestFrame();
      if (!frame || frame->steps == last) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        continue;
      }
      last = frame->steps;
      draw(*frame);
      ASSERT_EQ(shown(), last) << what << ", picture " << drawn << ": " << figure->transfer().text;
      ++drawn;
    }
    // Back at the start, where sequences and addresses repeat.
    runner->reset();
    runner->pause();
    runner->waitUntilIdle();
    draw(*runner->newestFrame());
    ASSERT_EQ(shown(), 0) << what << ", after a reset";
  }

  HeadlessContext context;
  std::unique_ptr<Runner> runner;
  std::unique_ptr<Figure> figure;
};

TEST_F(StepNumberTest, PixelsTellTheStep) {
  run("cpu");
  for (const int n : {1, 2, 5, 1024, 65537, 800000}) {
    runner->setPace({.steps_per_frame = n});
    runner->stepOnce();
    runner->waitUntilIdle();
    const Frame* frame = runner->newestFrame();
    draw(*frame);
    EXPECT_EQ(shown(), frame->steps);
  }
  EXPECT_EQ(shown(), 1 + 2 + 5 + 1024 + 65537 + 800000);
}

TEST_F(StepNumberTest, FromTheHostsMemory) {
  run("cpu");
  expectRightPictures("drawn by the processor where OpenGL is software");
}

TEST_F(StepNumberTest, ThroughOpenGlBuffers) {
  run("cpu", ReducedBy::Shaders);
  expectRightPictures("by shaders");
  EXPECT_EQ(figure->transfer().path, TransferPath::HostMemory);
}

// Pictures on their way show the step of their own frame when they are taken later.
TEST_F(StepNumberTest, TextureOfALaterFrameIsNotThatOfAnEarlierOne) {
  run("cpu", ReducedBy::Shaders);
  runner->setPace({.steps_per_frame = 3});
  std::vector<std::int64_t> seen;
  for (int i = 0; i < 5; ++i) {
    runner->stepOnce();
    runner->waitUntilIdle();
    draw(*runner->newestFrame());
    draw(*runner->newestFrame());  // the same frame is not brought again
    seen.push_back(shown());
  }
  EXPECT_THAT(seen, testing::ElementsAre(3, 6, 9, 12, 15));
}

class CudaStepNumberTest : public StepNumberTest {
 protected:
  void SetUp() override { SIMSCOPE_SKIP_WITHOUT("cuda"); }
};

TEST_F(CudaStepNumberTest, ByTheShortestWay) {
  run("cuda");
  expectRightPictures("interop, or pinned memory where OpenGL is elsewhere");
}

TEST_F(CudaStepNumberTest, ThroughPinnedMemory) {
  run("cuda");
  figure->sendThroughHost(true);
  expectRightPictures("pinned memory");
  EXPECT_EQ(figure->transfer().path, TransferPath::PinnedCopy);
  EXPECT_EQ(liveRegistrations(), 0u);
}

// Each pass of registering and mapping fails once, and from then on, while the run plays: the picture goes on, through
// pinned memory, and no registration is left behind.
TEST_F(CudaStepNumberTest, WhicheverRegistrationFails) {
  for (const char* ending : {"", "+"}) {
    for (int nth = 1; nth <= 2 * kPictures; ++nth) {
      run("cuda");
      const std::string fault = "interop:" + std::to_string(nth) + ending;
      compute::setFaults(fault);
      expectRightPictures(fault);
      if (HasFatalFailure()) return;
      const TransferPath path = figure->transfer().path;
      if (nth <= kPictures) {
        EXPECT_EQ(path, TransferPath::PinnedCopy) << fault;
        EXPECT_EQ(liveRegistrations(), 0u) << fault;
      }
      compute::setFaults("");
      runner.reset();
    }
  }
}

// A figure that has gone over to the CPU holds no buffer of CUDA's, and none is left when it goes.
TEST_F(CudaStepNumberTest, ChangesOfTheDeviceLeaveNoRegistration) {
  run("cuda");
  for (int i = 0; i < 4; ++i) {
    runner->setDevice(i % 2 == 0 ? "cpu" : "cuda", 1);
    runner->stepOnce();
    runner->waitUntilIdle();
    const Frame* frame = runner->newestFrame();
    draw(*frame);
    EXPECT_EQ(shown(), frame->steps);
    if (i % 2 == 0) {
      EXPECT_EQ(liveRegistrations(), 0u);
    }
  }
  figure.reset();
  EXPECT_EQ(liveRegistrations(), 0u);
}

}  // namespace
}  // namespace simscope::render
