// The kernels: lanes of every width against one pixel at a time, both backends, and steps cut anywhere.
#include <gtest/gtest.h>

#include "sims/compute/test_devices.h"
#include "sims/mandelbrot/decimal.h"
#include "sims/mandelbrot/lane_kernels.h"
#include "sims/mandelbrot/plane.h"
#include "sims/mandelbrot/testing.h"

namespace simscope::mandelbrot {
namespace {

struct Job {
  const char* name;
  const char *x, *y;
  double zoom;
  Numbers numbers;
  bool julia, derivative, rebase;
  int most, every;
  int reference = 0;  // its length, where it is shorter than the iterations
};
// Odd sizes, so that tiles and vectors are not full; boundaries, escapes, cycles, rebasing, glitches left in, and c =
// -2, whose derivative grows without end.
const Job kJobs[] = {
    {"float32", "-0.75", "0", 0, Numbers::Float32, false, false, true, 300, 300},
    {"float32 derivative", "-0.75", "0.1", 1, Numbers::Float32, false, true, true, 300, 7},
    {"float64", "-0.7445", "0.1215", 2.3, Numbers::Float64, false, false, true, 900, 100},
    {"float64 derivative", "-0.7445", "0.1215", 2.3, Numbers::Float64, false, true, true, 900, 900},
    {"tip", "-2", "0", 3, Numbers::Float64, false, true, true, 2000, 2000},
    {"julia", "0", "0", 0, Numbers::Float64, true, true, true, 200, 20},
    {"rebased", "-0.7445", "0.1215", 2.3, Numbers::Perturbed, false, true, true, 900, 100},
    {"marked", "-0.7445", "0.1215", 2.3, Numbers::Perturbed, false, false, false, 900, 900},
    {"escaping reference", "0.3", "0.6", 1, Numbers::Perturbed, false, true, true, 200, 200},
    {"short reference", "-0.7445", "0.1215", 2.3, Numbers::Perturbed, false, true, true, 900, 100, 37}};

Iteration taskOf(const Job& job, Plane& plane, const compute::Buffer<double>& orbit) {
  Iteration t{};
  t.cells = plane.cells();
  t.width = plane.width, t.height = plane.height;
  t.centre_x = toDouble(job.x), t.centre_y = toDouble(job.y);
  t.spacing = 4 * std::pow(10.0, -job.zoom) / plane.width;
  t.julia_x = -0.7454294, t.julia_y = 0.1130089;
  t.orbit = orbit.data(), t.last = static_cast<int>(orbit.size() / 2) - 1;
  t.to = job.most, t.every = job.every;
  t.numbers = job.numbers, t.julia = job.julia, t.derivative = job.derivative, t.rebase = job.rebase;
  return t;
}

struct Result {
  std::vector<double> z, derivative;
  std::vector<int> count, index, glitches;
  bool operator==(const Result&) const = default;
};
constexpr int kWidth = 203, kHeight = 61;

template <class Work>
Result resultOf(const Job& job, const compute::DevicePtr& device, const Work& work) {
  Plane plane(device, kWidth, kHeight);
  const compute::Buffer<double> orbit(device,
                                      referenceOrbit(job.x, job.y, bitsFor(4 * std::pow(10.0, -job.zoom) / kWidth),
                                                     job.reference > 0 ? job.reference : job.most, kEscape));
  device->run([&] { work(taskOf(job, plane, orbit)); });
  return {plane.z.toHost(), plane.derivative.toHost(), plane.count.toHost(), plane.index.toHost(),
          plane.glitches.toHost()};
}
Result plainOf(const Job& job) {
  const compute::DevicePtr device = tests::cpu(1);
  return resultOf(job, device, [&](const Iteration& t) { iterateByPixel(*device, t); });
}

TEST(Lanes, OfEveryWidthGiveTheBitsOfAPixelAlone) {
  for (const Job& job : kJobs) {
    SCOPED_TRACE(job.name);
    const Result plain = plainOf(job);
    for (int i = 0; i < supportedLaneKernels().count; ++i) {
      const LaneKernels& kernels = supportedLaneKernels().sets[i];
      const Result lanes = resultOf(job, tests::cpu(1), [&](const Iteration& t) {
        for (int y = 0; y < kHeight; y += kTileRows) {
          for (int x = 0; x < kWidth; x += kTileColumns) {
            kernels.tile(t, x, std::min(x + kTileColumns, kWidth), y, std::min(y + kTileRows, kHeight));
          }
        }
      });
      EXPECT_TRUE(lanes == plain) << kernels.name;
    }
  }
}

class Backend : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

TEST_P(Backend, PixelsHaveTheBitsOfTheCpu) {
  for (const Job& job : kJobs) {
    const Result here = resultOf(job, device_, [&](const Iteration& t) { iterate(*device_, t); });
    EXPECT_TRUE(here == plainOf(job)) << job.name;
  }
}

TEST_P(Backend, StepsThatAreCutAnywhereGiveTheSameBits) {
  for (const Job& job : kJobs) {
    const Result whole = resultOf(job, device_, [&](const Iteration& t) { iterate(*device_, t); });
    const Result parts = resultOf(job, device_, [&](Iteration t) {
      for (int from = 0; from < job.most; from = t.to) {
        t.from = from;
        t.to = std::min(from + (from == 0 ? 2 : 1) * job.every, job.most);
        iterate(*device_, t);
      }
    });
    EXPECT_TRUE(parts == whole) << job.name;
  }
}

// A pixel is called inside where its orbit came back to the bit; its orbit in arbitrary precision has not escaped then.
TEST(Cycles, ThatAreFoundBelongToPointsThatDoNotEscape) {
  const Job job = {"cycles", "-0.1226", "0.7449", 1, Numbers::Float64, false, false, true, 2000, 2000};
  const Result plain = plainOf(job);
  int found = 0;
  for (int i = 0; i < kWidth * kHeight; i += 5) {
    if (plain.count[static_cast<std::size_t>(i)] != kInside) continue;
    const double spacing = 0.4 / kWidth;
    const double x = (i % kWidth - 0.5 * (kWidth - 1)) * spacing, y = (i / kWidth - 0.5 * (kHeight - 1)) * spacing;
    EXPECT_EQ(preciseOrbit(job.x, job.y, x, y, 128, 3000).count, 0) << i;
    ++found;
  }
  EXPECT_GT(found, 100) << "the disc of period 3 is in the picture";
}

}  // namespace
}  // namespace simscope::mandelbrot
