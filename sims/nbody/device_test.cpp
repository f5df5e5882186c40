// Both backends: forces against double precision, runs against each other.
#include "sims/compute/test_devices.h"
#include "sims/nbody/testing.h"

namespace simscope::nbody {
namespace {

using namespace tests;

class Backend : public compute::OnEveryDevice {
 protected:
  Session on(const Changes& changes) { return Session(changes, 1, device_); }

  std::vector<double> field(const std::vector<Vec4>& sources, double softening, bool potential = true,
                            bool alike = false) {
    std::vector<Vec4> host;
    device_->run([&] {
      const compute::Buffer<Vec4> from(device_, std::span<const Vec4>(sources));
      compute::Buffer<Vec4> to(device_, sources.size());
      const std::unique_ptr<FieldSolver> direct = makeDirect(device_);
      direct->expectAlike(alike);
      // Twice: what is left of the first call must not matter.
      for (int i = 0; i < 2; ++i) {
        if (potential) {
          direct->field(from.data(), static_cast<int>(sources.size()), softening, to.data());
        } else {
          direct->force(from.data(), static_cast<int>(sources.size()), softening, to.data());
        }
      }
      host = to.toHost();
    });
    std::vector<double> values;
    for (const Vec4& f : host) {
      for (const float each : {f.x, f.y, f.z, f.w}) values.push_back(static_cast<double>(each));
    }
    return values;
  }
};
SIMSCOPE_ON_EVERY_DEVICE(Backend);

TEST_P(Backend, DirectSumEqualsADoublePrecisionSum) {
  for (const int n : {2, 3, 65, 127, 128, 129, 1000, 4097}) {
    for (const bool mixed : {false, true}) {
      const std::vector<Vec4> sources = randomSources(n, mixed);
      const std::vector<double> exact = exactField(sources, 0.01), found = field(sources, 0.01);
      EXPECT_LT(relativeDifference(part(found, false), part(exact, false)), 1e-5) << n;
      EXPECT_LT(relativeDifference(part(found, true), part(exact, true)), 1e-5) << n;
      EXPECT_EQ(part(field(sources, 0.01, false), false), part(found, false)) << n << ": g without φ";
    }
  }
}

TEST_P(Backend, SourcesOfOneStrengthGiveTheSameFieldWhetherTheSolverKnowsOrNot) {
  for (const int n : {2, 65, 129, 1003, 4097}) {
    std::vector<Vec4> sources = randomSources(n);
    for (Vec4& source : sources) source.w = 0.37f;
    const std::vector<double> exact = exactField(sources, 0.01), found = field(sources, 0.01, true, true);
    EXPECT_LT(relativeDifference(part(found, false), part(exact, false)), 1e-5) << n;
    EXPECT_LT(relativeDifference(part(found, true), part(exact, true)), 1e-5) << n;
    EXPECT_EQ(part(field(sources, 0.01, false, true), false), part(found, false)) << n << ": g without φ";
  }
}

// A heavier body among equal ones: the shorter way is not taken any more.
TEST_P(Backend, LaunchedStarPullsWithItsOwnMass) {
  const Changes changes{{"initial", "random"}, {"bodies", "300"}, {"softening", "0.05"}};
  Session here = on(changes), reference(changes);
  for (Session* each : {&here, &reference}) {
    each->poke({.tool = "star", .x = 0.5});
    each->step(5);
  }
  EXPECT_LT(relativeDifference(here.array("velocity"), reference.array("velocity")), 1e-5);
}

TEST_P(Backend, OneBodyAndBodiesAtOnePlaceFeelNothing) {
  EXPECT_EQ(field({Vec4{1, 2, 3, 4}}, 0), (std::vector<double>{0, 0, 0, 0}));
  for (const double each : field(std::vector<Vec4>(300, Vec4{0.5f, 0, -1, 1}), 0, false)) EXPECT_EQ(each, 0);
}

TEST_P(Backend, RunsLikeTheCpu) {
  for (const char* const force : {"gravity", "coulomb"}) {
    for (const char* const bodies : {"1", "2", "40", "65", "257", "1500"}) {
      const Changes changes{{"initial", "random"}, {"force", force},      {"bodies", bodies},
                            {"softening", "0.05"}, {"time_step", "0.01"}, {"integrator", "yoshida4"}};
      Session here = on(changes), reference(changes);
      EXPECT_LT(relativeDifference(here.array("position"), reference.array("position")), 1e-12) << bodies;
      here.step(10);
      reference.step(10);
      EXPECT_LT(relativeDifference(here.array("position"), reference.array("position")), 1e-6) << bodies;
      EXPECT_LT(relativeDifference(here.array("velocity"), reference.array("velocity")), 1e-5) << bodies;
      for (const Diagnostic which : {kKineticEnergy, kPotentialEnergy, kAngularMomentum, kLargestAcceleration}) {
        const double expected = reference.diagnostic(which);
        EXPECT_NEAR(here.diagnostic(which), expected, 1e-5 * std::abs(expected)) << bodies;
      }
    }
  }
}

TEST_P(Backend, BatchesGiveTheBitsOfSingleSteps) {
  for (const char* const bodies : {"3", "64", "333"}) {
    for (const char* const integrator : {"leapfrog", "yoshida4"}) {
      const Changes changes{
          {"initial", "random"}, {"bodies", bodies}, {"integrator", integrator}, {"time_step", "0.0005"}};
      Session together = on(changes), apart = on(changes);
      together.step(33);
      for (int i = 0; i < 33; ++i) {
        apart.step(1);
        if (i % 8 == 0) apart.diagnostics();
      }
      EXPECT_TRUE(sameBits(together.save(), apart.save())) << bodies << ", " << integrator;
    }
  }
}

TEST_P(Backend, AdaptiveStepsHaveTheSameBitsHoweverTheyAreCutAndShowTheEscape) {
  const Changes changes = {{"initial", "pythagorean"},
                           {"bodies", "3"},
                           {"softening", "0"},
                           {"time_step", "0.01"},
                           {"integrator", "radau15"}};
  Session together = on(changes), apart = on(changes);
  together.step(200);
  for (const int n : {1, 99, 3, 97}) apart.step(n);
  EXPECT_TRUE(sameBits(together.save(), apart.save()));
  together.stepTo(66);
  const std::vector<double> x = together.array("position");
  EXPECT_GT(std::hypot(x[0] - x[3], x[1] - x[4]), 15);
  EXPECT_LT(std::hypot(x[3] - x[6], x[4] - x[7]), 1.2);
}

TEST_P(Backend, ManyStepsOfAFewBodiesAreFewLaunches) {
  Session run = on({{"initial", "kepler"}, {"bodies", "2"}, {"softening", "0"}, {"integrator", "yoshida4"}});
  const std::uint64_t before = device_->counters().launches;
  run.step(20'000);
  EXPECT_LE(device_->counters().launches - before, 3u);
  EXPECT_LT(run.diagnostic(kOrbitError), 1e-8);
  EXPECT_EQ(valuesOf<float>(*run.save().find("trails")).size(), 2u * 3 * kTrailSamples);
}

TEST_P(Backend, SteppingAndPresentingMoveNothingToTheHost) {
  for (const char* const bodies : {"20", "500"}) {
    Session run = on({{"bodies", bodies}});
    Frame frame;
    run.step(3);
    run.present(frame);
    const compute::Counters before = device_->counters();
    run.step(5);
    run.present(frame);
    EXPECT_EQ(device_->counters().bytes_to_host, before.bytes_to_host);
    EXPECT_EQ(device_->counters().bytes_to_device, before.bytes_to_device);
  }
}

TEST_P(Backend, PresentsWhatTheCpuPresents) {
  for (const char* const bodies : {"30", "700"}) {
    const Changes changes{{"initial", "ring"}, {"bodies", bodies}, {"time_step", "0.01"}};
    Session here = on(changes), reference(changes);
    Frame frame, expected;
    for (Session* run : {&here, &reference}) {
      run->step(9);
      run->poke({.tool = "launch", .x = 1, .y = 0.5, .dx = -0.3});
    }
    here.present(frame);
    reference.present(expected);
    ASSERT_EQ(frame.channels.size(), expected.channels.size());
    for (const Channel& channel : expected.channels) {
      const Channel* const found = frame.find(channel.key);
      ASSERT_NE(found, nullptr) << channel.key;
      EXPECT_NEAR(found->low, channel.low, 1e-5 * std::abs(channel.low)) << channel.key;
      EXPECT_NEAR(found->high, channel.high, 1e-5 * std::abs(channel.high)) << channel.key;
      const std::vector<float> a = found->data.toHost(), b = channel.data.toHost();
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i) {
        ASSERT_NEAR(a[i], b[i], 2e-3f * (1 + std::abs(b[i]))) << channel.key;
      }
    }
  }
}

TEST_P(Backend, RunMovesBetweenDevices) {
  for (const char* const bodies : {"8", "300"}) {
    const Changes changes{{"initial", "random"}, {"bodies", bodies}, {"time_step", "0.005"}};
    Session here = on(changes), moved(changes), whole(changes);
    here.step(10);
    moved.load(here.save());
    moved.step(10);
    whole.step(20);
    EXPECT_EQ(moved.nbody().time(), whole.nbody().time());
    EXPECT_LT(relativeDifference(moved.array("position"), whole.array("position")), 1e-6) << bodies;
  }
}

}  // namespace
}  // namespace simscope::nbody
