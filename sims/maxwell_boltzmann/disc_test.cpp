#include "sims/maxwell_boltzmann/discs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "sims/compute/test_devices.h"
#include "sims/core/timeline/stepper.h"
#include "sims/maxwell_boltzmann/testing.h"

namespace simscope::maxwell_boltzmann {
namespace {

constexpr bool kSlowDiscs = SIMSCOPE_SANITIZE;

class Discs : public compute::OnEveryDevice {
 protected:
  DiscBox boxWith(const Parameters& p, const std::vector<Disc>& discs) {
    DiscBox box(device_, p);
    device_->run([&] { box.put(discs); });
    return box;
  }
  void advance(DiscBox& box, int steps) {
    device_->run([&] {
      for (int i = 0; i < steps; ++i) box.step();
    });
  }
  Totals totalsOf(DiscBox& box) {
    Totals totals;
    device_->run([&] { totals = box.totals(0); });
    return totals;
  }
  Motion motionOf(DiscBox& box) {
    Motion motion;
    device_->run([&] { motion = box.motion(); });
    return motion;
  }
};
SIMSCOPE_ON_EVERY_DEVICE(Discs);

double closest(const Parameters& p, const std::vector<Disc>& discs) {
  const double length = p.boxLength();
  double least = HUGE_VAL;
  for (std::size_t i = 0; i < discs.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double x = discs[i].x - discs[j].x, y = discs[i].y - discs[j].y;
      if (!p.walls()) x -= length * std::round(x / length), y -= length * std::round(y / length);
      least = std::min(least, x * x + y * y);
    }
  }
  return std::sqrt(least);
}

// One at rest, one that comes along x: head on they exchange velocities; off the line of centres each gets its share.
TEST_P(Discs, TwoCollideAsTheClosedFormHasIt) {
  const Parameters p = boxOf(2, 0.01, Boundary::Walls, 0.5);
  for (const double share : {0.0, 0.3, -0.8}) {  // impact parameter over the diameter
    const double b = share * p.diameter, speed = 0.5, from = 2 * p.diameter;
    DiscBox box = boxWith(p, {{-from, b, speed, 0}, {0, 0, 0, 0}});
    const double along = std::sqrt(p.diameter * p.diameter - b * b), contact = (from - along) / speed;
    const int steps = static_cast<int>(2 * contact / p.step()) + 1;
    advance(box, steps);
    const double cosine = along / p.diameter, left = steps * p.step() - contact;
    // The line of centres points from (-along, b) to the origin.
    const double nx = cosine, ny = -share, normal = speed * nx;
    const std::vector<Disc> discs = box.discs().toHost();
    EXPECT_NEAR(discs[1].vx, normal * nx, 1e-14);
    EXPECT_NEAR(discs[1].vy, normal * ny, 1e-14);
    EXPECT_NEAR(discs[1].x, normal * nx * left, 1e-12);
    EXPECT_NEAR(discs[0].vx, speed - normal * nx, 1e-14);
    EXPECT_NEAR(discs[0].vy, -normal * ny, 1e-14);
    EXPECT_NEAR(discs[0].y, b - normal * ny * left, 1e-12);
    const Totals totals = totalsOf(box);
    EXPECT_EQ(totals.collisions, 1u);
    EXPECT_EQ(totals.late, 0u);
    EXPECT_NEAR(static_cast<double>(totals.virial) * kImpulse, normal, kImpulse) << "σ|Δv·n|/σ";
  }
}

TEST_P(Discs, WallsReflectWhereADiscTouchesThemAndCountItsMomentum) {
  const Parameters p = boxOf(2, 0.01, Boundary::Walls, 0.5);
  const double wall = 0.5 * (p.boxLength() - p.diameter), step = p.step();
  DiscBox box = boxWith(p, {{wall - 0.25 * step, 0, 1, 0.5}, {-wall + 0.5 * step, -wall + 0.75 * step, -1, -1}});
  advance(box, 1);
  const std::vector<Disc> discs = box.discs().toHost();
  EXPECT_NEAR(discs[0].x, wall - 0.75 * step, 1e-12);
  EXPECT_NEAR(discs[0].y, 0.5 * step, 1e-12);
  EXPECT_EQ(discs[0].vx, -1);
  EXPECT_NEAR(discs[1].x, -wall + 0.5 * step, 1e-12);
  EXPECT_NEAR(discs[1].y, -wall + 0.25 * step, 1e-12) << "both walls of a corner in one step";
  EXPECT_EQ(discs[1].vx, 1);
  EXPECT_EQ(discs[1].vy, 1);
  EXPECT_NEAR(static_cast<double>(totalsOf(box).walls) * kImpulse, 6, 1e-6);
}

// A row in contact: the momentum of the first goes through all of them, in one step.
TEST_P(Discs, ACradleHandsMomentumOnThroughAllOfARowInOneStep) {
  const Parameters p = boxOf(8, 0.01, Boundary::Walls, 0.5);
  std::vector<Disc> row;
  const double apart = 1.001 * p.diameter;
  for (int i = 0; i < 5; ++i) row.push_back({i * apart, 0, i == 0 ? 1.0 : 0.0, 0});
  for (int i = 0; i < 3; ++i) row.push_back({i * 3 * p.diameter, -5 * p.diameter, 0, 0});
  ASSERT_GT(p.step(), 0.02 * p.diameter);
  DiscBox box = boxWith(p, row);
  advance(box, 1);
  const std::vector<Disc> discs = box.discs().toHost();
  EXPECT_EQ(totalsOf(box).collisions, 4u);
  EXPECT_EQ(totalsOf(box).late, 0u);
  EXPECT_NEAR(discs[4].vx, 1, 1e-12);
  EXPECT_NEAR(discs[4].x, 4 * apart + p.step() - 4 * 0.001 * p.diameter, 1e-12);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(discs[i].vx, 0, 1e-12) << i;
}

// Chaos makes 10⁻¹⁵ into 10⁻⁹ in some collisions a disc; any collision missed, late, or out of order would show at
// once.
TEST_P(Discs, TrajectoriesAreThoseOfAnEventDrivenSimulation) {
  for (const Boundary boundary : {Boundary::Walls, Boundary::Periodic}) {
    for (const double packing : {0.05, 0.3, 0.6}) {
      for (const Start start : {Start::Equilibrium, Start::Burst}) {
        const Parameters p = boxOf(100, packing, boundary, 0.02, start);
        const std::vector<Disc> initial = startingDiscs(p, 5);
        EventDriven reference(p, initial);
        DiscBox box = boxWith(p, initial);
        const int steps = static_cast<int>((packing < 0.1 ? 2.5 : 4) * p.freeTime() / p.step());
        advance(box, steps);
        const int collisions = reference.advance(steps * p.step());
        SCOPED_TRACE(testing::Message() << packing << ", " << static_cast<int>(boundary) << ", " << collisions);
        EXPECT_GT(collisions, 40);
        EXPECT_EQ(totalsOf(box).collisions, static_cast<std::uint64_t>(collisions));
        EXPECT_EQ(totalsOf(box).late, 0u);
        const std::vector<Disc> discs = box.discs().toHost();
        double worst = 0;
        for (std::size_t i = 0; i < discs.size(); ++i) {
          const Disc &a = discs[i], &b = reference.discs()[i];
          double x = a.x - b.x, y = a.y - b.y;
          if (!p.walls()) x -= p.boxLength() * std::round(x / p.boxLength());
          if (!p.walls()) y -= p.boxLength() * std::round(y / p.boxLength());
          worst = std::max({worst, std::abs(x), std::abs(y), std::abs(a.vx - b.vx), std::abs(a.vy - b.vy)});
        }
        EXPECT_LT(worst, 1e-7);
      }
    }
  }
}

TEST_P(Discs, EnergyAndMomentumAreConservedToRoundingAtAnyStep) {
  for (const double time_step : {0.05, 0.5}) {
    const Parameters p = boxOf(2000, 0.5, Boundary::Periodic, time_step, Start::EqualSpeeds);
    DiscBox box = boxWith(p, startingDiscs(p, 1));
    const Motion before = motionOf(box);
    advance(box, kSlowDiscs ? 20 : 100);
    const Motion after = motionOf(box);
    EXPECT_GT(totalsOf(box).collisions, kSlowDiscs ? 300u : 4000u);
    EXPECT_NEAR(after.square / before.square, 1, 1e-13);
    const double scale = std::sqrt(before.square * 2000);
    EXPECT_LT(std::hypot(after.px - before.px, after.py - before.py) / scale, 1e-15);
    EXPECT_EQ(after.not_finite, 0);
  }
}

// The measure of what is missed: hundreds where a window holds half a collision a disc, none of 40000
// where it holds a
// twentieth.
TEST_P(Discs, LateCollisionsVanishWithTheStepAndLeaveNoDeepOverlap) {
  const auto share = [&](double time_step) {
    const Parameters p = boxOf(kSlowDiscs ? 1000 : 3000, 0.3, Boundary::Periodic, time_step);
    DiscBox box = boxWith(p, startingDiscs(p, 1));
    advance(box, static_cast<int>((kSlowDiscs ? 4 : 27) / time_step));
    if (time_step < 0.3) {
      EXPECT_GT(closest(p, box.discs().toHost()) / p.diameter, 1 - 0.1 * time_step);
    }
    const Totals totals = totalsOf(box);
    EXPECT_GT(totals.collisions, kSlowDiscs ? 1000u : 25000u);
    return static_cast<double>(totals.late) / static_cast<double>(totals.collisions);
  };
  if (!kSlowDiscs) {
    EXPECT_GT(share(0.5), 2e-3);
  }
  EXPECT_LT(share(0.2), 1e-3);
  EXPECT_EQ(share(0.05), 0);
}

// The same bits for any number of threads, and on the other backend: no order of threads shows in the result.
TEST_P(Discs, StepsAreThoseOfTheCpuToTheBit) {
  for (const Boundary boundary : {Boundary::Walls, Boundary::Periodic}) {
    const Parameters p = boxOf(kSlowDiscs ? 2000 : 40000, 0.4, boundary, 0.1, Start::HotAndCold);
    const std::vector<Disc> initial = startingDiscs(p, 2);
    DiscBox box = boxWith(p, initial);
    advance(box, 20);
    const compute::DevicePtr single = tests::cpu(1);
    DiscBox plain(single, p);
    single->run([&] {
      plain.put(initial);
      for (int i = 0; i < 20; ++i) plain.step();
    });
    EXPECT_TRUE(tests::sameBits(box.discs().toHost(), plain.discs().toHost()));
    const Totals here = totalsOf(box), there = plain.totals(0);
    EXPECT_EQ(here.virial, there.virial);
    EXPECT_EQ(here.walls, there.walls);
    EXPECT_EQ(here.collisions, there.collisions);
  }
}

// Nothing depends on how the discs are numbered.
TEST_P(Discs, NumbersAreNamesOnly) {
  const Parameters p = boxOf(600, 0.5, Boundary::Walls);
  std::vector<Disc> discs = startingDiscs(p, 3);
  DiscBox box = boxWith(p, discs);
  std::reverse(discs.begin(), discs.end());
  DiscBox mirrored = boxWith(p, discs);
  for (DiscBox* each : {&box, &mirrored}) advance(*each, 60);
  std::vector<Disc> a = box.discs().toHost(), b = mirrored.discs().toHost();
  std::reverse(b.begin(), b.end());
  EXPECT_TRUE(tests::sameBits(a, b));
}

TEST_P(Discs, StartsHaveTheirEnergyNoMomentumAndNoOverlap) {
  for (const Start start : {Start::EqualSpeeds, Start::HotAndCold, Start::Burst, Start::Equilibrium}) {
    for (const Boundary boundary : {Boundary::Walls, Boundary::Periodic}) {
      for (const auto& [discs, packing] : {std::pair{64, 0.69}, {257, 0.3}, {1000, 0.005}}) {
        const Parameters p = boxOf(discs, packing, boundary, 0.05, start);
        std::vector<Disc> made;
        try {
          made = startingDiscs(p, 4);
        } catch (const ParameterError& error) {
          EXPECT_EQ(error.key(), "packing_fraction");
          EXPECT_GT(packing, 0.6);
          continue;
        }
        EXPECT_GE(closest(p, made), p.diameter * (1 - 1e-12)) << packing;
        DiscBox box = boxWith(p, made);
        const Motion motion = motionOf(box);
        const double sigma = p.sigma() / kMetresPerSecond;
        EXPECT_NEAR(motion.square / (2 * discs * sigma * sigma), 1, 1e-12);
        EXPECT_NEAR(std::hypot(motion.px, motion.py) / (discs * sigma), 0, start == Start::Equilibrium ? 1e-12 : 0.05);
        const double most = 0.5 * (p.boxLength() - (p.walls() ? p.diameter : 0)) * (1 + 1e-12);
        for (const Disc& disc : made) ASSERT_LE(std::max(std::abs(disc.x), std::abs(disc.y)), most);
      }
    }
  }
}

}  // namespace
}  // namespace simscope::maxwell_boltzmann
