// The direct sum on the CPU, with every instruction set of the processor.
#include <gtest/gtest.h>

#include "sims/nbody/direct/direct.h"
#include "sims/nbody/direct/kernels.h"
#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

const int kSizes[] = {1, 2, 3, 15, 31, 33, 64, 100, 513, 1025};

class Kernels : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    if (GetParam() >= supportedDirectKernels().count) GTEST_SKIP() << "the processor has no further instruction set";
    kernels_ = supportedDirectKernels().sets[GetParam()];
  }
  // In blocks of `block` bodies.
  std::vector<double> sum(const std::vector<Vec4>& sources, double softening, bool potential = true,
                          int block = 1 << 20) const {
    const int n = static_cast<int>(sources.size());
    std::vector<Vec4> out(sources.size(), Vec4{NAN, NAN, NAN, NAN});
    for (int first = 0; first < n; first += block) {
      const DirectBlock work{
          &sources[0].x, n, static_cast<float>(softening * softening), first, std::min(block, n - first), &out[0].x};
      (potential ? kernels_.field : kernels_.force)(work);
    }
    std::vector<double> values;
    for (const Vec4& f : out) {
      for (const float each : {f.x, f.y, f.z, f.w}) values.push_back(static_cast<double>(each));
    }
    return values;
  }
  DirectKernels kernels_{};
};
INSTANTIATE_TEST_SUITE_P(Every, Kernels, testing::Values(0, 1, 2));

TEST_P(Kernels, AccelerationsAndPotentialsEqualADoublePrecisionSum) {
  for (const int n : kSizes) {
    for (const bool mixed : {false, true}) {
      if (n == 1) continue;
      const std::vector<Vec4> sources = randomSources(n, mixed);
      const std::vector<double> exact = exactField(sources, 0.01), found = sum(sources, 0.01);
      EXPECT_LT(relativeDifference(part(found, false), part(exact, false)), 2e-6) << n;
      EXPECT_LT(relativeDifference(part(found, true), part(exact, true)), 2e-6) << n;
    }
  }
}

// Two heavy bodies among thousands of light ones: in sums of 512 terms the light ones were rounded to 10⁻⁶.
TEST_P(Kernels, ForcesOfEveryStartAreExactToAFewRoundings) {
  for (const char* const initial : {"plummer", "two_galaxies", "cold_sphere", "ring", "random"}) {
    const char* const bodies = "4096";
    Session start({{"initial", initial}, {"bodies", bodies}, {"softening", "0.05"}});
    const std::vector<double> x = start.array("position"), mass = start.array("mass");
    std::vector<Vec4> sources;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      sources.push_back({static_cast<float>(x[3 * i]), static_cast<float>(x[3 * i + 1]),
                         static_cast<float>(x[3 * i + 2]), static_cast<float>(mass[i])});
    }
    const std::vector<double> exact = exactField(sources, 0.05), found = sum(sources, 0.05, false);
    // The heavy ones are pulled from all sides: next to nothing is left of their forces.
    double squares = 0, count = 0;
    for (std::size_t i = 2; i < mass.size(); ++i) {
      double off2 = 0, size2 = 0;
      for (std::size_t k = 4 * i; k < 4 * i + 3; ++k) {
        off2 += (found[k] - exact[k]) * (found[k] - exact[k]);
        size2 += exact[k] * exact[k];
      }
      squares += off2 / size2;
      ++count;
    }
    EXPECT_LT(std::sqrt(squares / count), 4e-7) << initial;
    RecordProperty(std::string("rms_") + initial, std::to_string(1e7 * std::sqrt(squares / count)));
  }
}

// Beside the force at the places in double precision, as the presets have them: what the page says.
TEST_P(Kernels, ForcesOfPresetsAreWithinWhatThePageSays) {
  const struct {
    const char *initial, *softening;
    double bound;
  } kStarts[] = {{"plummer", "0.01", 6e-7},
                 {"two_galaxies", "0.05", 7e-7},
                 {"cold_sphere", "0.02", 2.5e-7},
                 {"ring", "0.01", 9e-7},
                 {"random", "0.02", 3e-7}};
  for (const auto& [initial, softening_text, bound] : kStarts) {
    Session start({{"initial", initial}, {"softening", softening_text}});
    const double softening = std::stod(softening_text);
    const std::vector<double> x = start.array("position"), mass = start.array("mass");
    std::vector<Vec4> sources;
    for (std::size_t i = 0; i < mass.size(); ++i) {
      sources.push_back({static_cast<float>(x[3 * i]), static_cast<float>(x[3 * i + 1]),
                         static_cast<float>(x[3 * i + 2]), static_cast<float>(mass[i])});
    }
    const std::vector<double> found = sum(sources, softening, false);
    double squares = 0, count = 0;
    for (std::size_t i = 2; i < mass.size(); i += 13) {
      const Pull exact =
          pullOfFew(x.data(), mass.data(), static_cast<int>(mass.size()), static_cast<int>(i), softening * softening);
      const double off[3] = {found[4 * i] - exact.x, found[4 * i + 1] - exact.y, found[4 * i + 2] - exact.z};
      squares += (off[0] * off[0] + off[1] * off[1] + off[2] * off[2]) /
                 (exact.x * exact.x + exact.y * exact.y + exact.z * exact.z);
      ++count;
    }
    EXPECT_LT(std::sqrt(squares / count), bound) << initial;
  }
}

TEST_P(Kernels, SumsDoNotDependOnTheBlockOrOnThePotential) {
  for (const int n : kSizes) {
    const std::vector<Vec4> sources = randomSources(n);
    const std::vector<double> whole = sum(sources, 0.02);
    EXPECT_EQ(sum(sources, 0.02, true, 7), whole) << n;
    EXPECT_EQ(part(sum(sources, 0.02, false), false), part(whole, false)) << n;
  }
}

TEST_P(Kernels, BodiesAtOnePlaceAttractEachOtherWithNoForce) {
  std::vector<Vec4> sources(40, Vec4{0.3f, -0.2f, 0.1f, 1});
  for (const double each : sum(sources, kLeastSoftening, false)) EXPECT_EQ(each, 0);
  sources[17] = {5, 0, 0, 1};
  const std::vector<double> exact = part(exactField(sources, kLeastSoftening), false);
  EXPECT_LT(relativeDifference(part(sum(sources, kLeastSoftening), false), exact), 1e-6);
}

TEST_P(Kernels, PotentialLeavesTheBodyItselfOut) {
  // With next to no softening its own share would be 10¹⁰ times the others'.
  const std::vector<Vec4> sources = randomSources(100);
  const std::vector<double> exact = part(exactField(sources, kLeastSoftening), true);
  EXPECT_LT(relativeDifference(part(sum(sources, kLeastSoftening), true), exact), 1e-6);
  EXPECT_EQ(sum({Vec4{1, 2, 3, 4}}, kLeastSoftening), (std::vector<double>{0, 0, 0, 0}));
}

TEST(Direct, LongSumsKeepTheirDigits) {
  // All to one side, so that every term counts: chunks keep a sum of many from drowning the next term.
  const int n = 60'000;
  std::vector<Vec4> sources(n, Vec4{});
  double exact = 0;
  for (int i = 1; i < n; ++i) {
    const double x = 1 + 0.5 * i / n;
    sources[static_cast<std::size_t>(i)] = {static_cast<float>(x), 0, 0, 1.0f / n};
    exact += 1.0 / n / (static_cast<double>(static_cast<float>(x)) * static_cast<double>(static_cast<float>(x)));
  }
  std::vector<Vec4> out(sources.size());
  for (int k = 0; k < supportedDirectKernels().count; ++k) {
    supportedDirectKernels().sets[k].force({&sources[0].x, n, 1e-20f, 0, 1, &out[0].x});
    EXPECT_NEAR(static_cast<double>(out[0].x), exact, 2e-6 * exact) << supportedDirectKernels().sets[k].name;
  }
}

TEST(Direct, FieldDoesNotDependOnTheNumberOfThreads) {
  const std::vector<Vec4> sources = randomSources(1000);
  const auto field = [&](int threads) {
    const compute::DevicePtr device = cpu(threads);
    std::vector<Vec4> out(sources.size());
    device->run([&] { makeDirect(device)->field(sources.data(), 1000, 0.01, out.data()); });
    return out;
  };
  const std::vector<Vec4> one = field(1), three = field(3);
  EXPECT_EQ(std::memcmp(one.data(), three.data(), one.size() * sizeof(Vec4)), 0);
}

// What the CUDA kernel is given: every source belongs to exactly one warp's part, and the parts fit their memory.
TEST(Split, CoversAllSourcesWithinItsMemory) {
  for (const int n : {1, 65, 127, 128, 129, 1000, 4096, 8192, 10'007, 65'536, 300'000, 1 << 20, 1 << 24}) {
    for (const int multiprocessors : {1, 20, 132}) {
      const DirectSplit split = splitFor(n, multiprocessors);
      EXPECT_GE(split.tiles * std::int64_t{kDirectTile}, n);
      EXPECT_GE(split.splits * std::int64_t{split.per_split}, n);
      EXPECT_LT((split.splits - 1) * std::int64_t{split.per_split}, n) << "no block without sources";
      EXPECT_EQ(split.per_split % (kDirectWarps * kDirectUnroll), 0);
      EXPECT_TRUE(split.splits == 1 || split.splits * std::int64_t{n} <= kMostDirectParts);
    }
  }
}

TEST(Split, FillsAnH100) {
  for (const int n : {8192, 16'384, 65'536, 1 << 20}) {
    const DirectSplit split = splitFor(n, 132);
    const double blocks = split.tiles * split.splits / 132.0;
    EXPECT_GT(blocks, 1.5) << n;
    EXPECT_GT(blocks / std::ceil(blocks), 0.95) << n;
  }
}

}  // namespace
}  // namespace simscope::nbody
