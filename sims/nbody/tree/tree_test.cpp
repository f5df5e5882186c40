// The tree as a field solver, on every device.
#include "sims/nbody/tree/tree.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <numeric>

#include "sims/compute/test_devices.h"
#include "sims/nbody/tree/testing.h"

namespace simscope::nbody {
namespace {

using tests::errorsOf;
using tests::exactField;
using tests::fieldOf;
using tests::Sources;
using tests::sources;
using tests::treeField;

constexpr double kSoftening = 0.01;

class Tree : public compute::OnEveryDevice {};
SIMSCOPE_ON_EVERY_DEVICE(Tree);

bool sameBits(const std::vector<Vec4>& a, const std::vector<Vec4>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Vec4)) == 0;
}

void expectAllNan(const std::vector<Vec4>& field) {
  for (const Vec4& f : field) {
    ASSERT_TRUE(std::isnan(f.x) && std::isnan(f.y) && std::isnan(f.z) && std::isnan(f.w));
  }
}

TEST_P(Tree, IsWithinAThousandthOfTheExactForceAtAnOpeningAngleOfOneHalf) {
  for (const char* const kind : {"plummer", "uniform", "two clusters", "disc", "mixed charges", "outlier"}) {
    const Sources v = sources(kind, 15000);
    const auto errors = errorsOf(v, treeField(device_, v, kSoftening, 0.5), kSoftening);
    EXPECT_LT(errors.force, 1e-3) << kind;
    EXPECT_LT(errors.potential, 1e-3) << kind;
    EXPECT_GT(errors.force, 1e-6) << kind << ": no cell was taken whole";
  }
}

TEST_P(Tree, ErrorsFallAboutWithTheThirdPowerOfTheOpeningAngleOrFaster) {
  // The first term that quadrupoles leave out is of third order in l/d, next to the force of the cell.
  for (const char* const kind : {"plummer", "uniform", "mixed charges"}) {
    const Sources v = sources(kind, 20000);
    const double wide = errorsOf(v, treeField(device_, v, kSoftening, 0.8), kSoftening).force;
    const double narrow = errorsOf(v, treeField(device_, v, kSoftening, 0.4), kSoftening).force;
    EXPECT_GT(std::log2(wide / narrow), 2.8) << kind;
  }
}

TEST_P(Tree, OpensEveryCellAtAnOpeningAngleOfZero) {
  for (const char* const kind : {"plummer", "mixed charges", "line", "plane"}) {
    const Sources v = sources(kind, 3000);
    const auto tree = makeBarnesHut(device_, 0.0);
    const auto errors = errorsOf(v, fieldOf(*tree, device_, v, kSoftening), kSoftening);
    EXPECT_LT(errors.force, 1e-6) << kind;
    EXPECT_LT(errors.potential, 1e-6) << kind;
    EXPECT_EQ(tree->interactions().cells, 0u);
    EXPECT_EQ(tree->interactions().bodies, 3000u * 2999u);
  }
}

TEST_P(Tree, AgreesWithDirectSummationForEveryCount) {
  for (const int n : {1, 2, 3, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 129, 1000}) {
    const Sources v = sources("plummer", n);
    const auto errors = errorsOf(v, treeField(device_, v, kSoftening, 0.3), kSoftening, 1000);
    if (n > 1) {
      EXPECT_LT(errors.force, 1e-4) << n;
      EXPECT_LT(errors.potential, 1e-5) << n;
    }
  }
}

TEST_P(Tree, OneBodyFeelsNothing) {
  const std::vector<Vec4> field = treeField(device_, {{3, -4, 5, 7}}, 0.0, 0.5);
  EXPECT_EQ(field[0].x, 0);
  EXPECT_EQ(field[0].y, 0);
  EXPECT_EQ(field[0].z, 0);
  EXPECT_EQ(field[0].w, 0);
}

TEST_P(Tree, OneSolverServesGrowingAndShrinkingCounts) {
  const auto tree = makeTree(device_, 0.5);
  for (const int n : {100, 5000, 7, 2000, 1}) {
    const Sources v = sources("uniform", n);
    EXPECT_TRUE(sameBits(fieldOf(*tree, device_, v, kSoftening), treeField(device_, v, kSoftening, 0.5))) << n;
  }
}

TEST_P(Tree, ANewOpeningAngleTakesEffectAtTheNextField) {
  const Sources v = sources("plummer", 4000);
  const auto tree = makeTree(device_, 0.9);
  const auto wide = fieldOf(*tree, device_, v, kSoftening);
  tree->setOpeningAngle(0.4);
  const auto narrow = fieldOf(*tree, device_, v, kSoftening);
  EXPECT_FALSE(sameBits(wide, narrow));
  EXPECT_TRUE(sameBits(narrow, treeField(device_, v, kSoftening, 0.4)));
}

TEST_P(Tree, TheTotalForceNearlyVanishes) {
  // Cells do not react, so momentum is kept to the accuracy of the forces only; random errors of n bodies mostly
  // cancel.
  for (const char* const kind : {"plummer", "two clusters", "mixed charges"}) {
    const Sources v = sources(kind, 20000);
    const auto field = treeField(device_, v, kSoftening, 0.5);
    double total[3] = {}, all = 0;
    for (std::size_t i = 0; i < v.size(); ++i) {
      const double s = v[i].w;
      total[0] += s * field[i].x;
      total[1] += s * field[i].y;
      total[2] += s * field[i].z;
      all += std::abs(s) * std::hypot(field[i].x, field[i].y, field[i].z);
    }
    EXPECT_LT(std::hypot(total[0], total[1], total[2]) / all, 1e-4) << kind;
  }
}

TEST_P(Tree, TheOrderOfTheSourcesDoesNotMatter) {
  const Sources v = sources("two clusters", 5000);
  std::vector<std::size_t> order(v.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Sources shuffled;
  for (const std::size_t i : order) shuffled.push_back(v[i]);
  const auto field = treeField(device_, v, kSoftening, 0.5), other = treeField(device_, shuffled, kSoftening, 0.5);
  double difference = 0, whole = 0;
  for (std::size_t i = 0; i < v.size(); ++i) {
    const Vec4 &a = field[order[i]], &b = other[i];
    difference += (a.x - b.x) * (a.x - b.x) + (a.y - b.y) * (a.y - b.y) + (a.z - b.z) * (a.z - b.z);
    whole += a.x * a.x + a.y * a.y + a.z * a.z;
  }
  // Keys may change by the rounding of the mean; a cell that is cut elsewhere shows as an error of the force.
  EXPECT_LT(std::sqrt(difference / whole), 2e-4);
}

TEST_P(Tree, EveryRunGivesTheSameBits) {
  const Sources v = sources("plummer", 30000);
  const auto first = treeField(device_, v, kSoftening, 0.6);
  for (int run = 0; run < 3; ++run) EXPECT_TRUE(sameBits(treeField(device_, v, kSoftening, 0.6), first));
}

TEST_P(Tree, LooksLessCloselyAtWispsBesideAHeavyBody) {
  // What surrounds a heavy body is a small part of the force on anything near it.
  const auto partners = [&](double heavy) {
    Sources v = sources("plummer", 20000);
    v[0] = tests::pointAt(0, 0, 0, heavy);
    const auto tree = makeBarnesHut(device_, 0.5);
    const auto field = fieldOf(*tree, device_, v, kSoftening);
    EXPECT_LT(errorsOf(v, field, kSoftening).force, 2.5e-4) << heavy;
    const TreeInteractions met = tree->interactions();
    return static_cast<double>(met.bodies + met.cells) / 20000;
  };
  EXPECT_LT(partners(50), 0.75 * partners(0));
}

TEST_P(Tree, ForceIsTheFieldWithoutItsPotentialToTheBit) {
  for (const char* const kind : {"plummer", "mixed charges", "encounter"}) {
    for (const int n : {1000, 200000}) {
      const Sources v = sources(kind, n);
      const auto tree = makeTree(device_, 0.8);
      std::vector<Vec4> field = fieldOf(*tree, device_, v, kSoftening);
      const compute::Buffer<Vec4> in(device_, std::span<const Vec4>(v));
      compute::Buffer<Vec4> out(device_, v.size());
      tree->force(in.data(), n, kSoftening, out.data());
      std::vector<Vec4> force = out.toHost();
      for (std::size_t i = 0; i < v.size(); ++i) field[i].w = force[i].w = 0;
      EXPECT_TRUE(sameBits(field, force)) << kind << ' ' << n;
    }
  }
}

TEST(TreeOnTheCpu, AnyNumberOfThreadsGivesTheSameBits) {
  for (const char* const kind : {"plummer", "mixed charges", "tight clusters"}) {
    const Sources v = sources(kind, 30000);
    const auto one = treeField(compute::Device::open("cpu", 1), v, kSoftening, 0.7);
    for (const int threads : {2, 5}) {
      EXPECT_TRUE(sameBits(treeField(compute::Device::open("cpu", threads), v, kSoftening, 0.7), one)) << kind;
    }
  }
}

TEST(TreeOnCuda, GivesTheFieldOfTheCpu) {
  SIMSCOPE_SKIP_WITHOUT("cuda");
  for (const char* const kind : {"plummer", "mixed charges", "tight clusters", "line", "outlier", "encounter"}) {
    for (const int n : {1000, 300000}) {  // one body a lane, and two
      const Sources v = sources(kind, n);
      const auto cpu = treeField(compute::Device::open("cpu"), v, kSoftening, 0.7);
      const auto cuda = treeField(compute::Device::open("cuda:0"), v, kSoftening, 0.7);
      double difference = 0, whole = 0;
      for (std::size_t i = 0; i < v.size(); ++i) {
        difference += std::pow(cpu[i].x - cuda[i].x, 2) + std::pow(cpu[i].y - cuda[i].y, 2);
        whole += std::pow(cpu[i].x, 2) + std::pow(cpu[i].y, 2);
      }
      EXPECT_LT(std::sqrt(difference / whole), n == 300000 ? 1e-4 : 1e-2) << kind << ' ' << n;
    }
  }
}

TEST_P(Tree, InteractionsGrowAsNLogN) {
  // From n to 8n a body meets one more level of cells: the same number more of them at each step.
  std::vector<double> each;
  for (const int n : {2000, 16000, 128000}) {
    const auto tree = makeBarnesHut(device_, 0.8);
    fieldOf(*tree, device_, sources("uniform", n), kSoftening);
    const TreeInteractions counted = tree->interactions();
    each.push_back(static_cast<double>(counted.bodies + counted.cells) / n);
  }
  // CUDA may take larger groups where there are more of them, and then meets more.
  EXPECT_LT(each[2], 1.7 * each[1]);
  if (!device_->isCuda()) {
    EXPECT_LT(each[2] - each[1], each[1] - each[0]);
  }
}

TEST_P(Tree, BodiesAtOnePlaceAttractEachOtherWithNoForce) {
  // More than a leaf holds, and more than a group.
  for (const int n : {2, 40, 500}) {
    for (const double softening : {0.0, 0.5}) {
      Sources v(static_cast<std::size_t>(n), Vec4{1, 2, 3, 0.25f});
      const double each = -0.25 / std::max(softening, kLeastSoftening);
      for (const Vec4& f : treeField(device_, v, softening, 0.5)) {
        ASSERT_EQ(f.x, 0);
        ASSERT_EQ(f.y, 0);
        ASSERT_EQ(f.z, 0);
        ASSERT_NEAR(f.w / (each * (n - 1)), 1, 1e-5);
      }
    }
  }
}

TEST_P(Tree, PairsAtOnePlaceFeelTheRest) {
  Sources v = sources("uniform", 4000);
  for (std::size_t i = 0; i < v.size(); i += 2) v[i + 1] = v[i];
  for (std::size_t i = 0; i < 300; ++i) v[i] = v[0];
  const auto errors = errorsOf(v, treeField(device_, v, kSoftening, 0.5), kSoftening);
  EXPECT_LT(errors.force, 1e-3);
  EXPECT_LT(errors.potential, 1e-3);
}

TEST_P(Tree, TakesLinesPlanesTightClustersAndStrengthsOfZero) {
  for (const char* const kind : {"line", "plane", "tight clusters"}) {
    const Sources v = sources(kind, 6000);
    // Along a line nothing averages the errors out.
    EXPECT_LT(errorsOf(v, treeField(device_, v, kSoftening, 0.5), kSoftening).force, 2e-3) << kind;
  }
  Sources light = sources("plummer", 6000);
  for (std::size_t i = 0; i < light.size(); ++i) {
    if (i % 50 != 0) light[i].w = 0;
  }
  EXPECT_LT(errorsOf(light, treeField(device_, light, kSoftening, 0.5), kSoftening).force, 1e-3);
  for (Vec4& source : light) source.w = 0;
  for (const Vec4& f : treeField(device_, light, 0.0, 0.5)) {
    ASSERT_EQ(std::abs(f.x) + std::abs(f.y) + std::abs(f.z) + std::abs(f.w), 0);
  }
}

TEST_P(Tree, NegativeStrengthsGiveTheNegativeField) {
  Sources v = sources("plummer", 3000);
  const auto field = treeField(device_, v, kSoftening, 0.5);
  for (Vec4& source : v) source.w = -source.w;
  const auto other = treeField(device_, v, kSoftening, 0.5);
  for (std::size_t i = 0; i < v.size(); ++i) {
    ASSERT_EQ(other[i].x, -field[i].x);
    ASSERT_EQ(other[i].w, -field[i].w);
  }
}

TEST_P(Tree, ManyScalesKeepTheirAccuracy) {
  // A pair within a pair within a pair ..., down to a millionth of a millionth of the whole.
  Sources v;
  double x = 1;
  for (int i = 0; i < 40; ++i, x *= 0.5) v.push_back(tests::pointAt(x, 0.3 * x, -0.2 * x, x));
  EXPECT_LT(errorsOf(v, treeField(device_, v, 0.0, 0.5), kLeastSoftening).force, 1e-3);

  Sources far = sources("plummer", 3000);
  far[17] = {3e17f, 0, 0, 1e-3f};
  const auto errors = errorsOf(far, treeField(device_, far, kSoftening, 0.5), kSoftening);
  EXPECT_LT(errors.force, 1e-3);
}

TEST_P(Tree, OneNumberThatIsNoneLeavesNoFieldAnywhere) {
  const float nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
  for (const float bad : {nan, infinity, -infinity}) {
    for (float Vec4::*member : {&Vec4::x, &Vec4::y, &Vec4::z, &Vec4::w}) {
      Sources v = sources("uniform", 1000);
      v[400].*member = bad;
      expectAllNan(treeField(device_, v, kSoftening, 0.5));
    }
  }
  expectAllNan(treeField(device_, Sources(2000, Vec4{nan, nan, nan, nan}), kSoftening, 0.5));
}

TEST_P(Tree, TheLargestNumbersDoNotStopIt) {
  const float most = std::numeric_limits<float>::max();
  Sources v = sources("uniform", 500);
  v[0] = {most, -most, most, 1};
  v[1] = {-most, most, -most, 1};
  EXPECT_EQ(treeField(device_, v, kSoftening, 0.5).size(), v.size());
}

TEST_P(Tree, RefusesAnOpeningAngleThatIsNone) {
  EXPECT_THROW(makeTree(device_, -0.1), UsageError);
  const auto tree = makeTree(device_, 0.5);
  EXPECT_THROW(tree->setOpeningAngle(std::numeric_limits<double>::quiet_NaN()), UsageError);
  EXPECT_THROW(tree->setOpeningAngle(std::numeric_limits<double>::infinity()), UsageError);
  EXPECT_EQ(tree->method(), "Barnes–Hut, quadrupoles, θ = 0.5");
}

TEST(TreeMemory, IsCountedBeforeItIsTaken) {
  for (const auto backend : {compute::Backend::Cpu, compute::Backend::Cuda}) {
    EXPECT_GT(treeBytes(backend, 1e6), 100e6);
    EXPECT_LT(treeBytes(backend, 1e6), 200e6);
    EXPECT_NEAR(treeBytes(backend, 1.6e7) / treeBytes(backend, 8e6), 2, 0.01);
  }
}

}  // namespace
}  // namespace simscope::nbody
